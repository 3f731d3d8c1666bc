/** Like ./index.ts, with the texts of parts that are fetched later. */
import { later } from './en.lazy.ts'
import { learn, t as first, word as firstWord, type WordKey } from './index.ts'

learn(later)

type Key = WordKey | keyof typeof later

/** Return a text of the page, with its placeholders. */
export const word = firstWord as (key: Key) => string
/** Return a text of the page as plain text, with its placeholders filled in. */
export const t = first as (key: Key | `rank_${string}` | `suit_${string}`, about?: Record<string, unknown>) => string
