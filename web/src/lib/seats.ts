import { t } from '../words/index.ts'
import type { Seat } from './protocol.ts'

/** The seat that looks on and answers nothing. */
export const SCREEN = 'screen'

/** What a seat is called in which nobody has given a name. */
export function seatTitle(seat: string): string {
  if (seat === 'gm') return t('game_master')
  if (seat === SCREEN) return t('the_screen')
  const number = /^p(\d+)$/.exec(seat)
  return number ? t('seat_n', { n: Number(number[1]) }) : seat
}

/** Whether somebody is in a seat, has left it, has a bot play it, or nobody has taken it. */
export const seatState = ({ seat, name, here, bot }: Seat) =>
  bot ? 'bot' : here ? 'here' : name || seat === 'gm' ? 'away' : 'free'
