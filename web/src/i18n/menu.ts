/** Like ./index.ts, with the texts of the menu and of the fair deal. */
import { addTexts, t as first, word as firstWord, type WordKey } from './index.ts'
import { menu } from './en.menu.ts'

addTexts(menu)

export type MenuKey = WordKey | keyof typeof menu

/** Return a text of the page, with its placeholders. */
export const word = firstWord as (key: MenuKey) => string
/** Return a text of the page as plain text, with its placeholders filled in. */
export const t = first as (key: MenuKey, about?: Record<string, unknown>) => string
