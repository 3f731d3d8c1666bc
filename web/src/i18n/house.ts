/** Like ./index.ts, with the texts of the admin page. */
import { ofHouse } from './en.house.ts'
import { learn, t as first, type WordKey } from './index.ts'

learn(ofHouse)

/** Return a text of the page as plain text, with its placeholders filled in. */
export const t = first as (key: WordKey | keyof typeof ofHouse, about?: Record<string, unknown>) => string
