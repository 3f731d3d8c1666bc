import type { TableContext } from '$page/client/context.svelte.ts'
import { halfDone, saveHalfDone } from '$page/stores/saved.ts'
import { COLOURS } from './colours.ts'
import type { DogpileView } from './wire.ts'
import type { Placed } from '$page/api/wire.ts'
import { isSame, isWithin, keyOf, layingOrder, marksOf, MIDDLE, touching, type Cell } from './board.ts'

export const viewOf = (table: Pick<TableContext, 'view'>) => table.view as DogpileView

/** A player as the page shows one: by a colour and a mark. */
export interface Owner {
  seat: string
  /** Which of the colours, 0 to 7: that of the seat. */
  colour: number
  mark: string
}

/** Everybody who plays, by seat. */
export function ownersOf(table: TableContext): Record<string, Owner> {
  const { players } = viewOf(table)
  const names = players.map((seat) => table.client.nameOf(seat) || seat.replace(/^p(?=\d+$)/, ''))
  const marks = marksOf(names)
  const colourOf = (seat: string) => table.seats.findIndex((one) => one.seat === seat) % COLOURS.length
  return Object.fromEntries(players.map((seat, at) => [seat, { seat, colour: colourOf(seat), mark: marks[at]! }]))
}

/** The players' seats that somebody has taken, or a bot plays. */
export function takenOf(table: TableContext): string[] {
  const plays = (seat: string) =>
    seat !== 'gm' || viewOf(table).players.includes(seat) || table.options.gm_plays === true
  const taken = table.seats.filter(({ seat, name, here, bot }) => plays(seat) && (name || here || bot))
  return taken.map(({ seat }) => seat)
}

/** Where a cell is, in words: "2 to the right, 1 up". */
export function placeName(table: TableContext, { x, y }: Cell): string {
  if (isSame({ x, y }, MIDDLE)) return table.word('in_the_middle')
  const across = x && table.say(table.word(x > 0 ? 'to_the_right' : 'to_the_left'), { n: Math.abs(x) })
  const upright = y && table.say(table.word(y > 0 ? 'up' : 'down'), { n: Math.abs(y) })
  return [across, upright].filter(Boolean).join(', ')
}

interface HalfLaid {
  round: number
  cards: Placed[]
}

/**
 * What one seat is putting together before it lays it, all at once: which card is chosen, which lie where.
 *
 * Cards are kept as they were put down, also those that can't lie there any more, or have been laid: when an answer is
 * taken back, they lie where they lay.
 */
export class Play {
  /** The card that goes to the next place that is named. */
  chosen = $state<string | null>(null)
  /** The card that is being dragged, and the cell it is above. */
  dragged = $state<string | null>(null)
  above = $state.raw<Cell | null>(null)
  #kept = $state.raw<HalfLaid>({ round: 0, cards: [] })

  /** The board's: follow a press on a card in the hand, and bring the keyboard to the board. */
  drag: (press: PointerEvent, card: string, element: HTMLElement) => void = () => {}
  goToBoard: () => void = () => {}

  readonly table: TableContext

  constructor(table: TableContext) {
    this.table = table
    this.#kept = halfDone<HalfLaid>(this.#id, table.client.you) ?? this.#kept
  }

  get #id() {
    return this.table.client.table!.id
  }

  get view() {
    return viewOf(this.table)
  }

  /** The cards of this seat's hand, if it has one and may see it. */
  get hand(): string[] {
    const hand = this.view.hands[this.table.client.you]
    return Array.isArray(hand) ? hand : []
  }

  /** This seat is to lay cards, now or later in this round: it may already try where they go. */
  get mayTry(): boolean {
    const { client } = this.table
    if (this.view.phase !== 'laying' || client.table?.ended || client.table?.read_only) return false
    return this.view.turn === client.you || this.view.to_lay.includes(client.you)
  }

  get isMyTurn(): boolean {
    return this.table.client.offers.some((offer) => offer.do === 'lay')
  }

  /** What has been laid, by everybody, and the Pack Leader. */
  get taken(): Cell[] {
    return this.view.leader ? [MIDDLE, ...this.view.laid] : []
  }

  get #putDown(): Placed[] {
    if (!this.mayTry || this.#kept.round !== this.view.round) return []
    return this.#kept.cards.filter(({ card }) => this.hand.includes(card))
  }

  /** This seat's cards that lie on the board but are not laid yet, in the order in which they were put down. */
  get placed(): Placed[] {
    return this.#putDown.filter((card) => this.#isFree(card))
  }

  /** Cards that were put where somebody else has laid one since. */
  get outrun(): Placed[] {
    return this.#putDown.filter((card) => !this.#isFree(card))
  }

  /** Whether every card must touch one that was laid before it. */
  get mustTouch(): boolean {
    return this.table.options.touching === true
  }

  /** The cards in the order in which they are to be laid, and those that can't be, for they touch nothing. */
  get laying() {
    return this.mustTouch ? layingOrder(this.placed, this.taken) : { order: this.placed, loose: [] }
  }

  /** The empty cells beside a card, where the chosen one would touch something. */
  get hints(): Cell[] {
    const card = this.dragged ?? this.chosen
    if (!card) return []
    return touching([...this.taken, ...this.placed.filter((other) => other.card !== card)], this.view.reach).filter(
      (cell) => !this.placed.some((other) => other.card !== card && isSame(other, cell)),
    )
  }

  cellOf(card: string): Cell | undefined {
    return this.placed.find((one) => one.card === card)
  }

  cardAt(cell: Cell): string | undefined {
    return this.placed.find((one) => isSame(one, cell))?.card
  }

  /** Whether a card may be put there. */
  mayPut(card: string, cell: Cell): boolean {
    if (!this.mayTry || !this.#isFree(cell) || !isWithin(cell, this.view.reach)) return false
    if ((this.cardAt(cell) ?? card) !== card) return false
    return !this.mustTouch || this.hints.some((hint) => isSame(hint, cell))
  }

  put(card: string, cell: Cell) {
    const others = this.placed.filter((one) => one.card !== card)
    this.#keep(
      this.cellOf(card)
        ? this.placed.map((one) => (one.card === card ? { card, ...cell } : one))
        : [...others, { card, x: cell.x, y: cell.y }],
    )
    this.chosen = null
  }

  takeUp(card: string) {
    this.#keep(this.placed.filter((one) => one.card !== card))
    this.chosen = null
  }

  takeUpAll() {
    this.#keep([])
    this.chosen = null
  }

  #isFree(cell: Cell): boolean {
    const key = keyOf(cell)
    return !this.taken.some((other) => keyOf(other) === key)
  }

  #keep(cards: Placed[]) {
    this.#kept = { round: this.view.round, cards }
    saveHalfDone(this.#id, this.table.client.you, this.#kept)
  }
}

const plays = new WeakMap<TableContext, Play>()

/** What is being put together at this table's page, the same for all its parts. */
export function playOf(table: TableContext): Play {
  const play = plays.get(table) ?? new Play(table)
  plays.set(table, play)
  return play
}
