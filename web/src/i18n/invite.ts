/** Like ./index.ts, with the texts of invitations and the join code. */
import { invite } from './en.invite.ts'
import { addTexts, t as first, type WordKey } from './index.ts'

addTexts(invite)

/** Return a text of the page as plain text, with its placeholders filled in. */
export const t = first as (key: WordKey | keyof typeof invite, about?: Record<string, unknown>) => string
