import { SCREEN, seatState } from '../lib/seats.ts'
import type { Answer, Doc, Editable, Entry, Offer, Seat, TableInfo, Thrown, UndoCount } from '../api/protocol.ts'
import { counts } from './context.svelte.ts'
import { withEntries } from './log.ts'

/** How long a reaction is shown, and the most shown at once. */
const THROWN_MS = 3200
const MOST_THROWN = 8

/** A table as one seat knows it: its facts, seats, document, offers and log. */
export class TableState {
  /** The number of the last entry. */
  n = $state(0)
  /** The seat. */
  you = $state('')
  table = $state.raw<TableInfo | null>(null)
  seats = $state.raw<Seat[]>([])
  /** When each player left, by the server's time, as far as this page saw it. */
  readonly awaySince = new Map<string, number>()
  doc = $state.raw<Doc | null>(null)
  #offers = $state.raw<Offer[]>([])
  /** All offers, including those open at any time; updated while someone watches them. */
  allOffers = $state.raw<Offer[]>([])
  /** The values open to overrides, as last requested; null before. */
  editable = $state.raw<Editable[] | null>(null)
  /** Whether this seat may undo the last answer. */
  mine = $state(false)
  /** The number of undone moves that this seat can redo at once. */
  redo = $state(0)
  /** The moves that an undo would take back, as last requested; null before. */
  undoCount = $state.raw<UndoCount | null>(null)
  /** The log, oldest entry first. */
  story = $state.raw<Entry[]>([])
  moreStory = $state(false)
  readonly isLesson: boolean = false
  /** In a lesson, the expected action: its control is highlighted, so it must be there. */
  get meant(): Answer | undefined {
    return undefined
  }
  /** The game's odds, for seats that may see them; otherwise null. */
  odds = $state.raw<unknown>(null)
  /** New links from the server, by seat. */
  links = $state.raw<Record<string, string>>({})
  /** The last change came from an action on this page. */
  answeredHere = false
  /** The latest reactions. */
  thrown = $state.raw<readonly Thrown[]>([])

  /** The server's message while it can't save. */
  trouble = $state<string | null>(null)
  /** Errors in the game's files, for the author who is editing them. */
  notice = $state<string | null>(null)
  #problem = $state.raw<{ text: string } | null>(null)

  /** The game or the table is over; a table that can't be played on doesn't count. */
  get isOver(): boolean {
    return Boolean(this.table?.ended) || (this.doc?.asks.kind === 'over' && !this.table?.read_only)
  }

  /** A problem not caused by one control. */
  get problem(): string | null {
    return this.#problem?.text ?? null
  }
  set problem(text: string | null) {
    this.#problem = text === null ? null : { text }
  }
  /** A new object each time, even if the text is the same. */
  get problemAgain(): unknown {
    return this.#problem
  }

  get isGm() {
    return this.you === 'gm'
  }

  /** The offers open to this seat. In a lesson there is no one else to host. */
  get offers(): Offer[] {
    const hosts = this.isGm || this.isLesson || Boolean(this.botOf('gm'))
    return hosts ? this.#offers : this.#offers.filter((offer) => !offer.host)
  }
  set offers(offers: Offer[]) {
    this.#offers = offers
  }

  /** Only the host may act, and this seat isn't the host. */
  get isHostOnly(): boolean {
    return this.#offers.length > 0 && !this.offers.length
  }

  /** The table screen can't act. */
  get isScreen() {
    return this.you === SCREEN
  }

  /** All seats of players, the game master's first. */
  get players() {
    return this.seats.filter(({ seat }) => seat !== SCREEN)
  }

  /** Bots play all the other seats, or nobody does. */
  get isAlone(): boolean {
    return (
      !this.isScreen && this.players.every((one) => one.seat === this.you || ['bot', 'free'].includes(seatState(one)))
    )
  }

  /** The game has had an event; joins and devices don't count. */
  get hasBegun() {
    return this.moreStory || this.story.some((entry) => entry.events.some((event) => event.rule !== 'table'))
  }

  get seesOdds() {
    return this.table?.odds === 'all' || (this.table?.odds === 'gm' && this.isGm)
  }

  /** The last entry that an undo would take back; 0 for none. */
  get lastAnswer(): number {
    return this.story.findLast(counts)?.n ?? 0
  }

  /** Return the name of a seat's player; empty if unnamed. */
  nameOf(seat: string): string {
    return this.seats.find((s) => s.seat === seat)?.name ?? ''
  }

  /** Note who leaves, if these are the seats now. */
  protected noteDepartures(seats: readonly Seat[], now: number) {
    const was = new Set(this.seats.filter(({ here }) => here).map(({ seat }) => seat))
    for (const { seat, here } of seats) {
      if (here) this.awaySince.delete(seat)
      else if (was.has(seat)) this.awaySince.set(seat, now)
    }
  }

  /** Return the bot playing a seat; empty if none. */
  botOf(seat: string): string {
    return this.seats.find((s) => s.seat === seat)?.bot ?? ''
  }

  /** Add entries to the log, which may take back earlier ones. */
  protected addEntries(entries: Entry[]) {
    if (entries.length) this.story = withEntries(this.story, entries)
  }

  /** Show a reaction for a moment. */
  protected showReaction(thrown: Thrown) {
    this.thrown = [...this.thrown, thrown].slice(-MOST_THROWN)
    setTimeout(() => (this.thrown = this.thrown.filter((one) => one !== thrown)), THROWN_MS)
  }
}
