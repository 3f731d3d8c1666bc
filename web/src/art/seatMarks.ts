/** The colour and symbol that identify a seat for the whole session, by its position at the table. */
import type { SeatMark } from '$contract'

/** Each symbol's outline, in a view box of 16 by 16. None resembles a suit. */
const SIGNS = {
  disc: 'M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2z',
  square: 'M3 3h10v10H3z',
  triangle: 'M8 2l6.5 11.5h-13z',
  star: 'M8 1.2l2 4.7 5.1.5-3.9 3.3 1.2 5L8 12l-4.4 2.7 1.2-5L.9 6.4 6 5.9z',
  cross: 'M5.8 2h4.4v3.8H14v4.4h-3.8V14H5.8v-3.8H2V5.8h3.8z',
  moon: 'M10.5 1.8a6.4 6.4 0 1 0 3.7 9.5A5.6 5.6 0 0 1 10.5 1.8z',
  hourglass: 'M3 2h10L9.3 8l3.7 6H3l3.7-6z',
  roof: 'M8 2l7 6.5-2.2 2.4L8 6.4l-4.8 4.5L1 8.5z M5.5 14v-3L8 8.7 10.5 11v3z',
} as const

const NAMES = Object.keys(SIGNS) as (keyof typeof SIGNS)[]
/** The number of colours in the page's style sheet: `--seat-0` and so on. */
const COLOURS = 8

/**
 * Return the mark of the seat at this position, the game master's first; 64 are distinct. A position below 0 has a
 * quiet mark.
 */
export function markOf(place: number): SeatMark {
  if (place < 0) return { colour: 'var(--quiet)', sign: NAMES[0]!, path: SIGNS[NAMES[0]!] }
  const turn = Math.floor(place / COLOURS)
  const sign = NAMES[(place + turn) % NAMES.length]!
  return { colour: `var(--seat-${place % COLOURS})`, sign, path: SIGNS[sign] }
}
