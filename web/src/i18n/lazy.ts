/** Like ./index.ts, with the texts of parts that are fetched later. */
import { lazy } from './en.lazy.ts'
import { withTexts } from './index.ts'

export const { t, word } = withTexts(lazy)
