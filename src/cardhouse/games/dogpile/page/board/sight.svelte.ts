import { broughtIn, cellAt, fittedBeside, isInSight, zoomed, type Cell, type Look, type Size } from './board.ts'

interface Point {
  x: number
  y: number
}

/** Return the size of the lower right corner that `n` controls take, in pixels. */
export const controls = (n: number): Size => ({ width: n && 16 + 40 * n, height: n && 52 })

/** The visible part of the board, and its zoom. */
export class Sight {
  look = $state.raw<Look>({ x: 0, y: 0, zoom: 1 })
  /** Whether to animate the last change. */
  soft = $state(false)
  size = $state.raw({ width: 0, height: 0 })
  /** Whether a player has moved it. It then stays, as long as it shows new cards. */
  #byHand = false

  readonly #corner: () => Size

  /** `corner` is the covered part at the lower right, which must stay free of cards and their places. */
  constructor(corner: () => Size) {
    this.#corner = corner
  }

  resize(width: number, height: number) {
    this.size = { width, height }
  }

  panBy(dx: number, dy: number) {
    const { x, y, zoom } = this.look
    this.#move({ x: x + dx, y: y + dy, zoom })
  }

  /** Zoom by a factor around a point of the board, from its middle. */
  zoomBy(factor: number, at: Point = { x: 0, y: 0 }) {
    this.#move(zoomed(this.look, factor, at))
  }

  /** Show all these cells with a margin. */
  fit(cells: Cell[], margin: number, soft = true) {
    if (!this.size.width) return
    this.look = fittedBeside(cells, margin, this.size, this.#corner())
    this.soft = soft
    this.#byHand = false
  }

  /** Show all cells after new ones, unless a player has moved the board and sees them anyway. */
  follow(cells: Cell[], fresh: Cell[], margin: number, soft = true) {
    if (!this.#byHand || !fresh.every((cell) => isInSight(this.look, this.size, cell))) this.fit(cells, margin, soft)
  }

  /** Scroll a cell into view, moving as little as possible. */
  bringIn(cell: Cell) {
    if (isInSight(this.look, this.size, cell)) return
    this.look = broughtIn(this.look, this.size, cell)
    this.soft = true
  }

  cellAt(at: Point): Cell {
    return cellAt(this.look, at)
  }

  #move(look: Look) {
    this.look = look
    this.soft = false
    this.#byHand = true
  }
}
