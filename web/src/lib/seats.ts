import { t } from '../words/index.ts'

/** The seat that looks on and answers nothing. */
export const SCREEN = 'screen'

/** What a seat is called in which nobody has given a name. */
export function seatTitle(seat: string): string {
  if (seat === 'gm') return t('game_master')
  if (seat === SCREEN) return t('the_screen')
  const number = /^p(\d+)$/.exec(seat)
  return number ? t('seat_n', { n: Number(number[1]) }) : seat
}
