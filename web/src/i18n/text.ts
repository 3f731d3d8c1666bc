/** A piece of a sentence: plain text, a number, a name, a card, or a seat. */
export type Piece = { text: string } | { number: string } | { name: string } | { card: string } | { seat: string }

const BLANK = /\{(\w+)(?::(\w+)(?::([^{}]*))?)?\}/g

/**
 * Split a text into pieces, with its placeholders filled in: `{name}`, `{card:card}`, `{seat:seat}`, `{n:count:one|#
 * many}`, `{tier:value}` by the words in `values`, `{what:field}` by those in `fields`, and `{now:as:what}` as a value
 * of that field.
 */
export function pieces(
  text: string,
  about: Record<string, unknown> = {},
  values: Record<string, string> = {},
  fields: Record<string, string> = {},
): Piece[] {
  const found: Piece[] = []
  let end = 0
  for (const match of text.matchAll(BLANK)) {
    if (match.index > end) found.push({ text: text.slice(end, match.index) })
    end = match.index + match[0].length
    const [, key = '', kind, forms = ''] = match
    const value = about[key] ?? ''
    if (kind === 'field') found.push({ text: wordFor(String(value), fields) })
    else if (kind === 'as') found.push({ text: valueText(String(about[forms]), about[key], values) })
    else found.push(...blank(value, kind, forms, (one) => values[`${key}.${one}`]))
  }
  if (end < text.length) found.push({ text: text.slice(end) })
  return found
}

/** Return a field's name in words; people type some, such as `constructor`. */
const wordFor = (field: string, fields: Record<string, string> = {}) =>
  (Object.hasOwn(fields, field) && fields[field]) || readable(field)

/** Return a field's value in words. */
function valueText(field: string, value: unknown, values: Record<string, string>): string {
  if (Array.isArray(value) && value.length > 0) return value.map((one) => valueText(field, one, values)).join(', ')
  const word = value === null || value === undefined || Array.isArray(value) ? 'none' : String(value)
  return values[`${field}.${word}`] ?? values[`put_right.${word}`] ?? word
}

/** The names of a text's placeholders. */
export const blanks = (text: string): string[] => [...text.matchAll(BLANK)].map(([, key = '']) => key)

function blank(value: unknown, kind = '', forms: string, wordFor: (value: string) => string | undefined): Piece[] {
  if (kind === 'count') {
    const [one = '', many = one] = forms.split('|')
    return [{ text: (value === 1 ? one : many).replaceAll('#', String(value)) }]
  }
  const values = Array.isArray(value) ? value.map(String) : [String(value)]
  if (values.length === 0) return [{ text: wordFor('none') ?? '' }]
  return values.flatMap((item, place) => {
    const word = kind === 'value' ? wordFor(item) : undefined
    return [...(place ? [{ text: ', ' }] : []), word === undefined ? piece(item, kind, typeof value) : { text: word }]
  })
}

function piece(value: string, kind: string, type: string): Piece {
  if (kind === 'card') return { card: value }
  if (kind === 'seat') return { seat: value }
  return type === 'number' ? { number: value } : { name: value }
}

/** Join pieces to plain text, for labels and announcements. */
export function plainText(pieces: Piece[], card: (card: string) => string, seat: (seat: string) => string): string {
  const [first] = pieces
  const text = pieces
    .map((p) =>
      'card' in p ? card(p.card) : 'seat' in p ? seat(p.seat) : 'text' in p ? p.text : 'name' in p ? p.name : p.number,
    )
    .join('')
  return first && ('seat' in first || 'card' in first) ? capital(text) : text
}

/** Capitalise the first letter of a text. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Format a chance as a percentage, with 0% and 100% reserved for exactly 0 and 1. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.005) return '<1%'
  if (chance < 1 && chance >= 0.995) return '>99%'
  return `${Math.round(chance * 100)}%`
}

/** Return the shares of a whole as integer percentages that add up to 100: the largest remainders are rounded up. */
export function percents(shares: number[]): number[] {
  const down = shares.map((share) => Math.floor(100 * share + 1e-9))
  const lost = shares.map((share, place) => ({ place, loss: 100 * share - down[place]! }))
  const missing = Math.round(100 * shares.reduce((sum, share) => sum + share, 0)) - down.reduce((sum, n) => sum + n, 0)
  for (const { place } of lost.sort((one, other) => other.loss - one.loss).slice(0, missing)) down[place]! += 1
  return down
}

/** Make an identifier of the rules readable if it has no name: `remove_character` becomes "Remove character". */
export function readable(word: string): string {
  return capital(word.replaceAll('_', ' ').trim())
}
