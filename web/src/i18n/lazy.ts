/** Like ./index.ts, with the texts of parts that are fetched later. */
import { lazy } from './en.lazy.ts'
import { addTexts, t as first, word as firstWord, type WordKey } from './index.ts'

addTexts(lazy)

type Key = WordKey | keyof typeof lazy

/** Return a text of the page, with its placeholders. */
export const word = firstWord as (key: Key) => string
/** Return a text of the page as plain text, with its placeholders filled in. */
export const t = first as (key: Key | `rank_${string}` | `suit_${string}`, about?: Record<string, unknown>) => string
