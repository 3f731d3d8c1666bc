import { lookUp } from '$page/lib/lookUp.ts'
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

/** A character as in a roster. */
export type RosterSheet = Required<Sheet>

/** How a character from the roster joins the game that the fight is part of. */
export interface Joining {
  /** The card they join with. */
  readonly card: string | null
  /** The fields of the answer that adds them. */
  readonly answer: Answer
  /** Called when this answer has added a character. */
  next(answer: Answer): void
}

/** Return the fight, at a table of Hackjack or of a game that it is part of. */
export function fightOf(table: Pick<TableContext, 'view'>): HackjackView {
  const view = table.view as HackjackView | { fight: HackjackView }
  return 'fight' in view ? view.fight : view
}

/** Return whether the fight is part of another game, as its `fight`. */
const isPart = (view: object) => 'fight' in view

/** Return the odds of the fight by name, if the seat may see them; also for a fight that is part of another game. */
export function fightOddsOf(table: TableContext): Record<string, FighterOdds> {
  const odds = table.client.odds as Record<string, FighterOdds> | { fight: Record<string, FighterOdds> } | null
  if (!odds) return {}
  return isPart(table.client.doc!.view as object)
    ? (odds as { fight: Record<string, FighterOdds> }).fight
    : (odds as Record<string, FighterOdds>)
}

/** Return the chance that the next hit kills, given the character's declaration; null without odds. */
export function chanceToDie(table: TableContext, fighter: Fighter): number | null {
  const odds = lookUp(fightOddsOf(table), fighter.name)
  return odds ? odds[fighter.preventing ? 'preventing' : 'not_preventing'].dies : null
}

/** What a game around the fight adds to a strike: the chance to hit, if it is rolled, targets best first, and states. */
export interface Aim {
  hits?: number
  order?: string[]
  state?: (name: string) => string
}

/** Return the chance that a strike that hits drops a character who is up, or kills one who is down; null without odds. */
export function chanceToFell(table: TableContext, fighter: Fighter): number | null {
  const { strikes, draw_at_zero } = table.client.table!.options
  const sides = Number(String(strikes).slice(1))
  if (!fighter.down) return Math.max(0, sides - fighter.hp + Number(Boolean(draw_at_zero))) / sides
  const odds = lookUp(fightOddsOf(table), fighter.name)
  if (!odds) return null
  const declared = fighter.preventing ? 'preventing' : 'not_preventing'
  const listed = Object.keys(odds.massive).map(Number)
  const kills = (damage: number) =>
    damage > Math.max(...listed) && listed.length ? 1 : (odds.massive[damage] ?? odds)[declared].dies
  return Array.from({ length: sides }, (_, face) => kills(face + 1)).reduce((sum, dies) => sum + dies, 0) / sides
}

/** Return the character with this name. */
export function fighterOf(table: TableContext, name: string | null): Fighter | undefined {
  return fightOf(table).characters.find((fighter) => fighter.name === name)
}

/** Return what a card adds to the death-score (HJ-2); 0 for a joker (HJ-29). */
export const worth = (card: string): number => CARD_VALUES[suitAndRank(card)?.rank ?? ''] ?? 0

/** Return the rule behind a wound. */
export const ruleOf = (wound: Wound): string => WOUND_RULES[wound.special ?? 'plain']!

/** Return whether a wound has no effect of its own: it only causes others, and never has to end. */
export const leavesNothing = ({ special }: Wound): boolean => ['choose', 'both', 'again'].includes(special ?? '')

/** Return whether a character is in trouble: down, bleeding or poisoned, or dead and not yet cleared. */
export function isInTrouble(fighter: Fighter): boolean {
  const cards = fighter.pile.length + fighter.beside.length
  return fighter.alive ? fighter.down || fighter.death_score + fighter.blood > 0 : cards > 0
}

/** Return a character's state, as the end of a key of the game's words. */
export function stateOf(fighter: Fighter): string {
  if (!fighter.alive) return 'dead'
  if (fighter.unconscious) return 'unconscious'
  if (fighter.idle === 'helpless') return 'helpless'
  if (fighter.blood && fighter.preventing) return 'holding'
  if (fighter.down) return 'down'
  if (fighter.blood) return 'bleeding'
  return fighter.hp < fighter.max_hp ? 'hurt' : 'unhurt'
}

/** Return the state in words, followed by further texts. */
export function stateLine(table: TableContext, fighter: Fighter, ...more: string[]): string {
  const state = stateOf(fighter)
  const down = fighter.alive && fighter.down && state !== 'down' ? [table.word('state_down')] : []
  return [...down, table.word(`state_${state}`), ...more].filter(Boolean).join(' · ')
}

/** Return the character's player, if worth mentioning: another player, whose name differs from the character's. */
export function playerOf(table: TableContext, { name, controller }: Fighter): string {
  const player = table.seatName(controller)
  return controller === 'gm' || controller === table.client.you || player === name ? '' : player
}

/** Return its wounds with an open check (HJ-31), each card once. */
export function openChecks(fighter: Fighter): string[] {
  if (!fighter.alive) return []
  return [...new Set(fighter.wounds.filter((wound) => wound.check === 'open').map((wound) => wound.card))]
}

/** Return a change with its sign, using the true minus. */
export const signed = (by: number): string => (by < 0 ? `\u2212${-by}` : `+${by}`)

/** Return several changes to one number in words: halving first, then the sum. */
export function summed(table: TableContext, changes: ChangeView[]): string {
  const sum = changes.reduce((total, { change }) => total + (change === 'half' ? 0 : change), 0)
  const halved = changes.some(({ change }) => change === 'half') ? [table.word('halved')] : []
  return [...halved, ...(sum ? [signed(sum)] : [])].join(' ')
}

const ABILITIES = 6

/** Return the total effect of its wounds on each of its numbers. */
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

/** Return the changed ability scores, grouped by equal changes. */
function lowered(table: TableContext, fighter: Fighter): string[] {
  const changed = fighter.scores.filter((score) => score.because.length)
  const amounts = [...new Set(changed.map((score) => summed(table, score.because)))]
  return amounts.map((much) => {
    const alike = changed.filter((score) => summed(table, score.because) === much)
    const which = alike.length === ABILITIES ? table.word('all_scores') : alike.map((score) => score.ability).join(' ')
    return `${which} ${much}`
  })
}

/** Return its other conditions, in words. */
export function conditions(table: TableContext, fighter: Fighter): string[] {
  return fighter.conditions
    .filter((condition) => condition !== 'unconscious' && condition !== fighter.idle)
    .map((condition) => table.valueName('conditions', condition))
}

/** Return how the last hit ended, if it was decisive: death, or exactly 21 (HJ-6). */
export function lastOutcome(table: TableContext, name: string): 'dies' | 'exactly' | null {
  const events = table.client.story.filter((entry) => !entry.undone).flatMap((entry) => entry.events)
  const last = events.findLast(({ key }) => ['dies', 'exactly', 'draws', 'goes_down', 'hurt'].includes(key))
  const decides = (last?.key === 'dies' || last?.key === 'exactly') && last.name === name
  return decides ? (last.key as 'dies' | 'exactly') : null
}

/** Return the cards of the last hit that its player avoided by choosing the other (HJ-22). */
export function sparedOf(table: TableContext, cards: string[]): string[] {
  const events = table.client.story.filter((entry) => !entry.undone).flatMap((entry) => entry.events)
  return events
    .filter((event) => event.key === 'chooses' && cards.includes(event.card as string))
    .map((event) => event.other as string)
    .filter((card) => cards.includes(card))
}

/** The actions that help a character and need no choice other than the wound. */
export const MENDINGS = ['check', 'exert', 'face', 'wake', 'recover', 'clear_dead']

/** Return those of these offers that would help this character. */
export function mendings(offers: Offer[], name: string): Offer[] {
  return MENDINGS.map((action) => offerAbout(offers, action, name)).filter((offer) => offer !== undefined)
}

/** Return the wounds and marks of a character that the game master may remove (HJ-18). */
export function curable(offers: Offer[], name: string): string[] {
  return valuesOf(offerAbout(offers, 'cure', name)?.fields.card) as string[]
}

/** Return this seat's characters that are down or, if none is alive, the dead ones. */
export function fallenOf(table: TableContext): Fighter[] {
  if (table.client.isGm) return []
  const own = fightOf(table).characters.filter(({ controller }) => controller === table.client.you)
  const alive = own.filter((fighter) => fighter.alive)
  return alive.length ? alive.filter((fighter) => fighter.down) : own
}

/** The actions offered outside the list of choices. */
export const ASKED = ['prevent', 'choose_wound', 'check', 'strike']

/** The game master's actions with a number, and a night's rest. */
export const PADS = ['damage', 'heal', 'drain', 'rest'] as const
export type Pad = (typeof PADS)[number]
