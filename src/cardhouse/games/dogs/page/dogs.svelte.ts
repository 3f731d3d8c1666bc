import { lookUp } from '$page/lib/lookUp.ts'
import { mustAct, valuesOf, type TableContext } from '$page/client/context.svelte.ts'
import type { Offer, StoryEvent } from '$page/api/protocol.ts'
import { percent } from '$page/i18n/text.ts'
import type { ConflictChoices, ConflictOdds, ConflictView, ParticipantView, RaiseView } from './wire.ts'
import { arenaStats, factsOf, PILES, STATS, townOf, underWay, type Fallout, type Stat } from './sheets.ts'

/** The current conflict, or the one just decided. */
export const conflictOf = (table: TableContext): ConflictView | null => townOf(table).conflict

/** A participant in the current conflict, or in the one just decided. */
export const partOf = (table: TableContext, name: string): ParticipantView | undefined =>
  conflictOf(table)?.participants.find((one) => one.name === name)

/** A card's value (DV-8); half of it, rounded down, if sideways (DV-21). */
export function worth(table: TableContext, card: string, sideways = false): number {
  const whole = (table.game.facts.worth as Record<string, number>)[card] ?? 0
  return sideways ? Math.floor(whole / 2) : whole
}

/** The value of cards together; one may be sideways. */
export const sumOf = (table: TableContext, cards: string[], sideways: string | null = null): number =>
  cards.reduce((sum, card) => sum + worth(table, card, card === sideways), 0)

/** The value of help (DV-21). */
export const helpOf = (table: TableContext, helps: { card: string }[]): number =>
  helps.reduce((sum, { card }) => sum + worth(table, card, true), 0)

/** The fallout pile of an arena: its own, or the one that the game master named (DV-9). */
export const pileOf = (arena: string): Fallout => PILES.find((pile) => arena.endsWith(pile)) ?? 'talking'

/** The Stats that an arena draws: those of a standard arena, or the ones that the game master named (DV-9). */
export function statsOf(table: TableContext, arena: string): Stat[] {
  const known = PILES.find((pile) => pile === arena)
  return known ? factsOf(table).arenas[known] : STATS.filter((stat) => arena.split('/')[0]!.split('+').includes(stat))
}

/** The name of an arena. */
export const arenaName = (table: TableContext, arena: string): string =>
  PILES.some((pile) => pile === arena) ? table.valueName('arena', arena) : arenaStats(table, statsOf(table, arena))

/** A participant's cards, best first; null if hidden. */
export function handOf(table: TableContext, name: string): string[] | null {
  const hand = lookUp(conflictOf(table)?.hands, name)
  return Array.isArray(hand) ? hand : null
}

/** Splits a hand into as few rows as possible, with at most `most` cards each, of about equal length. */
export function inRows<T>(cards: T[], most: number): T[][] {
  const number = Math.ceil(cards.length / most) || 1
  const size = Math.ceil(cards.length / number)
  return Array.from({ length: number }, (_, row) => cards.slice(row * size, (row + 1) * size))
}

/** The participant to Raise or See now; null while cards are being drawn, or between conflicts. */
export function participantToAct(table: TableContext): string | null {
  const { key, with: about } = table.client.doc!.asks
  return (key === 'raise' || key === 'see') && underWay(table) ? String(about.name) : null
}

// The log.

/** All events in the log, oldest first, without undone ones. */
export const allEvents = (table: TableContext): StoryEvent[] =>
  table.client.story.filter((entry) => !entry.undone).flatMap((entry) => entry.events)

const OPENS = ['opens', 'opens_healing']
const ENDS = ['wins', 'healing_succeeds', 'healing_fails']
const SETTLED = [
  ...OPENS,
  ...ENDS,
  ...['raises', 'raises_sideways', 'blocks', 'reverses', 'takes_blow', 'takes_it'],
  ...['gives', 'must_give_raise', 'must_give_see'],
]
const DRAWN = [
  ...['draws_for', 'draws_stat', 'draws_line', 'draws_members', 'draws_more', 'draws_hidden', 'draws_for_hidden'],
  ...['draws_nothing', 'no_line_left'],
]

/** The draws for the next Raise or See: all those caused by one answer. */
export function drawnNow(table: TableContext): StoryEvent[] {
  const entries = table.client.story.filter((entry) => !entry.undone)
  const last = entries.findLast(({ events }) => events.some(({ key }) => SETTLED.includes(key) || DRAWN.includes(key)))
  const events = last?.events ?? []
  if (isOpening(table)) return []
  return events.some(({ key }) => SETTLED.includes(key)) ? [] : events.filter(({ key }) => DRAWN.includes(key))
}

/** Whether only opening hands were drawn so far; with a real deck, each card is an entry of its own. */
function isOpening(table: TableContext): boolean {
  const { participants = [], escalated = false, improvised = false } = conflictOf(table) ?? {}
  const begun =
    allEvents(table)
      .findLast(({ key }) => SETTLED.includes(key))
      ?.key.startsWith('opens') ?? false
  return begun && !escalated && !improvised && participants.every(({ used }) => !used.length)
}

/** The answers to the last Raise, the last of each character. */
export function answersToRaise(table: TableContext): StoryEvent[] {
  const events = allEvents(table)
  const last = events.findLastIndex(({ key }) => key === 'raises' || key === 'raises_sideways')
  const seeing = ['blocks', 'reverses', 'takes_blow', 'takes_it', 'gives', 'must_give_see']
  const since = last < 0 ? [] : events.slice(last + 1).filter(({ key }) => seeing.includes(key))
  return [...new Map(since.map((event) => [event.name, event])).values()]
}

/** With a real deck, the blows since the last Raise, whose fallout somebody must deal face down (DV-18). */
export function blowsToDeal(table: TableContext): StoryEvent[] {
  if (table.client.table?.decks.dogs !== 'physical') return []
  const past = allEvents(table).findLast(({ key }) =>
    ['raises', 'raises_sideways', 'turned_over', ...OPENS].includes(key),
  )
  return past?.key.startsWith('raises') ? answersToRaise(table).filter(({ key }) => key === 'takes_blow') : []
}

/** The events since the conflict was decided. */
export function eventsAfterwards(table: TableContext): StoryEvent[] {
  const events = allEvents(table)
  const last = events.findLastIndex(({ key }) => ENDS.includes(key))
  return last < 0 ? [] : events.slice(last + 1)
}

// The chances.

/** The chances of each answer of the participant to act, if the table shows them. */
export function choicesOf(table: TableContext, name: string | null): ConflictChoices | undefined {
  const choices = (table.client.odds as ConflictOdds | null)?.choices
  return choices && choices.name === name && participantToAct(table) === name ? choices : undefined
}

/** A key for cards in those chances: their values, best first. */
export const worthKey = (table: TableContext, cards: string[]): string =>
  cards
    .map((card) => worth(table, card))
    .sort((a, b) => b - a)
    .join('+')

/** The chance to win, in words; empty if unknown. */
export function chanceToWin(table: TableContext, chance: number | undefined): string {
  if (chance === undefined) return ''
  if (chance < CERTAIN) return table.word('choice_loses')
  if (chance > 1 - CERTAIN) return table.word('choice_wins')
  return table.say(table.word('choice_chance'), { chance: percent(chance) })
}
const CERTAIN = 1e-9

// Preparation.

/** The effect of the picked cards: none yet, too low, or one of the ways to See (DV-17 to DV-19). */
export type Verdict =
  | { does: 'nothing' }
  | { does: 'low'; sum: number; missing: number }
  | { does: 'block' | 'reverse'; sum: number }
  | { does: 'blow'; sum: number; fallout: number; pile: Fallout }

/** The effect of these cards as a See (DV-17 to DV-19, DV-21). */
export function seeWith(
  table: TableContext,
  cards: string[],
  { raise, helps, sideways }: { raise: RaiseView; helps: { card: string }[]; sideways: string | null },
): Verdict {
  if (!cards.length) return { does: 'nothing' }
  const own = sumOf(table, cards, sideways)
  const sum = own + helpOf(table, helps)
  if (sum < raise.value) return { does: 'low', sum, missing: raise.value - sum }
  if (cards.length > 1)
    return {
      does: 'blow',
      sum,
      fallout: cards.length,
      pile: pileOf(raise.arena),
    }
  return { does: own >= 2 * raise.value ? 'reverse' : 'block', sum }
}

/** A card that can be handed over for another participant's Raise or See. */
export interface Helping {
  name: string
  cards: string[]
  whom: string
}

/** One seat's preparation: the hand in front of it, and the cards picked. */
export class Hold {
  #picked = $state.raw<string[]>([])
  #sideways = $state<string | null>(null)
  arena = $state<string | null>(null)
  #spared = $state.raw<string[]>([])
  /** The game master answers for a player who is away. */
  instead = $state(false)
  /** The words of the Raise. */
  words = $state('')
  /** The chosen helper, if there are several. */
  helper = $state<string | null>(null)

  readonly table: TableContext

  constructor(table: TableContext) {
    this.table = table
  }

  /** A key of the current question; when it changes, picked cards are dropped. */
  get question(): string {
    const raise = conflictOf(this.table)?.raise
    return `${this.table.client.doc!.asks.key} ${this.asked} ${raise?.by} ${raise?.card} ${raise?.value}`
  }

  begin() {
    this.#picked = []
    this.#sideways = null
    this.arena = null
    this.#spared = []
    this.instead = false
    this.words = ''
    this.helper = null
  }

  get asked(): string | null {
    return participantToAct(this.table)
  }

  #offers(word: string): Offer[] {
    return this.table.client.offers.filter((offer) => offer.do === word)
  }

  /** Whether this seat may answer for the participant asked. */
  get may(): boolean {
    return this.asked !== null && this.#offers('give').length > 0
  }

  /** Whether the question is to this seat's own participant. */
  get mine(): boolean {
    return this.may && mustAct(this.table.client.doc!.asks, this.table.client.you)
  }

  /** The help that this seat may give; for the game master only its own, unless it answers for others. */
  get helping(): Helping[] {
    const { isGm, you } = this.table.client
    return this.#offers('help')
      .map(({ fields }) => ({
        name: String(valuesOf(fields.name)[0]),
        cards: valuesOf(fields.card) as string[],
        whom: String(valuesOf(fields.whom)[0]),
      }))
      .filter(({ name }) => !isGm || this.instead || partOf(this.table, name)?.controller === you)
  }

  get mode(): 'raise' | 'see' | 'help' | null {
    if (this.help) return 'help'
    if (this.may && (this.mine || this.instead)) return this.table.client.doc!.asks.key as 'raise' | 'see'
    return null
  }

  /** The help being picked now. */
  get help(): Helping | undefined {
    const chosen = this.helping.find(({ name }) => name === this.helper)
    return chosen ?? (this.mine || this.instead ? undefined : this.helping[0])
  }

  /** The participant whose cards are in front of this seat. */
  get holder(): string | null {
    if (this.help) return this.help.name
    if (this.asked && (this.mine || this.instead)) return this.asked
    const { you, isGm } = this.table.client
    if (isGm) return null
    const own = (underWay(this.table)?.participants ?? []).filter((one) => one.controller === you)
    return (own.find((one) => one.still_in) ?? own[0])?.name ?? null
  }

  get hand(): string[] {
    return this.holder === null ? [] : (handOf(this.table, this.holder) ?? [])
  }

  get picked(): string[] {
    return this.#picked.filter((card) => this.hand.includes(card))
  }

  /** Whether the participant owes a sideways card, for help given (DV-21). */
  get owes(): boolean {
    return this.mode !== 'help' && this.holder !== null && (partOf(this.table, this.holder)?.owes ?? 0) > 0
  }

  /** The picked card that is sideways: the chosen one, or the one that loses least by it. */
  get sideways(): string | null {
    if (!this.owes || !this.picked.length) return null
    if (this.#sideways && this.picked.includes(this.#sideways)) return this.#sideways
    return this.picked.reduce((least, card) => (worth(this.table, card) < worth(this.table, least) ? card : least))
  }

  set sideways(card: string | null) {
    this.#sideways = card
  }

  press(card: string) {
    const picked = this.picked
    const others = this.mode === 'see' ? picked : []
    const next = picked.includes(card) ? picked.filter((other) => other !== card) : [...others, card]
    const said = (key: string, cards: string[]) => cards.map((card) => this.table.say(this.table.word(key), { card }))
    const released = picked.filter((other) => !next.includes(other))
    const chosen = next.filter((other) => !picked.includes(other))
    this.table.announce([...said('card_released', released), ...said('card_chosen', chosen)].join(' '))
    this.#picked = next
  }

  get verdict(): Verdict {
    const conflict = conflictOf(this.table)
    if (this.mode !== 'see' || !conflict?.raise) return { does: 'nothing' }
    return seeWith(this.table, this.picked, {
      raise: conflict.raise,
      helps: conflict.helps,
      sideways: this.sideways,
    })
  }

  /** The opponents of a Raise: all on other sides (DV-16). `against` leaves out those spared. */
  get opponents(): string[] {
    return (this.#offers('raise')[0]?.fields.against?.items?.enum ??
      valuesOf(this.#offers('raise')[0]?.fields.against?.items)) as string[]
  }

  get against(): string[] {
    return this.opponents.filter((name) => !this.#spared.includes(name))
  }

  spare(name: string) {
    this.#spared = this.#spared.includes(name) ? this.#spared.filter((one) => one !== name) : [...this.#spared, name]
  }

  /** The arenas in which a Raise is possible; the one entered last is the default. */
  get arenas(): string[] {
    return valuesOf(this.#offers('raise')[0]?.fields.arena) as string[]
  }
}

const holds = new WeakMap<TableContext, Hold>()

/** The preparation at this table, shared by all components. */
export function holdOf(table: TableContext): Hold {
  const hold = holds.get(table) ?? new Hold(table)
  holds.set(table, hold)
  return hold
}
