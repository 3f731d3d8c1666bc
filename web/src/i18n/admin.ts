/** Like ./index.ts, with the texts of the admin page. */
import { admin } from './en.admin.ts'
import { withTexts } from './index.ts'

export const { t } = withTexts(admin)
