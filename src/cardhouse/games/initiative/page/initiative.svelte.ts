import { lookUp } from '$page/lib/lookUp.ts'
import { suitAndRank } from '$page/lib/cards.ts'
import type { Chances as Told, Table } from '$contract'
import type { TableContext } from '$page/client/context.svelte.ts'
import type { Answer } from '$page/api/protocol.ts'
import { percent } from '$page/i18n/text.ts'
import { TIERS, type InitiativeCharacterView as CharacterView, type InitiativeView, type TurnOdds } from './wire.ts'

type Chances = Record<string, TurnOdds>

/** The view of a game that contains the order. */
type Whole = { order: InitiativeView }

/** Whether the order is the whole game, rather than another game's `order`. */
const isWhole = (view: InitiativeView | Whole): view is InitiativeView => 'characters' in view
const shown = (table: Pick<TableContext, 'view'>) => table.view as InitiativeView | Whole

/** The view of card initiative. */
export function viewOf(table: Pick<TableContext, 'view'>): InitiativeView {
  const view = shown(table)
  return isWhole(view) ? view : view.order
}

/** The chances of each character still to come, by name. */
export function oddsOf(table: TableContext): Chances {
  return chancesIn(shown(table), table.client.odds)
}
function chancesIn(view: InitiativeView | Whole, odds: unknown): Chances {
  return (isWhole(view) ? (odds as Chances | null) : (odds as { order?: Chances } | null)?.order) ?? {}
}

/** The chances of acting and waiting for the character who may choose, if odds are shown. */
export function chances(table: Table): Told | null {
  const odds = chancesIn(table.view, table.odds)
  if (!Object.values(odds).some(({ choices }) => choices)) return null
  const of = ({ do: word, name }: Answer): string[] => {
    const byGoal = lookUp(odds, String(name))?.choices?.[word as 'act' | 'wait'] ?? {}
    const goals = ['before', 'after', 'last'] as const
    return goals.flatMap((goal) => {
      const chance = byGoal[goal]
      return chance === undefined ? [] : [table.say(table.word(`choice_${goal}`), { chance: percent(chance) })]
    })
  }
  return { of, note: table.word('choice_note') }
}

/** The chance that a strike hits (IN-22); null at a table that doesn't roll for it. */
export function hitChance(table: TableContext): number | null {
  const from = Number(table.client.table!.options.hit_from ?? 0)
  return from ? (HIT_DIE + 1 - from) / HIT_DIE : null
}
const HIT_DIE = 6

/** The character who holds a card. */
export function holder(view: InitiativeView, card: string | null): CharacterView | undefined {
  return view.characters.find((character) => character.card === card)
}

/** The number of times a card acts in a round (IN-3). */
export const actionsOf = (card: string) => (suitAndRank(card)?.rank === 'A' ? 2 : 1)

/** The present rank of a character's card (IN-3), as a key of the game's texts. */
export function worthOf({ card, acted }: CharacterView, { under_way }: InitiativeView): string {
  if (actionsOf(card) === 1) return 'worth'
  return acted && under_way ? 'worth_spent_ace' : 'worth_ace'
}

/** A character's state, as a key of the game's texts. */
export function stateOf(character: CharacterView, asks: { key: string; with: Record<string, unknown> }): string {
  const { where, acted, card } = character
  if (asks.with.name === character.name && (where === 'drawn' || where === 'waiting')) return 'chooses'
  if (where === 'deck') return acted ? 'again' : 'to_come'
  if (where === 'bottom') return 'again_last'
  if (where === 'discard') return acted >= actionsOf(card) ? 'acted' : 'lost'
  return where
}

/** The characters of this seat that lost an action to the black joker this round. */
export function losersOf(table: TableContext): CharacterView[] {
  const { characters } = viewOf(table)
  const { you, doc, isGm } = table.client
  if (isGm) return []
  return characters.filter((who) => who.controller === you && stateOf(who, doc!.asks) === 'lost')
}

/** Whether a character in this state is up: acting, or choosing. */
export const isUp = (state: string): boolean => state === 'acting' || state === 'chooses'

/** The characters by side, those without a side last. */
export function bySide<T extends { side: string | null }>(characters: T[]): { side: string | null; members: T[] }[] {
  const sides = [...new Set(characters.map((character) => character.side))].sort(
    (a, b) => Number(a === null) - Number(b === null),
  )
  return sides.map((side) => ({ side, members: characters.filter((character) => character.side === side) }))
}

/** The cards of a tier, best first (IN-4). */
export function ofTier(cards: string[], tier: string): string[] {
  const ranks = TIERS[tier] ?? []
  return cards
    .filter((card) => ranks.includes(suitAndRank(card)?.rank ?? ''))
    .sort((a, b) => ranks.indexOf(suitAndRank(a)!.rank) - ranks.indexOf(suitAndRank(b)!.rank))
}
