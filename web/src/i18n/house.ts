/** The same as ./index.ts, for the page from which the house is administered: with its words, which come with it. */
import { ofHouse } from './en.house.ts'
import { learn, t as first, type WordKey } from './index.ts'

learn(ofHouse)

/** A text of the page's own with its blanks filled in, as plain text. */
export const t = first as (key: WordKey | keyof typeof ofHouse, about?: Record<string, unknown>) => string
