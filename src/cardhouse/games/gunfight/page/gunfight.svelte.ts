import { lookUp } from '$page/lib/lookUp.ts'
import type { TableContext } from '$page/client/context.svelte.ts'
import type { StoryEvent } from '$page/api/protocol.ts'
import { percent } from '$page/i18n/text.ts'
import type { Chances, Table } from '$contract'
import type { GunfightOdds } from './wire.ts'
import type { GoneView, InitiativeCharacterView } from '../../initiative/page/wire.ts'
import {
  fighterOf,
  fightOddsOf,
  fightOf,
  stateOf as conditionOf,
  type Fighter,
} from '../../hackjack/page/hackjack.svelte.ts'
import { chances as chancesOfActing, holder, stateOf, viewOf } from '../../initiative/page/initiative.svelte.ts'

/** A character in the roster: with a card while alive, and with the removed entry afterwards. */
export interface Person {
  name: string
  side: string | null
  fighter: Fighter
  character?: InitiativeCharacterView
  gone?: GoneView
}

/** All characters in the fight, the dead last. */
export function people(table: TableContext): Person[] {
  const { characters, gone } = viewOf(table)
  const living = characters.map((character) => ({
    name: character.name,
    side: character.side,
    fighter: fighterOf(table, character.name)!,
    character,
  }))
  const dead = fightOf(table).characters.filter((fighter) => !fighter.alive)
  return [
    ...living,
    ...dead.map((fighter) => {
      const fell = gone.findLast(({ name }) => name === fighter.name)
      return {
        name: fighter.name,
        side: fell?.side ?? null,
        fighter,
        ...(fell ? { gone: fell } : {}),
      }
    }),
  ]
}

/** Conditions that matter to a turn; the others show in numbers. */
const OF_A_TURN = ['holding', 'unconscious', 'helpless']

/** A character's state in this round, and what prevents it from acting, in words. */
export function turnOf(table: TableContext, { character, fighter }: Person): string {
  if (!character) return table.word('state_dead')
  const condition = conditionOf(fighter)
  const keeps = OF_A_TURN.includes(condition) ? [table.word(`state_${condition}`)] : []
  const down = fighter.down ? [table.word('state_down')] : []
  return [...down, table.word(`is_${stateOf(character, table.client.doc!.asks)}`), ...keeps].join(' · ')
}

/** The chance that the next hit kills a character, as declared; empty if it is 0 or unknown. */
export function chanceOfDeath(table: TableContext, { name, preventing }: Fighter): string {
  const dies = lookUp(fightOddsOf(table), name)?.[preventing ? 'preventing' : 'not_preventing'].dies
  return dies ? percent(dies) : ''
}

/** The characters that were removed from the fight alive. */
export function fled(table: TableContext): GoneView[] {
  return viewOf(table).gone.filter(({ name }) => !fighterOf(table, name))
}

/** The character who is up and prevents blood loss, and so may only walk or defend (HJ-10). */
export function upAndHolding(table: TableContext): Fighter | undefined {
  const order = viewOf(table)
  const fighter = fighterOf(table, holder(order, order.acting ?? order.drawn)?.name ?? null)
  return fighter?.blood && fighter.preventing ? fighter : undefined
}

/** The turns that just passed without an action (GF-3). */
export function passed(table: TableContext): StoryEvent[] {
  const last = table.client.story.findLast((entry) => !entry.undone && !entry.undo)
  return last?.events.filter(({ rule }) => rule === 'GF-3') ?? []
}

/** The chances of acting and waiting; on a turn whose shots the table doesn't roll, the first few of the targets. */
export function chances(table: Table): Chances | null {
  const { aim } = (table.odds ?? {}) as Partial<GunfightOdds>
  if (!aim || table.asks.key !== 'turn') return chancesOfActing(table)
  const targets = aim.slice(0, MOST_TARGETS).map(({ name, dies }) => {
    return dies === undefined ? name : table.say(table.word('aim_dies'), { name, chance: percent(dies) })
  })
  return {
    of: () => [],
    note: `${table.say(table.word('aim'), { targets: targets.join(table.word('aim_then')) })} ${table.word('aim_note')}`,
  }
}
const MOST_TARGETS = 3

/** The number of cards left in one of the two decks. */
export function left(table: Pick<TableContext, 'view'>, deck: string): number {
  return (deck === 'wounds' ? fightOf(table) : viewOf(table)).deck_left
}
