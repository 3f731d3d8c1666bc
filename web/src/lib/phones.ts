import { t } from '../i18n/index.ts'

const LOOPBACK = /^(localhost|127\.|\[::1\])/
const NETWORK = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cde]|[^.:]+(\.local)?(:\d+)?$)/i

/** Whether only this computer can open links with this origin. */
export const isLocalOnly = (origin: string): boolean => LOOPBACK.test(new URL(origin).host)

/** Return a sentence on how phones can open links with this origin. */
export function phoneAccess(origin: string): string {
  if (isLocalOnly(origin)) return t('phones_not_yet')
  return t(NETWORK.test(new URL(origin).host) ? 'phones_by_wifi' : 'phones_by_code')
}
