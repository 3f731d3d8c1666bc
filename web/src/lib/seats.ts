import { t } from '../i18n/index.ts'
import type { Seat } from '../api/protocol.ts'

/** The seat of the table screen, which cannot act. */
export const SCREEN = 'screen'

/** Return a seat's default name. */
export function seatTitle(seat: string): string {
  if (seat === 'gm') return t('game_master')
  if (seat === SCREEN) return t('the_screen')
  const number = /^p(\d+)$/.exec(seat)
  return number ? t('seat_n', { n: Number(number[1]) }) : seat
}

/** Return whether a player is connected or away, a bot plays the seat, or it is free. */
export const seatState = ({ seat, name, here, bot }: Seat) =>
  bot ? 'bot' : here ? 'here' : name || seat === 'gm' ? 'away' : 'free'

/** Return a seat's name by its characters, or its default name. */
export function seatLabel({ seat, characters = [] }: { seat: string; characters?: string[] }): string {
  const [name, ...more] = characters
  if (name === undefined) return seatTitle(seat)
  return more.length ? t('seat_plays', { name, n: more.length }) : name
}

type Character = { name: string; controller?: string; hidden?: boolean; alive?: boolean }
type Part = { characters?: Character[] }

/** Return a seat's visible characters, from any list `characters` in a game's view or one of its parts. */
function visibleOf(seat: string, view: unknown): Character[] {
  const parts = [view, ...Object.values(view ?? {})] as (Part | null)[]
  const all = parts.flatMap((part) => (Array.isArray(part?.characters) ? part.characters : []))
  return all.filter(({ controller, hidden }) => controller === seat && !hidden)
}

/** Return the names of a seat's visible characters. */
export const charactersOf = (seat: string, view: unknown): string[] => [
  ...new Set(visibleOf(seat, view).map(({ name }) => name)),
]

/** Return the names of a seat's visible living characters, in games in which characters die. */
export const livingOf = (seat: string, view: unknown): string[] =>
  visibleOf(seat, view).flatMap(({ name, alive }) => (alive ? [name] : []))

/** Return whether all of a seat's characters are dead. */
export function isDead(seat: string, view: unknown): boolean {
  const lives = visibleOf(seat, view).filter(({ alive }) => alive !== undefined)
  return lives.length > 0 && lives.every(({ alive }) => !alive)
}
