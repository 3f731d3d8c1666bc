/** A layout on a real table: its text format, its pieces, and the place of the next card. */
import type { Placed } from '$page/api/wire.ts'
import { around, isSame, isWithin, keyOf, pieceWith, type Cell } from '../board/board.ts'

/** The judge's maximum distance from the middle. */
export const FARTHEST = 1000

/** Return the text that `cardhouse judge` reads, row by row from the top. */
export function written(cards: Placed[]): string {
  const rows = [...cards].sort((a, b) => b.y - a.y || a.x - b.x)
  const lines = rows.map(({ card, x, y }) => `  ${JSON.stringify({ card, x, y })}`)
  return lines.length ? `[\n${lines.join(',\n')}\n]\n` : '[]\n'
}

/** Parse the cards of such a text; null if invalid. It doesn't judge them. */
export function read(text: string): Placed[] | null {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) && found.every(isPlaced) ? found.map(({ card, x, y }) => ({ card, x, y })) : null
  } catch {
    return null
  }
}

function isPlaced(item: unknown): item is Placed {
  const { card, x, y } = (item ?? {}) as Partial<Placed>
  return typeof card === 'string' && Number.isInteger(x) && Number.isInteger(y)
}

/** Return the pieces of a layout as sets of cell keys, the largest first. */
export function piecesOf(cards: Cell[]): Set<string>[] {
  const pieces: Set<string>[] = []
  for (const cell of cards) {
    if (!pieces.some((piece) => piece.has(keyOf(cell)))) pieces.push(pieceWith(cell, cards))
  }
  return pieces.sort((a, b) => b.size - a.size)
}

const STEPS: Cell[] = [
  { x: 1, y: 0 },
  { x: 0, y: -1 },
  { x: -1, y: 0 },
  { x: 0, y: 1 },
]
const plus = (a: Cell, b: Cell): Cell => ({ x: a.x + b.x, y: a.y + b.y })

/** Return the direction from the card before to this one, or `otherwise` if they don't touch. */
export function heading(before: Cell | null, here: Cell, otherwise: Cell): Cell {
  return STEPS.find((step) => before && isSame(plus(before, step), here)) ?? otherwise
}

export const TO_THE_RIGHT = STEPS[0]!

/** Return the place of the next card: straight on, or around the corner, or any free place. */
export function nextCell(cards: Cell[], here: Cell, ahead: Cell): Cell {
  const isFree = (cell: Cell) => !cards.some((card) => isSame(card, cell)) && isWithin(cell, FARTHEST)
  const beside = [ahead, ...STEPS].map((step) => plus(here, step))
  return [...beside, ...cards.flatMap(around)].find(isFree) ?? here
}

/** Return the card next to an empty place, and on which of its sides the place is. */
export function besideWhat(
  cards: Placed[],
  cell: Cell,
): { card: string; side: 'right' | 'below' | 'left' | 'above' } | null {
  const sides = ['right', 'below', 'left', 'above'] as const
  for (const [place, step] of STEPS.entries()) {
    const there = cards.find((card) => isSame(plus(card, step), cell))
    if (there) return { card: there.card, side: sides[place]! }
  }
  return null
}
