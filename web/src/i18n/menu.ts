/** Like ./index.ts, with the texts of the menu and of the verified deal. */
import { menu } from './en.menu.ts'
import { withTexts, type WordKey } from './index.ts'

export type MenuKey = WordKey | keyof typeof menu
export const { t, word } = withTexts(menu)
