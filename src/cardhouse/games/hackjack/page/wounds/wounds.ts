/** The wounds, and the pictures on their cards, loaded on first use. */
import type { GameContext } from '$page/client/context.svelte.ts'
import { symbols } from '$page/art/drawings.ts'
import { lazy } from '$page/lib/lazy.svelte.ts'
import type { Wound } from '../wire.ts'

/** Return the wounds by card: the standard ones, with those that this table has rewritten (HJ-30). */
export function wounds(table: GameContext): Record<string, Wound> {
  return {
    ...(table.game.facts.wounds as Record<string, Wound>),
    ...(table.options.wounds as Record<string, Wound> | undefined),
  }
}

const BLOOD = '#c5342a'
const BONE = '#efe3ca'

const drawn = lazy(async () => symbols((await import('./wounds.svg?raw')).default))

/**
 * Return the picture of a card's wound as SVG in a box of 512 by 512: in blood, and in bone slightly above it. Empty
 * until loaded.
 */
export function drawnWound(card: string): string {
  const { [`${card}-under`]: under = '', [card]: shape, [`${card}-over`]: over = '' } = drawn() ?? {}
  if (!shape) return ''
  return `${under}<g transform="translate(22 17)" color="${BLOOD}">${shape}</g><g color="${BONE}">${shape}</g>${over}`
}

/** Return the picture at a table: empty if it has rewritten the wound (HJ-30). */
export function pictureOfWound(table: GameContext, card: string): string {
  const usual = (table.game.facts.wounds as Record<string, Wound>)[card]
  return usual && wounds(table)[card]?.name === usual.name ? drawnWound(card) : ''
}
