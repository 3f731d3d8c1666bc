/** How phones come to this house. */
import { t } from '../i18n/index.ts'

const LOOPBACK = /^(localhost|127\.|\[::1\])/
const NETWORK = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cde]|[^.:]+(\.local)?(:\d+)?$)/i

/** Whether nobody but this computer can open what begins so. */
export const isOnlyHere = (origin: string): boolean => LOOPBACK.test(new URL(origin).host)

/** In a sentence, how phones come to what begins so. */
export function howPhonesGetIn(origin: string): string {
  if (isOnlyHere(origin)) return t('phones_not_yet')
  return t(NETWORK.test(new URL(origin).host) ? 'phones_by_wifi' : 'phones_by_code')
}
