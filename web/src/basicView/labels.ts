import { isCard } from '../lib/cards.ts'
import { type TableContext } from '../client/context.svelte.ts'
import { capital, percent } from '../i18n/text.ts'
import { isObject, kindOf, type Fields, type Kind } from './layout.ts'

/** The most facts next to the table's name, if the game doesn't choose them. */
const IN_SUMMARY = 3

/** Return a test of whether a value is a card, from any deck. */
export const isCardOf =
  (table: TableContext) =>
  (value: unknown): boolean =>
    typeof value === 'string' && (isCard(value) || table.aboutCard(value) !== null)

export const kindAt = (table: TableContext, value: unknown): Kind => kindOf(value, isCardOf(table))

/** Return a key's label: the name of the player if it is a seat, otherwise the field's name. */
export const keyLabel = (table: TableContext, key: string): string =>
  isSeat(table, key) ? capital(table.seatName(key)) : table.fieldName(key)

/** Return a value in words: a seat's player, the game's word for it, or itself. */
export function valueLabel(table: TableContext, field: string, value: unknown): string {
  return isSeat(table, value) ? table.seatName(String(value)) : table.valueName(field, value)
}

const isSeat = (table: TableContext, value: unknown): boolean => table.client.seats.some(({ seat }) => seat === value)

/** Format a chance as a percentage, or another number with the game's words. */
export function oddsLabel(table: TableContext, path: string[], value: number): string {
  const words = table.game.words.page[`odds.${path.at(-1)}`]
  if (words) return table.say(words, { n: Math.round(value * 10) / 10 })
  return value >= 0 && value <= 1 ? percent(value) : String(Math.round(value * 10) / 10)
}

/**
 * Return the summary next to the table's name: the game's words for it, or the first facts of its view; and the
 * remaining fields.
 */
export function summaryOf(table: TableContext): { text: string; facts: [string, unknown][]; rest: Fields } {
  const { view } = table.client.doc!
  if (!isObject(view)) return { text: '', facts: [], rest: {} }
  const text = table.game.words.page.plain_summary ?? ''
  const plain = Object.entries(view).filter(([, value]) => kindAt(table, value) === 'plain')
  const facts = text ? plain.filter(([field]) => text.includes(`{${field}`)) : plain.slice(0, IN_SUMMARY)
  const inSummary = new Set(facts.map(([field]) => field))
  const rest = Object.fromEntries(Object.entries(view).filter(([field]) => !inSummary.has(field)))
  return { text: text && table.say(text, view), facts, rest }
}
