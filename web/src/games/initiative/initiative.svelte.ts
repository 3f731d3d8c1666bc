import { suitAndRank } from '../../lib/cards.ts'
import type { TableContext } from '../../lib/context.svelte.ts'
import { TIERS, type CharacterView, type InitiativeView } from '../../lib/wire.ts'

/** A character's chances, as the server's odds tell them; those it can't tell are missing. */
export interface Odds {
  next?: number | null
  acts?: number | null
  turns_before?: number | null
}

/** The table as card initiative shows it. */
export const viewOf = (table: TableContext) => table.client.doc!.view as InitiativeView

/** The chances of each character still to come, by name. */
export const oddsOf = (table: TableContext) => (table.client.odds ?? {}) as Record<string, Odds>

/** Who a card stands for. */
export function holder(view: InitiativeView, card: string | null): CharacterView | undefined {
  return view.characters.find((character) => character.card === card)
}

/** How often a card acts in a round (IN-3). */
export const actionsOf = (card: string) => (suitAndRank(card)?.rank === 'A' ? 2 : 1)

/** What a character is doing, as a key of the game's own words. */
export function stateOf(character: CharacterView, asks: { key: string; with: Record<string, unknown> }): string {
  const { where, acted, card } = character
  if (where === 'drawn') return asks.with.name === character.name ? 'chooses' : 'drawn'
  if (where === 'deck') return acted ? 'again' : 'to_come'
  if (where === 'bottom') return 'again_last'
  if (where === 'discard') return acted >= actionsOf(card) ? 'acted' : 'lost'
  return where
}

/** A chance as a percentage that never says never, nor always, of what is neither. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.005) return '<1%'
  if (chance < 1 && chance >= 0.995) return '>99%'
  return `${Math.round(chance * 100)}%`
}

/** The characters by side, those on none last. */
export function bySide<T extends { side: string | null }>(characters: T[]): { side: string | null; members: T[] }[] {
  const sides = [...new Set(characters.map((character) => character.side))].sort(
    (a, b) => Number(a === null) - Number(b === null),
  )
  return sides.map((side) => ({ side, members: characters.filter((character) => character.side === side) }))
}

/** The cards that belong to a tier, the best first (IN-4). */
export function ofTier(cards: string[], tier: string): string[] {
  const ranks = TIERS[tier] ?? []
  return cards
    .filter((card) => ranks.includes(suitAndRank(card)?.rank ?? ''))
    .sort((a, b) => ranks.indexOf(suitAndRank(a)!.rank) - ranks.indexOf(suitAndRank(b)!.rank))
}
