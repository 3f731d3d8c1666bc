/** The attributes of each element, by property name; the types of the page contract check them. */
import type { Elements } from '$contract'

/** The type of an attribute: a text, a flag, a number, or words separated by spaces. A list is a property only. */
export type Kind = 'text' | 'flag' | 'number' | 'words' | 'list'

type KindOf<Value> = Value extends string[]
  ? 'words'
  : Value extends unknown[]
    ? 'list'
    : Value extends boolean
      ? 'flag'
      : Value extends number
        ? 'number'
        : 'text'
type Attributes = {
  [Name in keyof Elements]: { [Key in keyof Elements[Name]]-?: KindOf<NonNullable<Elements[Name][Key]>> }
}

const HAND = {
  cards: 'words',
  count: 'number',
  chosen: 'words',
  closed: 'words',
  chooses: 'flag',
  label: 'text',
} as const

export const ATTRIBUTES: Attributes = {
  'ch-card': { card: 'text', turned: 'flag', mini: 'flag', label: 'text' },
  'ch-hand': HAND,
  'ch-fan': HAND,
  'ch-pile': { cards: 'words', count: 'number', label: 'text' },
  'ch-deck': { left: 'number', label: 'text', pack: 'text' },
  'ch-die': { shows: 'number', sides: 'number' },
  'ch-seat': { seat: 'text', bare: 'flag' },
  'ch-rule': { rule: 'text' },
  'ch-choices': { leaveOut: 'words', only: 'words' },
  'ch-card-picker': { cards: 'words', label: 'text', confirm: 'text', problem: 'text' },
  'ch-odds': { share: 'number', label: 'text' },
  'ch-grid': { cells: 'list', chooses: 'flag', label: 'text' },
}

/** Return the name of a property's attribute: `leave-out`. */
export const hyphened = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Parse an attribute to the value of its property; undefined if it is absent or invalid. */
export function fromAttribute(kind: Kind, value: string | null): unknown {
  if (kind === 'flag') return value !== null
  if (value === null) return undefined
  if (kind === 'words') return value.split(/[\s,]+/).filter(Boolean)
  return kind === 'number' ? numberIn(value) : value
}

/** Convert a property's value for the component; undefined for null. Throws a TypeError for an invalid value. */
export function fromProperty(kind: Kind, value: unknown): unknown {
  if (kind === 'flag') return Boolean(value)
  if (value === null || value === undefined) return undefined
  if (kind === 'text') return String(value)
  if (typeof value === 'string' && kind !== 'list') return fromAttribute(kind, value)
  if (kind === 'number' ? typeof value === 'number' : Array.isArray(value)) return checked(kind, value)
  throw new TypeError(`is a ${kind === 'number' ? 'number' : 'list'}, not ${JSON.stringify(value)}`)
}

function checked(kind: Kind, value: unknown): unknown {
  const wrong = kind === 'words' && (value as unknown[]).find((one) => typeof one !== 'string')
  if (wrong) throw new TypeError(`is a list of texts such as "H7", not of ${JSON.stringify(wrong)}`)
  return value
}

function numberIn(text: string): number | undefined {
  const number = text.trim() === '' ? NaN : Number(text)
  return Number.isNaN(number) ? undefined : number
}
