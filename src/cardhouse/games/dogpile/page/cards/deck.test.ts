import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Game } from '$page/api/http.ts'
import type { GameContext } from '$page/client/context.svelte.ts'
import { plainText, pieces } from '$page/i18n/text.ts'
import { aboutCard, deckOf, faceOf, isOrdinary, standsFor, type Deck } from './deck.ts'

const STANDARD: Deck = {
  name: 'Standard deck',
  beside: { all: [{ attribute: 'number' }] },
  above: { all: [{ attribute: 'suit' }] },
  cards: {
    SQ: { name: 'Queen of spades', number: 12, suit: 'spades' },
    SK: { name: 'King of spades', number: 13, suit: 'spades' },
    RJ: { name: 'Red joker', wild: true },
  },
}
const DOGS: Deck = {
  name: 'Dogs',
  beside: { all: [{ attribute: 'size' }, { attribute: 'breed' }, { attribute: 'nose' }] },
  above: { any: [{ attribute: 'breed' }, { attribute: 'mood' }] },
  cards: {
    rex: { name: 'Rex', size: 3, breed: 'pug', nose: 'wet', mood: 'shy', coat: 'red' },
    lou: { size: 4, breed: 'pug', nose: 'dry', mood: 'bold', coat: 'red', text: 'Lou' },
    moe: { name: 'Moe', wild: true, size: 5, coat: 'red' },
    any: { wild: true },
  },
}
const game = { facts: { deck: STANDARD } } as unknown as Game
const WORDS: Record<string, string> = {
  card_any: 'any {attribute}',
  card_wild: 'wild',
  as_card: 'as {card:card}',
  as_values: 'as {values}',
}
const context = (deck?: Deck) =>
  ({
    game,
    options: deck ? { deck } : {},
    word: (key: string) => WORDS[key],
    say: (text: string, about: Record<string, unknown>) => plainText(pieces(text, about), String, String),
    cardName: (card: string) => deck?.cards[card]?.name ?? card,
  }) as unknown as GameContext

test('without a deck of one’s own it is the standard one, whose cards are ordinary', () => {
  assert.equal(deckOf(context()), STANDARD)
  assert.equal(aboutCard('SQ', context()), null)
})

test('a card that is as in the standard deck looks so in another deck, too', () => {
  const same = { ...STANDARD.cards.SQ!, name: 'Herself', text: 'Off with it' }
  const deck = { ...DOGS, cards: { SQ: same, SK: { ...same }, RJ: { wild: true }, S5: { number: 5, suit: 'blue' } } }
  assert.ok(isOrdinary('SQ', deck, game))
  assert.ok(isOrdinary('RJ', deck, game))
  assert.ok(!isOrdinary('SK', deck, game), 'it is no king')
  assert.ok(!isOrdinary('S5', deck, game))
  assert.ok(!isOrdinary('SQ', { ...deck, cards: { SQ: { ...same, number: 11 } } }, game))
  assert.ok(!isOrdinary('SQ', { ...deck, cards: { SQ: { ...same, mood: 'shy' } } }, game))
})

test('a face has numbers at its sides, and words where they must fit above and below', () => {
  const { sides, ends } = faceOf('rex', DOGS)
  assert.deepEqual(
    sides.map(({ attribute, value }) => [attribute, value]),
    [
      ['size', 3],
      ['nose', 'wet'],
    ],
  )
  assert.deepEqual(
    ends.map(({ attribute, value }) => [attribute, value]),
    [
      ['breed', 'pug'],
      ['mood', 'shy'],
    ],
  )
  assert.equal(ends[0]!.hue, faceOf('lou', DOGS).ends[0]!.hue)
  assert.notEqual(ends[1]!.hue, faceOf('lou', DOGS).ends[1]!.hue)
})

test('of several values words are a mark each, and numbers one', () => {
  const both = { name: 'Both', number: [3, 8], suit: ['bones', 'balls'] }
  const deck = { ...STANDARD, cards: { ...STANDARD.cards, both } }
  const { sides, ends } = faceOf('both', deck)
  assert.deepEqual(
    [...sides, ...ends].map(({ value, word }) => [value, word]),
    [
      ['3/8', false],
      ['bones', true],
      ['balls', true],
    ],
  )
  assert.equal(aboutCard('both', context(deck))!.has, 'number 3/8, bones/balls')
})

test('a wild card is free in what its line leaves out, and shows what it stands for', () => {
  const values = (as: Parameters<typeof faceOf>[2]) => {
    const { sides, ends } = faceOf('moe', DOGS, as)
    return [...sides, ...ends].map(({ value, free }) => [value, free])
  }
  const [size, rest] = [[5, false], (value: string | null) => [value, true]]
  assert.deepEqual(values(null), [size, rest(null), rest(null), rest(null)])
  assert.deepEqual(values('rex'), [size, rest('wet'), rest('pug'), rest('shy')])
  assert.deepEqual(values({ breed: 'pug', mood: 'bold' }), [size, rest(null), rest('pug'), rest('bold')])
})

test('a card is said by its name and what it has', () => {
  const about = (card: string) => aboutCard(card, context(DOGS))
  assert.deepEqual([about('rex')!.name, about('rex')!.has], ['Rex', 'size 3, pug, wet, shy, red'])
  assert.equal(about('lou')!.name, 'lou')
  assert.equal(about('moe')!.has, 'size 5, any breed, any nose, any mood, red')
  assert.equal(about('any')!.has, 'wild')
  assert.equal(aboutCard('nobody', context(DOGS)), null)
  assert.equal(standsFor(context(DOGS), 'rex'), 'as rex')
  assert.equal(standsFor(context(DOGS), { size: 5, breed: 'pug' }), 'as size 5, pug')
})
