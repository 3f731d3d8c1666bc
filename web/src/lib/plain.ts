/** What the plain view makes of a game's state, which it knows nothing of but names and values (docs/authors.md). */
import { isCard } from './cards.ts'
import type { Offer } from './protocol.ts'

export type Struct = Record<string, unknown>

export const isStruct = (value: unknown): value is Struct =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isStructs = (value: unknown): value is Struct[] =>
  Array.isArray(value) && value.length > 0 && value.every(isStruct)
const isCards = (value: unknown): value is string[] => Array.isArray(value) && value.length > 0 && value.every(isCard)
const isScalar = (value: unknown) => typeof value !== 'object'

/** What there is nothing to say of: nothing, an empty text or list, a flag that isn't set. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isStruct(value) && Object.values(value).every(isEmpty)
}

/** The fields in which a struct says whose, or what, it is: the first that it has. */
const NAMED = ['name', 'seat', 'title', 'controller']
/** Fields that hold the name of a seat. */
export const OF_SEATS = ['seat', 'seats', 'controller']

export const nameField = (struct: Struct): string | undefined =>
  NAMED.find((field) => typeof struct[field] === 'string' && struct[field])

/** Where one's own hand stands in the state, and its cards. */
export interface OwnHand {
  cards: string[]
  /** The fields that lead to it. */
  at: (string | number)[]
}

/**
 * A seat's own hand: the `hand` of the state, its own in `hands` by seat, or the `hand` of the struct in a list whose
 * `seat` or `controller` it is.
 */
export function ownHand(view: unknown, seat: string): OwnHand | null {
  if (!isStruct(view)) return null
  if (isCards(view.hand)) return { cards: view.hand, at: ['hand'] }
  if (isStruct(view.hands) && isCards(view.hands[seat])) return { cards: view.hands[seat], at: ['hands', seat] }
  for (const [field, rows] of Object.entries(view)) {
    if (!isStructs(rows)) continue
    const place = rows.findIndex((row) => row.seat === seat || row.controller === seat)
    const hand = rows[place]?.hand
    if (isCards(hand)) return { cards: hand, at: [field, place, 'hand'] }
  }
  return null
}

/** A state without what stands at a place. */
export function without(value: unknown, [first, ...further]: (string | number)[]): unknown {
  if (first === undefined) return undefined
  if (Array.isArray(value)) return value.map((item, at) => (at === first ? without(item, further) : item))
  return isStruct(value) ? { ...value, [first]: without(value[first], further) } : value
}

const MOST_IN_A_LINE = 4

/** The few values that a state says of itself in a line, and what is left of it. */
export function summaryOf(view: unknown): { line: [string, unknown][]; rest: unknown } {
  if (!isStruct(view)) return { line: [], rest: view }
  const told = ([, value]: [string, unknown]) => isScalar(value) && !isCard(value) && !isEmpty(value)
  const line = Object.entries(view).filter(told).slice(0, MOST_IN_A_LINE)
  const named = new Set(line.map(([field]) => field))
  return { line, rest: Object.fromEntries(Object.entries(view).filter(([field]) => !named.has(field))) }
}

/** What stands in the rows of a list, one below the other: the fields that any of them says something short in. */
export function columnsOf(rows: Struct[]): string[] {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const isShort = (value: unknown) =>
    isEmpty(value) || isScalar(value) || (Array.isArray(value) && value.every(isScalar))
  return fields.filter(
    (field) =>
      rows.some((row) => !isEmpty(row[field])) && rows.every((row) => isShort(row[field])) && !isName(rows, field),
  )
}

const isName = (rows: Struct[], field: string) => rows.every((row) => nameField(row) === field)

/** What of a row is too long for a column. */
export const furtherOf = (row: Struct, columns: string[]): [string, unknown][] =>
  Object.entries(row).filter(
    ([field, value]) => !columns.includes(field) && field !== nameField(row) && !isEmpty(value),
  )

/** The one field in which an offer leaves something to choose, if it is just one, and what may be chosen. */
export function openField(offer: Offer): { field: string; choices: unknown[] } | null {
  const open = Object.entries(offer.fields).filter(([, schema]) => !('const' in schema))
  const [field, schema] = open[0] ?? []
  if (open.length !== 1 || !field || !schema?.enum || offer.optional?.includes(field)) return null
  return { field, choices: schema.enum }
}

/** An offer with one field fixed. */
export const withField = (offer: Offer, field: string, value: unknown): Offer => ({
  ...offer,
  fields: { ...offer.fields, [field]: { ...offer.fields[field], const: value } },
})

const MOST_BUTTONS = 6

/**
 * A button for each choice where there are few, and the action's words say which (`Play {card:card}`); else the offer.
 * Cards of one's own hand are chosen there.
 */
export function asButtons(offer: Offer, text: string | undefined): Offer[] {
  const open = openField(offer)
  const told = open && text?.includes(`{${open.field}`)
  return told && open.choices.length <= MOST_BUTTONS
    ? open.choices.map((value) => withField(offer, open.field, value))
    : [offer]
}

/** Offers that are answered by one card of a hand. */
export const playedFrom = (offers: Offer[], hand: string[]): Offer[] =>
  offers.filter((offer) => {
    const open = openField(offer)
    return (
      open && offer.fields[open.field]!.format === 'card' && open.choices.every((card) => hand.includes(card as string))
    )
  })

/** Whether a number is a chance, and is told in percent. */
export const isChance = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1
