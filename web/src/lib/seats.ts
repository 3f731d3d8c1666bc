import { t } from '../i18n/index.ts'
import type { Seat } from '../api/protocol.ts'

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

/** What a seat is called after those who are played from it, or by its place. */
export function seatCalled({ seat, characters = [] }: { seat: string; characters?: string[] }): string {
  const [name, ...more] = characters
  if (name === undefined) return seatTitle(seat)
  return more.length ? t('seat_plays', { name, n: more.length }) : name
}

type Part = { characters?: { name: string; controller?: string; hidden?: boolean }[] }

/** The characters of a seat that everybody may see, as far as a game's view, or a part of it, lists `characters`. */
export function charactersOf(seat: string, view: unknown): string[] {
  const parts = [view, ...Object.values(view ?? {})] as (Part | null)[]
  const all = parts.flatMap((part) => (Array.isArray(part?.characters) ? part.characters : []))
  return [...new Set(all.filter(({ controller, hidden }) => controller === seat && !hidden).map(({ name }) => name))]
}
