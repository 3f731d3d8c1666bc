/** The same as ./index.ts, for the invitations and the door. */
import { invite } from './en.invite.ts'
import { learn, t as first, type WordKey } from './index.ts'

learn(invite)

/** A text of the page's own with its blanks filled in, as plain text. */
export const t = first as (key: WordKey | keyof typeof invite, about?: Record<string, unknown>) => string
