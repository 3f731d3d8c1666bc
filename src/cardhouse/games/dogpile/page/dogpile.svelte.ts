import { lookUp } from '$page/lib/lookUp.ts'
import type { TableContext } from '$page/client/context.svelte.ts'
import { tabDraft, saveTabDraft } from '$page/stores/saved.ts'
import { COLOURS } from './colours.ts'
import type { DogpileView } from './wire.ts'
import type { Placed } from '$page/api/wire.ts'
import { isSame, isWithin, keyOf, layingOrder, marksOf, MIDDLE, touching, type Cell } from './board/board.ts'

export const viewOf = (table: Pick<TableContext, 'view'>) => table.view as DogpileView

/** A player as shown on the page: by a colour and a mark. */
export interface Owner {
  seat: string
  /** The index of the seat's colour, 0 to 7. */
  colour: number
  mark: string
}

/** Return the players by seat. */
export function ownersOf(table: TableContext): Record<string, Owner> {
  const { players } = viewOf(table)
  const names = players.map((seat) => table.client.nameOf(seat) || seat.replace(/^p(\d+)$/, '$1'))
  const marks = marksOf(names)
  const colourOf = (seat: string) => table.seats.findIndex((one) => one.seat === seat) % COLOURS.length
  return Object.fromEntries(players.map((seat, at) => [seat, { seat, colour: colourOf(seat), mark: marks[at]! }]))
}

/** Return the players' seats that are taken, or played by a bot. */
export function takenOf(table: TableContext): string[] {
  const plays = (seat: string) =>
    seat !== 'gm' || viewOf(table).players.includes(seat) || table.options.gm_plays === true
  const taken = table.seats.filter(({ seat, name, here, bot }) => plays(seat) && (name || here || bot))
  return taken.map(({ seat }) => seat)
}

/** Return a cell's position in words: "2 to the right, 1 up". */
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
 * A seat's cards in preparation, before it lays them all at once: the chosen card, and the cells of those put down.
 *
 * Cards stay recorded where they were put down even if they can't lie there any more, or have been laid: after an undo
 * they are back in their places.
 */
export class Play {
  /** The card that goes to the next place pressed. */
  chosen = $state<string | null>(null)
  /** The card being dragged, and the cell below it. */
  dragged = $state<string | null>(null)
  above = $state.raw<Cell | null>(null)
  #kept = $state.raw<HalfLaid>({ round: 0, cards: [] })

  /** Set by the board: follow a press on a card in the hand, and move the keyboard focus to the board. */
  drag: (press: PointerEvent, card: string, element: HTMLElement) => void = () => {}
  goToBoard: () => void = () => {}

  readonly table: TableContext

  constructor(table: TableContext) {
    this.table = table
    this.#kept = tabDraft<HalfLaid>(this.#id, table.client.you) ?? this.#kept
  }

  get #id() {
    return this.table.client.table!.id
  }

  get view() {
    return viewOf(this.table)
  }

  /** The cards of this seat's hand, if it has one and may see it. */
  get hand(): string[] {
    const hand = lookUp(this.view.hands, this.table.client.you)
    return Array.isArray(hand) ? hand : []
  }

  /** Whether this seat lays cards now or later in this round, and so may try out places. */
  get mayTry(): boolean {
    const { client } = this.table
    if (this.view.phase !== 'laying' || client.table?.ended || client.table?.read_only) return false
    return this.view.turn === client.you || this.view.to_lay.includes(client.you)
  }

  get isMyTurn(): boolean {
    return this.table.client.offers.some((offer) => offer.do === 'lay')
  }

  /** The cells of all cards laid, and of the Pack Leader. */
  get taken(): Cell[] {
    return this.view.leader ? [MIDDLE, ...this.view.laid] : []
  }

  get #putDown(): Placed[] {
    if (!this.mayTry || this.#kept.round !== this.view.round) return []
    return this.#kept.cards.filter(({ card }) => this.hand.includes(card))
  }

  /** This seat's cards on the board that aren't laid yet, in the order in which they were put down. */
  get placed(): Placed[] {
    return this.#putDown.filter((card) => this.#isFree(card))
  }

  /** Cards on cells where another player has since laid one. */
  get outrun(): Placed[] {
    return this.#putDown.filter((card) => !this.#isFree(card))
  }

  /** Whether every card must touch one laid before it. */
  get mustTouch(): boolean {
    return this.table.options.touching === true
  }

  /** The cards in a legal order of laying, and those that can't be laid because they touch nothing. */
  get laying() {
    return this.mustTouch ? layingOrder(this.placed, this.taken) : { order: this.placed, loose: [] }
  }

  /** The empty cells where the chosen card would touch another. */
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

  /** Return whether a card may be put on a cell. */
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
    saveTabDraft(this.#id, this.table.client.you, this.#kept)
  }
}

const plays = new WeakMap<TableContext, Play>()

/** Return the cards in preparation at this table, shared by all parts of its page. */
export function playOf(table: TableContext): Play {
  const play = plays.get(table) ?? new Play(table)
  plays.set(table, play)
  return play
}
