import { broughtIn, cellAt, fittedBeside, isInSight, zoomed, type Cell, type Look, type Size } from './board.ts'

interface Point {
  x: number
  y: number
}

/** What so many controls take of the lower right corner, in pixels. */
export const controls = (n: number): Size => ({ width: n && 16 + 40 * n, height: n && 52 })

/** Which part of the board is in sight, and how near. */
export class Sight {
  look = $state.raw<Look>({ x: 0, y: 0, zoom: 1 })
  /** The last change is to be shown as a movement. */
  soft = $state(false)
  size = $state.raw({ width: 0, height: 0 })
  /** Somebody has moved it by hand: it is left where they put it, as long as it shows what is new. */
  #byHand = false

  readonly #corner: () => Size

  /** `corner` is what lies over the lower right one; neither cards nor their places are to be beneath it. */
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

  /** Nearer by a factor, around a point of the board, counted from its middle. */
  zoomBy(factor: number, at: Point = { x: 0, y: 0 }) {
    this.#move(zoomed(this.look, factor, at))
  }

  /** Show all these cells, with so many more around them. */
  fit(cells: Cell[], margin: number, soft = true) {
    if (!this.size.width) return
    this.look = fittedBeside(cells, margin, this.size, this.#corner())
    this.soft = soft
    this.#byHand = false
  }

  /** There is something new: show all, unless somebody looks elsewhere on purpose and sees it as well. */
  follow(cells: Cell[], fresh: Cell[], margin: number, soft = true) {
    if (!this.#byHand || !fresh.every((cell) => isInSight(this.look, this.size, cell))) this.fit(cells, margin, soft)
  }

  /** Bring a cell into sight, with no more movement than that takes. */
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
