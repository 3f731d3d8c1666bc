import { lookUp } from '../lib/lookUp.ts'
/** The basic view's analysis of a game's data: the kind of each value, and its place. */

export type Fields = Record<string, unknown>
/** The kind of a value: empty, a single value, several in a line, or objects with fields. */
export type Kind = 'nothing' | 'plain' | 'card' | 'cards' | 'plains' | 'rows' | 'group'
type IsCard = (value: unknown) => boolean

/** An object in a list or under a key. */
export interface Row {
  key: string
  fields: Fields
}

/** The layout of a list's rows; fields that are empty in all rows are left out. */
export interface Columns {
  /** The card at the beginning of a row, and its name. */
  lead: string | undefined
  name: string | undefined
  /** Boolean fields. */
  flags: string[]
  /** Fields short enough for a column. */
  facts: string[]
  /** Fields with a line of their own. */
  below: string[]
}

export interface OwnHand {
  /** The owner's name, unless it is the seat itself. */
  name: string
  cards: (string | null)[]
}

/** Longer texts have a line of their own. */
const LONG = 36
/** The fields that may name an object. */
const NAMES = ['name', 'seat', 'title', 'player']

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function kindOf(value: unknown, isCard: IsCard): Kind {
  if (value === null || value === undefined || value === false || value === '') return 'nothing'
  if (Array.isArray(value)) return kindOfList(value, isCard)
  if (!isObject(value)) return isCard(value) ? 'card' : 'plain'
  const inner = Object.values(value).filter((item) => kindOf(item, isCard) !== 'nothing')
  if (!inner.length) return 'nothing'
  return inner.length > 1 && inner.every((item) => isObject(item) && isLike(item, inner[0])) ? 'rows' : 'group'
}

function kindOfList(list: unknown[], isCard: IsCard): Kind {
  if (!list.length) return 'nothing'
  if (list.every((item) => item === null || isCard(item))) return 'cards'
  return list.some((item) => typeof item === 'object' && item !== null) ? 'rows' : 'plains'
}

/** Whether two objects have the same fields. */
const isLike = (one: Fields, other: unknown): boolean =>
  isObject(other) && Object.keys(one).join() === Object.keys(other).join()

/** Return the rows of a list, or of an object of similar objects. */
export function rowsOf(value: unknown): Row[] {
  const fields = (item: unknown): Fields => (isObject(item) ? item : { '': item })
  if (Array.isArray(value)) return value.map((item) => ({ key: '', fields: fields(item) }))
  return Object.entries(value as Fields).map(([key, item]) => ({ key, fields: fields(item) }))
}

export function columnsOf(rows: Row[], isCard: IsCard): Columns {
  const all = [...new Set(rows.flatMap(({ fields }) => Object.keys(fields)))]
  const valuesOf = (field: string) => rows.map(({ fields }) => fields[field])
  const has = (field: string, fits: (value: unknown, kind: Kind) => boolean) =>
    valuesOf(field).every((value) => kindOf(value, isCard) === 'nothing' || fits(value, kindOf(value, isCard)))
  const filled = all.filter((field) => !has(field, () => false))
  const lead = filled.find((field) => has(field, (_, kind) => kind === 'card'))
  const isText = (field: string) => has(field, (value, kind) => kind === 'plain' && typeof value === 'string')
  const isDistinct = (field: string) => isText(field) && new Set(valuesOf(field)).size === rows.length
  const unnamed = rows.some(({ key }) => !key) && !lead
  const name =
    NAMES.find((field) => filled.includes(field) && isText(field)) ?? (unnamed ? filled.find(isDistinct) : undefined)
  const rest = filled.filter((field) => field !== lead && field !== name)
  const flags = rest.filter((field) => has(field, (value) => value === true))
  const facts = rest.filter((field) => !flags.includes(field) && has(field, isShort))
  return { lead, name, flags, facts, below: rest.filter((field) => ![...flags, ...facts].includes(field)) }
}

function isShort(value: unknown, kind: Kind): boolean {
  if (kind === 'plain' || kind === 'plains') return String(value).length <= LONG
  return kind === 'card' || (kind === 'cards' && (value as unknown[]).length <= 8)
}

/** Iterate over all objects in a view, at any depth. */
function* objectsIn(value: unknown): Generator<Fields> {
  if (isObject(value)) yield value
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* objectsIn(inner)
}

/** Return the names and seats of everyone in a view. */
export function peopleIn(view: unknown): Set<string> {
  const named = [...objectsIn(view)].flatMap(({ name, seat }) => [name, seat])
  return new Set(named.filter((who) => typeof who === 'string'))
}

/** Whether an object belongs to a seat, or is controlled from it. */
export const isOf = (seat: string, { seat: its, controller }: Fields): boolean => its === seat || controller === seat

/** Return a seat and the names of its characters. */
export function ownNames(view: unknown, seat: string): Set<string> {
  const own = [...objectsIn(view)].filter((fields) => isOf(seat, fields)).map(({ name }) => name)
  return new Set([seat, ...own.filter((name) => typeof name === 'string')])
}

/**
 * Return a seat's hands: the cards under `hand` in the view itself or in an object of the seat's own, and those under
 * `hands` of the seat and its characters.
 */
export function ownHands(view: unknown, seat: string, isCard: IsCard): OwnHand[] {
  const own = ownNames(view, seat)
  const found: OwnHand[] = []
  const add = (name: string, cards: unknown) => {
    if (kindOf(cards, isCard) === 'cards') found.push({ name: name === seat ? '' : name, cards: cards as string[] })
  }
  for (const fields of objectsIn(view)) {
    if (fields === view || isOf(seat, fields)) add(typeof fields.name === 'string' ? fields.name : '', fields.hand)
    if (isObject(fields.hands))
      for (const [name, cards] of Object.entries(fields.hands)) if (own.has(name)) add(name, cards)
  }
  return found
}

/** Return an object without the cards that are shown in the seat's hand; in a row, their number replaces them. */
export function withoutHands(fields: Fields, seat: string, own: Set<string>, isCard: IsCard, top: boolean): Fields {
  const shown = { ...fields }
  if ((top || isOf(seat, fields)) && kindOf(fields.hand, isCard) === 'cards')
    shown.hand = top ? null : (fields.hand as unknown[]).length
  if (isObject(fields.hands)) {
    const others = Object.entries(fields.hands).filter(
      ([name, cards]) => !own.has(name) || kindOf(cards, isCard) !== 'cards',
    )
    shown.hands = Object.fromEntries(others)
  }
  return shown
}

/** A chance or a number with the path of its names. */
export interface Odd {
  path: string[]
  value: number
}

/** Return a person's odds: numbers, and those one level deeper, without whole distributions. */
export function oddsAbout(odds: unknown, who: unknown): Odd[] {
  const about = isObject(odds) && typeof who === 'string' ? lookUp(odds, who) : undefined
  if (typeof about === 'number') return [{ path: [], value: about }]
  return isObject(about) ? Object.entries(about).flatMap(([field, inner]) => oddsIn(field, inner)) : []
}

function oddsIn(field: string, value: unknown): Odd[] {
  if (typeof value === 'number') return [{ path: [field], value }]
  if (!isObject(value)) return []
  const deeper = Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  return deeper.map(([inner, number]) => ({ path: [field, inner], value: number }))
}

/** Return the odds for the part of a view under a field. */
export const oddsUnder = (odds: unknown, field: string): unknown =>
  isObject(odds) && isObject(lookUp(odds, field)) ? odds[field] : odds

/** Return the odds that aren't about anyone in a view; null if there are none. */
export function otherOdds(odds: unknown, view: unknown): Fields | null {
  if (!isObject(odds)) return null
  const people = peopleIn(view)
  const left = Object.entries(odds).flatMap(([key, value]): [string, unknown][] => {
    if (people.has(key)) return []
    if (!isObject(value) || !isObject(view) || !Object.hasOwn(view, key)) return [[key, value]]
    const inner = otherOdds(value, view[key])
    return inner ? [[key, inner]] : []
  })
  return left.length ? Object.fromEntries(left) : null
}
