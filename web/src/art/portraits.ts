/** Portraits on demand: the drawings are fetched when the first is shown (people.ts). */
import { symbols } from './drawings.ts'
import { lazy } from '../lib/lazy.svelte.ts'

export type Humans = 'west' | 'crypt' | 'faith'
/** The style of a table's portraits; some games draw players as dogs. */
export type People = Humans | 'hounds'

/** Upright, lying on the ground, dead, or fully hidden. */
export type PortraitState = 'up' | 'down' | 'dead' | 'hidden'

/** The look on a face: its own, or one for a moment. */
export type Mood = '' | 'stern'

/** The meaning of the badge in a portrait's corner. */
export type Badge = 'bot' | 'away' | 'down' | 'dead'

const MOODS = { stern: { brow: 'stern', mouth: 'grim' } }

const drawnPeople = lazy(() => import('./people.ts'))

export const drawnHounds = lazy(() => import('./hounds.ts'))
const drawnMonsters = lazy(async () => symbols((await import('$drawings/monsters.svg?raw')).default))

/**
 * Return a portrait as SVG content for a view box of 100 by 100; empty until the drawings are loaded. `face` is its
 * number among the name's portraits.
 */
export function portraitOf(name: string, people: People, state: PortraitState, face = 0, mood: Mood = ''): string {
  if (people === 'hounds')
    return drawnHounds()?.dogPortrait(face ? `${name} ${face}` : name, state, 'var(--of-seat, #c9352b)') ?? ''
  const drawn = drawnPeople()
  const kind = state === 'hidden' ? undefined : drawn?.monsterIn(name, people, face)
  if (!drawn || !kind) return drawn?.portrait(name, people, state, face, mood ? MOODS[mood] : {}) ?? ''
  const monsters = drawnMonsters()
  return monsters ? drawn.monster(kind, state, monsters) : ''
}

/** Return a badge for a portrait's corner, for a view box of 20 by 20. */
export const badgeOf = (badge: Badge): string => drawnPeople()?.badge(badge) ?? ''
