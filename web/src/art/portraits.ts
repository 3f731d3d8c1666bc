/** How portraits are asked for; what they are drawn of is fetched when the first is to be seen (people.ts). */
import { symbols } from './drawings.ts'
import { whenNeeded } from '../lib/lazy.svelte.ts'

export type Humans = 'west' | 'crypt' | 'faith'
/** How people look at a table: some play as dogs. */
export type People = Humans | 'hounds'

/** Standing, lying on the ground, dead, or somebody of whom nothing may be seen. */
export type PortraitState = 'up' | 'down' | 'dead' | 'hidden'

/** The meaning of the badge in a portrait's corner. */
export type Badge = 'bot' | 'away' | 'down' | 'dead'

const drawnPeople = whenNeeded(() => import('./people.ts'))

export const drawnHounds = whenNeeded(() => import('./hounds.ts'))
const drawnMonsters = whenNeeded(async () => symbols((await import('$drawings/monsters.svg?raw')).default))

/**
 * A portrait as the SVG inside a view box of 100 by 100; empty until what it is drawn of is here. `face` is its number
 * among those of the name.
 */
export function portraitOf(name: string, people: People, state: PortraitState, face = 0): string {
  if (people === 'hounds')
    return drawnHounds()?.dogPortrait(face ? `${name} ${face}` : name, state, 'var(--of-seat, #c9352b)') ?? ''
  const drawn = drawnPeople()
  const kind = state === 'hidden' ? undefined : drawn?.monsterIn(name, people, face)
  if (!drawn || !kind) return drawn?.portrait(name, people, state, face) ?? ''
  const monsters = drawnMonsters()
  return monsters ? drawn.monster(kind, state, monsters) : ''
}

/** A sign for a portrait's corner, in a view box of 20 by 20. */
export const badgeOf = (badge: Badge): string => drawnPeople()?.badge(badge) ?? ''
