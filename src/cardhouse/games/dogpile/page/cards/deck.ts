/** A Dogpile deck as in its file, and how its cards are shown (DG-20). */
import type { Cards, Game, GameTexts } from '$contract'
import { isCard } from '$page/lib/cards.ts'
import type { Stands } from '../wire.ts'

export type Value = number | string

/** A card's value of an attribute, or several values at once. */
export type Held = Value | Value[]

export interface Contact {
  attribute: string
}

/** The contact rules in a direction: all of them must hold, or any one. */
export interface Direction {
  all?: Contact[]
  any?: Contact[]
}

/** A card's line in the file: name, whether it is wild, and attributes. */
export type Line = Record<string, Held | boolean>

export interface Deck {
  name: string
  text?: string
  beside: Direction
  above: Direction
  cards: Record<string, Line>
}

const NOT_ATTRIBUTES = ['name', 'text', 'wild']

/** Return the deck in play. */
export function deckOf({ options, game }: Pick<GameTexts, 'options' | 'game'>): Deck {
  const chosen = (options.deck ?? {}) as Partial<Deck>
  return chosen.cards ? (chosen as Deck) : standardOf(game)
}

export const standardOf = (game: Game) => game.facts.deck as Deck

const attributesIn = (line: Line) => Object.keys(line).filter((key) => !NOT_ATTRIBUTES.includes(key))

/** Return the attributes of a deck, in the order of its first card that has them all. */
export function attributesOf(deck: Deck): string[] {
  return attributesIn(Object.values(deck.cards).find((line) => line.wild !== true) ?? {})
}

/** Return the attributes that contacts in a direction depend on. */
function ruling({ all, any }: Direction): string[] {
  return [...new Set((all ?? any ?? []).map(({ attribute }) => attribute))]
}

/** Return whether a card, of the first or second pack, equals that of the standard deck, and so may look like it. */
export function isOrdinary(card: string, deck: Deck, game: Game): boolean {
  const standard = standardOf(game)
  if (deck === standard) return true
  const [own, usual] = [deck.cards[card], standard.cards[card.replace(/b$/, '')]]
  if (!isCard(card) || !own || !usual) return false
  const names = attributesIn(usual)
  return (
    Boolean(own.wild) === Boolean(usual.wild) &&
    attributesIn(own).length === names.length &&
    names.every((name) => own[name] === usual[name])
  )
}

/**
 * What a card shows of an attribute. `value` is null for a wild card without a value yet.
 *
 * Each of several words has its own mark; several numbers share one.
 */
export interface Mark {
  attribute: string
  value: Value | null
  /** Whether the values of the attribute are words. */
  word: boolean
  /** Whether the card is wild and may take any value. */
  free: boolean
  /** A hue in degrees for a word, the same on all cards that have it. */
  hue: number | null
}

/** The values a card shows at its sides and at its ends, those for contacts there. */
export interface Face {
  name: string
  wild: boolean
  sides: Mark[]
  ends: Mark[]
}

/** Return a card's face; for a wild card with a value, the face of that value. */
export function faceOf(card: string, deck: Deck, as: Stands['as'] | null = null): Face {
  const line = deck.cards[card] ?? {}
  const stands = (typeof as === 'string' ? deck.cards[as] : as) ?? {}
  const above = ruling(deck.above)
  const beside = ruling(deck.beside).filter((name) => isNumber(deck, name) || !above.includes(name))
  return {
    name: nameOf(card, deck),
    wild: line.wild === true,
    sides: beside.flatMap((attribute) => marksOf(line, stands, attribute, deck)),
    ends: above.flatMap((attribute) => marksOf(line, stands, attribute, deck)),
  }
}

const valuesOf = (deck: Deck, attribute: string): Value[] => [
  ...new Set(Object.values(deck.cards).flatMap((line) => (attribute in line ? allOf(line[attribute] as Held) : []))),
]

const allOf = (held: Held): Value[] => (Array.isArray(held) ? held : [held])

const isNumber = (deck: Deck, attribute: string) => typeof valuesOf(deck, attribute)[0] === 'number'

function marksOf(line: Line, stands: Line, attribute: string, deck: Deck): Mark[] {
  const free = !(attribute in line)
  const held = (free ? stands : line)[attribute] as Held | undefined
  const word = !isNumber(deck, attribute)
  const values = held === undefined ? [null] : word ? allOf(held) : [Array.isArray(held) ? held.join('/') : held]
  const hue = (value: Value | null) => (word && value !== null && !free ? hueOf(value, attribute, deck) : null)
  return values.map((value) => ({ attribute, value, word, free, hue: hue(value) }))
}

/** Return a hue. An attribute's values are spread around the colour circle, with an offset for each attribute. */
function hueOf(value: Value, attribute: string, deck: Deck): number {
  const values = valuesOf(deck, attribute)
  return (360 * (values.indexOf(value) + attributesOf(deck).indexOf(attribute) / 3)) / values.length
}

const nameOf = (card: string, deck: Deck) => String(deck.cards[card]?.name ?? card)

/** Describe a card that doesn't look like one of the standard deck. */
export const aboutCard: Cards['about'] = (card, context) => {
  const deck = deckOf(context)
  const line = deck.cards[card]
  if (!line || isOrdinary(card, deck, context.game)) return null
  const attributes = attributesOf(deck)
  const has = attributes.map((name) => attributeText(line, name, context))
  const values = attributes.flatMap((name) => (name in line ? allOf(line[name] as Held).map(String) : []))
  return {
    name: nameOf(card, deck),
    has: values.length || !attributes.length ? has.join(', ') : context.word('card_wild'),
    words: [card, nameOf(card, deck), ...attributes, ...values, ...(line.wild ? [context.word('card_wild')] : [])],
  }
}

/** Return an attribute in words. */
function attributeText(line: Line, attribute: string, context: GameTexts): string {
  if (attribute in line) return valueText(attribute, line[attribute] as Held)
  return context.say(context.word('card_any'), { attribute: attribute.replaceAll('_', ' ') })
}

/** Return a value in words: a number needs the name of its attribute. */
const valueText = (attribute: string, held: Held) => {
  const text = allOf(held).join('/')
  return typeof allOf(held)[0] === 'number' ? `${attribute.replaceAll('_', ' ')} ${text}` : text
}

/** Return what a wild card counts as, in words: "as the 10 of spades". */
export const standsFor = (context: GameTexts, as: Stands['as']): string =>
  typeof as === 'string'
    ? context.say(context.word('as_card'), { card: as })
    : context.say(context.word('as_values'), {
        values: Object.entries(as)
          .map(([attribute, value]) => valueText(attribute, value))
          .join(', '),
      })
