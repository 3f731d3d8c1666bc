/** The geometry of a Dogpile board: neighbours, legal orders of laying, contacts, and the visible area. */
import type { DogpileView, Illegal, RoundView, Verdict } from '../wire.ts'
import type { Placed } from '$page/api/wire.ts'

/** A cell of the grid: x grows to the right, y grows upward, the Pack Leader is at (0, 0). */
export interface Cell {
  x: number
  y: number
}

export const MIDDLE: Cell = { x: 0, y: 0 }

export const keyOf = ({ x, y }: Cell) => `${x},${y}`
export const isSame = (a: Cell, b: Cell) => a.x === b.x && a.y === b.y
export const isWithin = ({ x, y }: Cell, reach: number) => Math.max(Math.abs(x), Math.abs(y)) <= reach

/** The four cells that touch this one: left, right, above, below. */
export const around = ({ x, y }: Cell): Cell[] => [
  { x: x - 1, y },
  { x: x + 1, y },
  { x, y: y + 1 },
  { x, y: y - 1 },
]

const STEPS: Record<string, Cell> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
}

/** Return the cell that an arrow key leads to; null for other keys. */
export function arrowTo(key: string, { x, y }: Cell): Cell | null {
  const step = STEPS[key]
  return step ? { x: x + step.x, y: y + step.y } : null
}

/** Return the empty cells within reach that touch one of these, row by row from the top. */
export function touching(taken: Cell[], reach: number): Cell[] {
  const there = new Set(taken.map(keyOf))
  const found = new Map(taken.flatMap(around).map((cell) => [keyOf(cell), cell]))
  return [...found.values()]
    .filter((cell) => !there.has(keyOf(cell)) && isWithin(cell, reach))
    .sort((a, b) => b.y - a.y || a.x - b.x)
}

/** Return the cards in an order in which each touches an earlier one, and those for which there is no such order. */
export function layingOrder(cards: Placed[], taken: Cell[]): { order: Placed[]; loose: Placed[] } {
  const there = new Set(taken.map(keyOf))
  const order: Placed[] = []
  const loose = [...cards]
  for (;;) {
    const next = loose.findIndex((card) => around(card).some((cell) => there.has(keyOf(cell))))
    if (next < 0) return { order, loose }
    const [card] = loose.splice(next, 1)
    order.push(card!)
    there.add(keyOf(card!))
  }
}

/** Two cards that touch, and what is wrong with that, if anything; in the order of the judge's reason. */
export interface Contact {
  a: Cell
  b: Cell
  illegal: Illegal | null
}

/** Return a cell from the judge's notation. */
const cellOf = (pair: readonly unknown[]): Cell => ({ x: pair[0] as number, y: pair[1] as number })

const pairOf = (a: Cell, b: Cell) => [keyOf(a), keyOf(b)].sort().join(' ')

/** Return every contact between these cells. */
export function contactsOf(cells: Cell[], illegal: Illegal[]): Contact[] {
  const there = new Set(cells.map(keyOf))
  const wrong = new Map(illegal.map((one) => [pairOf(cellOf(one.a), cellOf(one.b)), one]))
  return cells.flatMap(({ x, y }) =>
    [
      { a: { x, y }, b: { x: x + 1, y } },
      { a: { x, y: y + 1 }, b: { x, y } },
    ]
      .filter(({ a, b }) => there.has(keyOf(a)) && there.has(keyOf(b)))
      .map(({ a, b }) => {
        const illegal = wrong.get(pairOf(a, b)) ?? null
        return illegal ? { a: cellOf(illegal.a), b: cellOf(illegal.b), illegal } : { a, b, illegal }
      }),
  )
}

/** Return the keys of the cells connected to this one. */
export function pieceWith(cell: Cell, cells: Cell[]): Set<string> {
  const left = new Map(cells.map((one) => [keyOf(one), one]))
  const piece = [cell]
  left.delete(keyOf(cell))
  for (const one of piece) {
    for (const next of around(one)) if (left.delete(keyOf(next))) piece.push(next)
  }
  return new Set(piece.map(keyOf))
}

/** Return the event at a round's end, and its numbers. */
export function outcome(round: RoundView, verdict: Verdict): { key: string; about: Record<string, number> } {
  const key = round.joined ? 'joins' : (WHY_NOT[round.rule] ?? 'contacts')
  return { key, about: { n: round.size, pieces: verdict.pieces, contacts: verdict.illegal.length } }
}

const WHY_NOT: Record<string, string> = { 'DG-10': 'pieces', 'DG-15': 'alone' }

/** Return a short, unique mark for each player: a letter or two, or a letter and a number. */
export function marksOf(names: string[]): string[] {
  const all = names.map((name) => [...name.trim().toUpperCase()])
  const isOwn = (mark: string, place: number) =>
    all.every((letters, other) => other === place || letters.slice(0, [...mark].length).join('') !== mark)
  return all.map((letters, place) => {
    const [one = '', two = ''] = letters
    if (one && isOwn(one, place)) return one
    if (/^\p{L}{2}$/u.test(one + two) && isOwn(one + two, place)) return one + two
    return `${one || '?'}${place + 1}`
  })
}

/** A player's state while cards are laid. */
export type TurnState = 'laying' | 'to_come' | 'laid' | 'none'

export function standingOf(view: DogpileView, seat: string): TurnState {
  if (view.turn === seat) return 'laying'
  if (view.laid.some((card) => card.seat === seat)) return 'laid'
  return view.phase === 'laying' && view.to_lay.includes(seat) ? 'to_come' : 'none'
}

// The visible area. A cell has a fixed size in units; a unit is a pixel at zoom 1.

export const CARD = { width: 100, height: 140 }
export const PITCH = { x: 114, y: 154 }
const ZOOMS = { least: 0.02, most: 2.4 }

/** The rectangle around these cells with a margin, three by three at least. */
export interface Bounds {
  left: number
  right: number
  top: number
  bottom: number
}

export function boundsOf(cells: Cell[], margin: number): Bounds {
  const there = cells.length ? cells : [MIDDLE]
  const xs = there.map(({ x }) => x)
  const ys = there.map(({ y }) => y)
  const [left, right] = widened(Math.min(...xs), Math.max(...xs), margin)
  const [bottom, top] = widened(Math.min(...ys), Math.max(...ys), margin)
  return { left, right, top, bottom }
}

function widened(least: number, most: number, margin: number): [number, number] {
  const more = Math.max(margin, (2 - (most - least)) / 2)
  return [least - more, most + more]
}

export interface Size {
  width: number
  height: number
}

/** The position of the grid's middle relative to the board's, in pixels, and the zoom. */
export interface Look {
  x: number
  y: number
  zoom: number
}

export const clampZoom = (zoom: number) => Math.min(Math.max(zoom, ZOOMS.least), ZOOMS.most)

/** Return the look at which these bounds fill a board of this size. */
export function fitted({ left, right, top, bottom }: Bounds, { width, height }: Size): Look {
  const across = (right - left + 1) * PITCH.x
  const upright = (top - bottom + 1) * PITCH.y
  const zoom = clampZoom(Math.min(width / across, height / upright))
  return { x: (-zoom * PITCH.x * (left + right)) / 2, y: (zoom * PITCH.y * (top + bottom)) / 2, zoom }
}

/**
 * Return the look at which these cells and a margin fill a board, without any under its corner.
 *
 * With a margin, cards may be laid there, so cells that touch a card stay clear of the corner, too.
 */
export function fittedBeside(cells: Cell[], margin: number, size: Size, corner: Size): Look {
  const bounds = boundsOf(cells, margin)
  const look = fitted(bounds, size)
  /** Return how far a card extends under the corner, from its left edge. */
  const under = ({ x, y }: Cell) => {
    const right = look.x + (x * PITCH.x + CARD.width / 2) * look.zoom
    const bottom = look.y + (-y * PITCH.y + CARD.height / 2) * look.zoom
    return bottom > size.height / 2 - corner.height ? Math.max(0, right - size.width / 2 + corner.width) : 0
  }
  const places = margin < 1 ? cells : [...cells, ...cells.flatMap(around)]
  const aside = Math.max(...places.map(under))
  // At the same zoom beside the corner if there is room on the left; else smaller, above it or left of it.
  const room = size.width / 2 + look.x + (bounds.left - 0.5) * PITCH.x * look.zoom
  if (aside <= room) return { ...look, x: look.x - aside }
  const above = fitted(bounds, { width: size.width, height: size.height - corner.height })
  const left = fitted(bounds, { width: size.width - corner.width, height: size.height })
  if (left.zoom > above.zoom) return { ...left, x: left.x - corner.width / 2 }
  return { ...above, y: above.y - corner.height / 2 }
}

/** Return the look zoomed by a factor around a point (from the middle of the board). */
export function zoomed(look: Look, factor: number, at: { x: number; y: number }): Look {
  const zoom = clampZoom(look.zoom * factor)
  const by = zoom / look.zoom
  return { x: at.x - (at.x - look.x) * by, y: at.y - (at.y - look.y) * by, zoom }
}

/** Return the cell at a point, from the middle of the board. */
export function cellAt({ x, y, zoom }: Look, at: { x: number; y: number }): Cell {
  const across = Math.round((at.x - x) / zoom / PITCH.x)
  const upward = Math.round((y - at.y) / zoom / PITCH.y)
  return { x: across + 0, y: upward + 0 }
}

/** Return how far a cell's card extends out of view: left (below 0) or right, above (below 0) or below. */
function sticksOut({ x, y, zoom }: Look, { width, height }: Size, cell: Cell) {
  const out = (at: number, half: number, space: number) => Math.sign(at) * Math.max(0, Math.abs(at) + half - space / 2)
  return {
    x: out(x + cell.x * PITCH.x * zoom, (CARD.width * zoom) / 2, width),
    y: out(y - cell.y * PITCH.y * zoom, (CARD.height * zoom) / 2, height),
  }
}

/** Return whether a cell's whole card is in view. */
export function isInSight(look: Look, size: Size, cell: Cell): boolean {
  const out = sticksOut(look, size, cell)
  return Math.abs(out.x) <= 1 && Math.abs(out.y) <= 1
}

/** Return the look moved just enough to bring a cell's card into view. */
export function broughtIn(look: Look, size: Size, cell: Cell): Look {
  const out = sticksOut(look, size, cell)
  return { x: look.x - out.x, y: look.y - out.y, zoom: look.zoom }
}
