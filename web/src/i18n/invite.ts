/** Like ./index.ts, with the texts of invitations and the join code. */
import { invite } from './en.invite.ts'
import { withTexts } from './index.ts'

export const { t } = withTexts(invite)
