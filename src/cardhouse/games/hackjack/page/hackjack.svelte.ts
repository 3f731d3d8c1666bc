import { suitAndRank } from '$page/lib/cards.ts'
import { offerAbout, valuesOf, type TableContext } from '$page/client/context.svelte.ts'
import type { Answer, Offer } from '$page/api/protocol.ts'
import {
  CARD_VALUES,
  WOUND_RULES,
  type ChangeView,
  type FighterOdds,
  type HackjackCharacterView,
  type HackjackView,
  type Sheet,
  type Wound,
} from './wire.ts'

export type Fighter = HackjackCharacterView

/** Somebody as a roster has them. */
export type RosterSheet = Required<Sheet>

/** How somebody from the roster joins what else is played at a table of which the fight is a part. */
export interface Joining {
  /** The card they come with. */
  readonly card: string | null
  /** These fields of the answer that brings them. */
  readonly answer: Answer
  /** Somebody has come by this answer. */
  next(answer: Answer): void
}

/** The fight, at a table of Hackjack or at one of which it is a part. */
export function fightOf(table: Pick<TableContext, 'view'>): HackjackView {
  const view = table.view as HackjackView | { fight: HackjackView }
  return 'fight' in view ? view.fight : view
}

/** Whether the fight is a part of another game, which has it as its `fight`. */
const isPart = (view: object) => 'fight' in view

/** The odds of the fight by name, for those who are told; of a table of which it is a part they are a part, too. */
export function fightOddsOf(table: TableContext): Record<string, FighterOdds> {
  const odds = table.client.odds as Record<string, FighterOdds> | { fight: Record<string, FighterOdds> } | null
  if (!odds) return {}
  return isPart(table.client.doc!.view as object)
    ? (odds as { fight: Record<string, FighterOdds> }).fight
    : (odds as Record<string, FighterOdds>)
}

/** The chance that the next hit kills, holding the wound or not as it has been said; null if it isn't told. */
export function chanceToDie(table: TableContext, fighter: Fighter): number | null {
  const odds = fightOddsOf(table)[fighter.name]
  return odds ? odds[fighter.preventing ? 'preventing' : 'not_preventing'].dies : null
}

/** Somebody of this name. */
export function fighterOf(table: TableContext, name: string | null): Fighter | undefined {
  return fightOf(table).characters.find((fighter) => fighter.name === name)
}

/** What a card adds to the death-score (HJ-2); a joker nothing (HJ-29). */
export const worth = (card: string): number => CARD_VALUES[suitAndRank(card)?.rank ?? ''] ?? 0

/** The rule that a wound is suffered by. */
export const ruleOf = (wound: Wound): string => WOUND_RULES[wound.special ?? 'plain']!

/** Whether a wound is nothing by itself: others are suffered by what it says, and none of it is ever to end. */
export const leavesNothing = ({ special }: Wound): boolean => ['choose', 'both', 'again'].includes(special ?? '')

/** Who lies on the table: down, bleeding or poisoned, or dead and not yet cleared. */
export function isInTrouble(fighter: Fighter): boolean {
  const cards = fighter.pile.length + fighter.beside.length
  return fighter.alive ? fighter.down || fighter.death_score + fighter.blood > 0 : cards > 0
}

/** How it is with somebody, as the end of a key of the game's own words. */
export function stateOf(fighter: Fighter): string {
  if (!fighter.alive) return 'dead'
  if (fighter.unconscious) return 'unconscious'
  if (fighter.idle === 'helpless') return 'helpless'
  if (fighter.blood && fighter.preventing) return 'holding'
  if (fighter.down) return 'down'
  if (fighter.blood) return 'bleeding'
  return fighter.hp < fighter.max_hp ? 'hurt' : 'unhurt'
}

/** The same in words, with whatever else is to be said in the same breath. */
export function stateLine(table: TableContext, fighter: Fighter, ...more: string[]): string {
  const state = stateOf(fighter)
  const down = fighter.alive && fighter.down && state !== 'down' ? [table.word('state_down')] : []
  return [...down, table.word(`state_${state}`), ...more].filter(Boolean).join(' · ')
}

/** Who plays somebody, where that is worth saying: nobody's own, and not named like the character. */
export function playerOf(table: TableContext, { name, controller }: Fighter): string {
  const player = table.seatName(controller)
  return controller === 'gm' || controller === table.client.you || player === name ? '' : player
}

/** Its wounds whose d20 has not been rolled yet (HJ-31), each card once. */
export function openChecks(fighter: Fighter): string[] {
  if (!fighter.alive) return []
  return [...new Set(fighter.wounds.filter((wound) => wound.check === 'open').map((wound) => wound.card))]
}

/** A change as it is written: with its sign, the true minus. */
export const signed = (by: number): string => (by < 0 ? `\u2212${-by}` : `+${by}`)

/** Several changes to one number, in words: halved first, then the sum. */
export function summed(table: TableContext, changes: ChangeView[]): string {
  const sum = changes.reduce((total, { change }) => total + (change === 'half' ? 0 : change), 0)
  const halved = changes.some(({ change }) => change === 'half') ? [table.word('halved')] : []
  return [...halved, ...(sum ? [signed(sum)] : [])].join(' ')
}

const ABILITIES = 6

/** All that its wounds do to its numbers, each summed up. */
export function penalties(table: TableContext, fighter: Fighter): string[] {
  const of = (key: string, changes: ChangeView[]) =>
    changes.length ? [`${table.word(key)} ${summed(table, changes)}`] : []
  return [
    ...of('all_rolls', fighter.rolls),
    ...of('to_hit', fighter.to_hit),
    ...of('to_hit_ranged', fighter.ranged),
    ...lowered(table, fighter),
  ]
}

/** The ability scores that are changed, those that are changed alike together. */
function lowered(table: TableContext, fighter: Fighter): string[] {
  const changed = fighter.scores.filter((score) => score.because.length)
  const amounts = [...new Set(changed.map((score) => summed(table, score.because)))]
  return amounts.map((much) => {
    const alike = changed.filter((score) => summed(table, score.because) === much)
    const which = alike.length === ABILITIES ? table.word('all_scores') : alike.map((score) => score.ability).join(' ')
    return `${which} ${much}`
  })
}

/** What else is the matter with it, in words. */
export function conditions(table: TableContext, fighter: Fighter): string[] {
  return fighter.conditions
    .filter((condition) => condition !== 'unconscious' && condition !== fighter.idle)
    .map((condition) => table.valueName('conditions', condition))
}

/** How the last hit ended, if it did in something that decides: in death, or on exactly 21 (HJ-6). */
export function lastOutcome(table: TableContext, name: string): 'dies' | 'exactly' | null {
  const told = table.client.story.filter((entry) => !entry.undone).flatMap((entry) => entry.events)
  const last = told.findLast(({ key }) => ['dies', 'exactly', 'draws', 'goes_down', 'hurt'].includes(key))
  const decides = (last?.key === 'dies' || last?.key === 'exactly') && last.name === name
  return decides ? (last.key as 'dies' | 'exactly') : null
}

/** Which of the cards of the last hit its player was spared by choosing the other (HJ-22). */
export function sparedOf(table: TableContext, cards: string[]): string[] {
  const told = table.client.story.filter((entry) => !entry.undone).flatMap((entry) => entry.events)
  return told
    .filter((event) => event.key === 'chooses' && cards.includes(event.card as string))
    .map((event) => event.other as string)
    .filter((card) => cards.includes(card))
}

/** What mends somebody, or its wounds ask for, and leaves nothing more to say than which wound it is about. */
export const MENDINGS = ['check', 'exert', 'face', 'wake', 'recover', 'clear_dead']

/** Those of these offers that would mend this one. */
export function mendings(offers: Offer[], name: string): Offer[] {
  return MENDINGS.map((action) => offerAbout(offers, action, name)).filter((offer) => offer !== undefined)
}

/** The wounds and marks of somebody that the game master may take away (HJ-18). */
export function curable(offers: Offer[], name: string): string[] {
  return valuesOf(offerAbout(offers, 'cure', name)?.fields.card) as string[]
}

/** Of those this seat plays, who is down, and, if nobody of theirs is alive any more, who is dead. */
export function fallenOf(table: TableContext): Fighter[] {
  if (table.client.isGm) return []
  const own = fightOf(table).characters.filter(({ controller }) => controller === table.client.you)
  const alive = own.filter((fighter) => fighter.alive)
  return alive.length ? alive.filter((fighter) => fighter.down) : own
}

/** What stands elsewhere than among the choices. */
export const ASKED = ['prevent', 'choose_wound', 'check']

/** What the game master does to people with a number, or a night's rest, as the words of the answers. */
export const PADS = ['damage', 'heal', 'drain', 'rest'] as const
export type Pad = (typeof PADS)[number]
