/** A piece of a sentence: plain text, a number, something's name, a card, or who sits in a seat. */
export type Piece = { text: string } | { number: string } | { name: string } | { card: string } | { seat: string }

const BLANK = /\{(\w+)(?::(\w+)(?::([^}]*))?)?\}/g

/**
 * A text of the words with its blanks filled in: `{name}`, `{card:card}`, `{seat:seat}`, `{n:count:one|# many}`, and
 * `{tier:value}` by the words that `values` has; `{what:field}` by those of `fields`, and `{now:as:what}` as such a
 * field's value.
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
    if (kind === 'field') found.push({ text: fields[String(value)] ?? readable(String(value)) })
    else if (kind === 'as') found.push({ text: valueSaid(String(about[forms]), about[key], values) })
    else found.push(...blank(value, kind, forms, (one) => values[`${key}.${one}`]))
  }
  if (end < text.length) found.push({ text: text.slice(end) })
  return found
}

/** A field's value in words, by those that there are for values. */
function valueSaid(field: string, value: unknown, values: Record<string, string>): string {
  if (Array.isArray(value) && value.length > 0) return value.map((one) => valueSaid(field, one, values)).join(', ')
  const word = value === null || value === undefined || Array.isArray(value) ? 'none' : String(value)
  return values[`${field}.${word}`] ?? values[`put_right.${word}`] ?? word
}

/** What the blanks of a text ask for. */
export const blanks = (text: string): string[] => [...text.matchAll(BLANK)].map(([, key = '']) => key)

function blank(value: unknown, kind = '', forms: string, called: (value: string) => string | undefined): Piece[] {
  if (kind === 'count') {
    const [one = '', many = one] = forms.split('|')
    return [{ text: (value === 1 ? one : many).replaceAll('#', String(value)) }]
  }
  const values = Array.isArray(value) ? value.map(String) : [String(value)]
  if (values.length === 0) return [{ text: called('none') ?? '' }]
  return values.flatMap((item, place) => {
    const word = kind === 'value' ? called(item) : undefined
    return [...(place ? [{ text: ', ' }] : []), word === undefined ? piece(item, kind, typeof value) : { text: word }]
  })
}

function piece(value: string, kind: string, type: string): Piece {
  if (kind === 'card') return { card: value }
  if (kind === 'seat') return { seat: value }
  return type === 'number' ? { number: value } : { name: value }
}

/** The same as plain text, for labels and announcements. */
export function plain(pieces: Piece[], card: (card: string) => string, seat: (seat: string) => string): string {
  const [first] = pieces
  const text = pieces
    .map((p) =>
      'card' in p ? card(p.card) : 'seat' in p ? seat(p.seat) : 'text' in p ? p.text : 'name' in p ? p.name : p.number,
    )
    .join('')
  return first && ('seat' in first || 'card' in first) ? capital(text) : text
}

/** A text with a capital at its beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A chance as a percentage that never says never, nor always, of what is neither. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.005) return '<1%'
  if (chance < 1 && chance >= 0.995) return '>99%'
  return `${Math.round(chance * 100)}%`
}

/** The shares of a whole as whole percentages that make 100: what is lost by rounding down goes where most is lost. */
export function percents(shares: number[]): number[] {
  const down = shares.map((share) => Math.floor(100 * share + 1e-9))
  const lost = shares.map((share, place) => ({ place, loss: 100 * share - down[place]! }))
  const missing = Math.round(100 * shares.reduce((sum, share) => sum + share, 0)) - down.reduce((sum, n) => sum + n, 0)
  for (const { place } of lost.sort((one, other) => other.loss - one.loss).slice(0, missing)) down[place]! += 1
  return down
}

/** A word of the rules made readable, where nobody has given it a name: `remove_character` is "Remove character". */
export function readable(word: string): string {
  return capital(word.replaceAll('_', ' ').trim())
}
