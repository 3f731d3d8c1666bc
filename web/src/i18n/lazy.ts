/** The same as ./index.ts, for what isn't there at first sight: with its words, which come with it. */
import { later } from './en.lazy.ts'
import { learn, t as first, word as firstWord, type WordKey } from './index.ts'

learn(later)

type Key = WordKey | keyof typeof later

/** A text of the page's own, as it stands in the catalogue. */
export const word = firstWord as (key: Key) => string
/** A text of the page's own with its blanks filled in, as plain text. */
export const t = first as (key: Key | `rank_${string}` | `suit_${string}`, about?: Record<string, unknown>) => string
