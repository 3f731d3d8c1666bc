import { isAsked, valuesOf, type TableContext } from '$page/client/context.svelte.ts'
import type { Offer, StoryEvent } from '$page/api/protocol.ts'
import { percent } from '$page/i18n/text.ts'
import type { ConflictChoices, ConflictOdds, ConflictView, ParticipantView, RaiseView } from './wire.ts'
import { arenaStats, factsOf, PILES, STATS, townOf, underWay, type Fallout, type Stat } from './sheets.ts'

/** The conflict, also once it is decided. */
export const conflictOf = (table: TableContext): ConflictView | null => townOf(table).conflict

/** Somebody in the conflict, also once it is decided. */
export const partOf = (table: TableContext, name: string): ParticipantView | undefined =>
  conflictOf(table)?.participants.find((one) => one.name === name)

/** What a card is worth (DV-8); turned sideways, half of it, rounded down (DV-21). */
export function worth(table: TableContext, card: string, sideways = false): number {
  const whole = (table.game.facts.worth as Record<string, number>)[card] ?? 0
  return sideways ? Math.floor(whole / 2) : whole
}

/** What cards are worth together, one of them perhaps turned sideways. */
export const sumOf = (table: TableContext, cards: string[], sideways: string | null = null): number =>
  cards.reduce((sum, card) => sum + worth(table, card, card === sideways), 0)

/** What help adds (DV-21). */
export const helpOf = (table: TableContext, helps: { card: string }[]): number =>
  helps.reduce((sum, { card }) => sum + worth(table, card, true), 0)

/** The fallout pile of an arena: its own, or the one that the game master named (DV-9). */
export const pileOf = (arena: string): Fallout => PILES.find((pile) => arena.endsWith(pile)) ?? 'talking'

/** The Stats that an arena draws: of one of the four, or those that the game master named (DV-9). */
export function statsOf(table: TableContext, arena: string): Stat[] {
  const known = PILES.find((pile) => pile === arena)
  return known ? factsOf(table).arenas[known] : STATS.filter((stat) => arena.split('/')[0]!.split('+').includes(stat))
}

/** What an arena is called. */
export const arenaName = (table: TableContext, arena: string): string =>
  PILES.some((pile) => pile === arena) ? table.valueName('arena', arena) : arenaStats(table, statsOf(table, arena))

/** The cards that somebody holds, the best first; null where they are hidden. */
export function handOf(table: TableContext, name: string): string[] | null {
  const hand = conflictOf(table)?.hands[name]
  return Array.isArray(hand) ? hand : null
}

/** A long hand in as few rows as there must be with so many cards at most, each about as long. */
export function inRows<T>(cards: T[], most: number): T[][] {
  const number = Math.ceil(cards.length / most) || 1
  const size = Math.ceil(cards.length / number)
  return Array.from({ length: number }, (_, row) => cards.slice(row * size, (row + 1) * size))
}

/** Who is to Raise or See now; null while cards are being drawn, or nothing is at stake. */
export function askedOf(table: TableContext): string | null {
  const { key, with: about } = table.client.doc!.asks
  return (key === 'raise' || key === 'see') && underWay(table) ? String(about.name) : null
}

// What the story tells.

/** Everything that stands in the story, oldest first. */
export const told = (table: TableContext): StoryEvent[] =>
  table.client.story.filter((entry) => !entry.undone).flatMap((entry) => entry.events)

const SETTLED = [
  ...['opens', 'raises', 'raises_sideways', 'blocks', 'reverses', 'takes_blow', 'takes_it'],
  ...['gives', 'must_give_raise', 'must_give_see', 'wins'],
]
const DRAWN = [
  ...['draws_for', 'draws_stat', 'draws_line', 'draws_members', 'draws_more', 'draws_hidden', 'draws_for_hidden'],
  ...['draws_nothing', 'no_line_left'],
]

/** What has just been drawn for the Raise or See to come: all that one answer led to. */
export function drawnNow(table: TableContext): StoryEvent[] {
  const entries = table.client.story.filter((entry) => !entry.undone)
  const last = entries.findLast(({ events }) => events.some(({ key }) => SETTLED.includes(key) || DRAWN.includes(key)))
  const events = last?.events ?? []
  if (isOpening(table)) return []
  return events.some(({ key }) => SETTLED.includes(key)) ? [] : events.filter(({ key }) => DRAWN.includes(key))
}

/** Whether everybody has only drawn what they begin with; from a deck of paper each card comes by itself. */
function isOpening(table: TableContext): boolean {
  const { participants = [], escalated = false, improvised = false } = conflictOf(table) ?? {}
  const begun = told(table).findLast(({ key }) => SETTLED.includes(key))?.key === 'opens'
  return begun && !escalated && !improvised && participants.every(({ used }) => !used.length)
}

/** How the last Raise was seen, by name. */
export function seenBy(table: TableContext): Record<string, StoryEvent> {
  const events = told(table)
  const last = events.findLastIndex(({ key }) => key === 'raises' || key === 'raises_sideways')
  const seeing = ['blocks', 'reverses', 'takes_blow', 'takes_it', 'gives', 'must_give_see']
  const since = last < 0 ? [] : events.slice(last + 1).filter(({ key }) => seeing.includes(key))
  return Object.fromEntries(since.map((event) => [String(event.name), event]))
}

/** What has been told since the conflict was decided. */
export function afterwards(table: TableContext): StoryEvent[] {
  const events = told(table)
  const last = events.findLastIndex(({ key }) => key === 'wins')
  return last < 0 ? [] : events.slice(last + 1)
}

// What comes of it.

/** What comes of each answer of somebody who is to act, where the table tells it. */
export function choicesOf(table: TableContext, name: string | null): ConflictChoices | undefined {
  const choices = (table.client.odds as ConflictOdds | null)?.choices
  return choices && choices.name === name && askedOf(table) === name ? choices : undefined
}

/** Cards as they are told there: by what they are worth, the best first. */
export const writtenWorth = (table: TableContext, cards: string[]): string =>
  cards
    .map((card) => worth(table, card))
    .sort((a, b) => b - a)
    .join('+')

/** The chance to win, in words; nothing if it isn't told. */
export function chanceToWin(table: TableContext, chance: number | undefined): string {
  if (chance === undefined) return ''
  if (chance < CERTAIN) return table.word('choice_loses')
  if (chance > 1 - CERTAIN) return table.word('choice_wins')
  return table.say(table.word('choice_chance'), { chance: percent(chance) })
}
const CERTAIN = 1e-9

// What is put together.

/** What the cards picked would do: nothing yet, too little by so much, or one of the ways to See (DV-17 to DV-19). */
export type Verdict =
  | { does: 'nothing' }
  | { does: 'low'; sum: number; missing: number }
  | { does: 'block' | 'reverse'; sum: number }
  | { does: 'blow'; sum: number; fallout: number; pile: Fallout }

/** What these cards would be as a See (DV-17 to DV-19, DV-21). */
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

/** A card that may be handed over for another's Raise or See. */
export interface Helping {
  name: string
  cards: string[]
  whom: string
}

/** What one seat is putting together: whose cards it holds now, and which it has picked. */
export class Hold {
  #picked = $state.raw<string[]>([])
  #sideways = $state<string | null>(null)
  arena = $state<string | null>(null)
  #spared = $state.raw<string[]>([])
  /** The game master answers for somebody who is away. */
  instead = $state(false)
  /** Whose help is being picked, where there is a choice. */
  helper = $state<string | null>(null)

  readonly table: TableContext

  constructor(table: TableContext) {
    this.table = table
  }

  /** What is asked, so that whatever was picked for something else is forgotten. */
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
    this.helper = null
  }

  get asked(): string | null {
    return askedOf(this.table)
  }

  #offers(word: string): Offer[] {
    return this.table.client.offers.filter((offer) => offer.do === word)
  }

  /** Whether this seat may answer for the one who is asked. */
  get may(): boolean {
    return this.asked !== null && this.#offers('give').length > 0
  }

  /** Whether it is this seat's own that is asked. */
  get mine(): boolean {
    return this.may && isAsked(this.table.client.doc!.asks, this.table.client.you)
  }

  /** The help that this seat may give; the game master's own, unless it stands in for others. */
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

  /** The help that is being picked now. */
  get help(): Helping | undefined {
    const chosen = this.helping.find(({ name }) => name === this.helper)
    return chosen ?? (this.mine || this.instead ? undefined : this.helping[0])
  }

  /** Whose cards lie before this seat. */
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

  /** Whether it owes a card turned sideways, for help it gave (DV-21). */
  get owes(): boolean {
    return this.mode !== 'help' && this.holder !== null && (partOf(this.table, this.holder)?.owes ?? 0) > 0
  }

  /** The card picked that lies sideways: the one chosen, or the one that loses least by it. */
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
    if (picked.includes(card)) this.#picked = picked.filter((other) => other !== card)
    else this.#picked = this.mode === 'see' ? [...picked, card] : [card]
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

  /** Whom a Raise is against: all on other sides, but for those who were left out (DV-16). */
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

  /** The arenas in which one may raise; the one entered last is the usual one. */
  get arenas(): string[] {
    return valuesOf(this.#offers('raise')[0]?.fields.arena) as string[]
  }
}

const holds = new WeakMap<TableContext, Hold>()

/** What is being put together at this table's page, the same for all its parts. */
export function holdOf(table: TableContext): Hold {
  const hold = holds.get(table) ?? new Hold(table)
  holds.set(table, hold)
  return hold
}
