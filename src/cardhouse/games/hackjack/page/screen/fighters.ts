/** Fighters on the table screen. */
import type { TableContext } from '$page/client/context.svelte.ts'
import type { BenchPerson } from '$page/table/screen/bench.ts'
import type { PortraitState } from '$page/art/portraits.ts'
import { percent } from '$page/i18n/text.ts'
import { chanceToDie, chanceToFell, fighterOf, fightOf, stateOf, type Fighter } from '../hackjack.svelte.ts'

/** The events of a hit that name who was hit. */
const HITS = ['hurt', 'goes_down', 'draws', 'no_card', 'killed_outright', 'dies', 'exactly']
/** The most pictures of wounds. */
const MOST = 4

export const faceOf = (fighter: Fighter | undefined): PortraitState =>
  !fighter ? 'up' : !fighter.alive ? 'dead' : fighter.down ? 'down' : 'up'

/** Whether a fighter is alive and can do nothing, which is said instead of anything else. */
export const isOut = (fighter: Fighter): boolean => ['unconscious', 'helpless'].includes(stateOf(fighter))

/** Return the name of whoever the latest move hit; empty if none did. */
export function justHit(table: TableContext): string {
  const latest = table.story.findLast((entry) => !entry.undone && !entry.undo && entry.events.length)
  const hit = latest?.events.findLast(({ key }) => HITS.includes(key))
  return typeof hit?.name === 'string' ? hit.name : (fightOf(table).hitting ?? '')
}

/**
 * Return what the next hit may do to a fighter, with its chance; undefined without odds. A blow that must be rolled
 * hits with the chance `hits`.
 */
export function oddsOf(table: TableContext, fighter: Fighter, hits = 1): string | undefined {
  if (!table.client.seesOdds || !fighter.alive) return undefined
  const rolled = /^d\d/.test(String(table.client.table!.options.strikes))
  const chance = rolled ? chanceToFell(table, fighter) : fighter.down ? chanceToDie(table, fighter) : null
  return chance === null || !(hits * chance)
    ? undefined
    : table.word(fighter.down ? 'desk_dies' : 'desk_falls', { chance: percent(hits * chance) })
}

/** Return a fighter as shown on a bench: HP while up, the death-score while down. */
export function personOf(table: TableContext, fighter: Fighter, hits?: number): BenchPerson {
  const { limit } = fightOf(table)
  const { name, alive, down, hp, max_hp, death_score, blood } = fighter
  const low = down || !alive
  const odds = oddsOf(table, fighter, hits)
  const asked = table.asks.key === 'declare' ? (table.asks.with.names as string[]).includes(name) : false
  return {
    name,
    state: faceOf(fighter),
    number: low ? death_score : hp,
    of: low ? table.word('of_limit', { limit }) : table.word('of_hp', { max: max_hp }),
    ...(low ? {} : { unit: table.word('vitals_hp') }),
    status: table.word(`state_${stateOf(fighter)}`),
    wounds: alive && !isOut(fighter) ? fighter.wounds.map(({ card }) => card).slice(-MOST) : [],
    bar: low ? Math.min(1, death_score / limit) : Math.max(0, hp / max_hp),
    harm: low,
    ...(odds ? { odds } : {}),
    bleeds: alive && blood > 0 && !down,
    spent: !alive,
    hit: justHit(table) === name,
    acts: asked || table.asks.with.name === name,
    rank: justHit(table) === name ? -1 : alive ? (down ? 1 : 2) : 9,
  }
}

/** Return the card of the last hit, with the fighter that it hit. */
export function lastHitOf(table: TableContext) {
  const hit = fightOf(table).last_hit
  const card = hit?.cards.at(-1)
  return hit && card
    ? { card, name: hit.name, state: faceOf(fighterOf(table, hit.name)), rule: 'HJ-18', pack: 'wounds' }
    : null
}

/** Return how many people are on a bench, and how many of them are down. */
export function noteOf(table: TableContext, fighters: readonly Fighter[]): string {
  const down = fighters.filter((one) => one.alive && one.down).length
  const dead = fighters.filter((one) => !one.alive).length
  return [
    String(fighters.length),
    ...(down ? [table.word('screen_down', { n: down })] : []),
    ...(dead ? [table.word('screen_dead', { n: dead })] : []),
  ].join(', ')
}

/** Return a wound's first sentences, as many as fit a number of characters. */
export function firstSentences(text: string, most: number): string {
  const end = text.lastIndexOf('.', most - 1)
  return text.slice(0, end + 1)
}
