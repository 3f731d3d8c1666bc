import { t } from '../words/index.ts'

/** What a seat is called in which nobody has given a name. */
export function seatTitle(seat: string): string {
  if (seat === 'gm') return t('game_master')
  if (seat === 'screen') return t('the_screen')
  const number = /^p(\d+)$/.exec(seat)
  return number ? t('seat_n', { n: Number(number[1]) }) : seat
}
