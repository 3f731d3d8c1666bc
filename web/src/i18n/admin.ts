/** Like ./index.ts, with the texts of the admin page. */
import { admin } from './en.admin.ts'
import { addTexts, t as first, type WordKey } from './index.ts'

addTexts(admin)

/** Return a text of the page as plain text, with its placeholders filled in. */
export const t = first as (key: WordKey | keyof typeof admin, about?: Record<string, unknown>) => string
