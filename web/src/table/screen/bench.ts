/** The people on the table screen: a bench for each of two sides, and who of many is shown. */
import type { PortraitState } from '../../art/portraits.ts'
import type { SeatMark } from '$contract'

export interface BenchPerson {
  name: string
  /** Shown instead of the name. */
  title?: string
  state?: PortraitState
  bot?: boolean
  away?: boolean
  /** An open seat: its character is faded. */
  open?: boolean
  mark?: SeatMark | null
  /** The card that decides when it acts; dim once it is spent. */
  card?: string | null
  spent?: boolean
  /** The one number to know, and its limit in words. */
  number?: string | number | undefined
  of?: string
  /** The number's unit, where there is room for it. */
  unit?: string
  /** What it does now. */
  status?: string
  /** Cards whose pictures replace the status. */
  wounds?: readonly string[]
  /** What may befall it next, with its chance; on a desk only. */
  odds?: string
  /** How full the bar below is, 0 to 1, and whether that is bad; a good one shows where people are small. */
  bar?: number | undefined
  harm?: boolean
  bleeds?: boolean
  /** Its cards, face up, or the number of its cards. */
  hand?: readonly string[]
  backs?: number
  /** It acts, has just been hit, or can be chosen as a target. */
  acts?: boolean
  hit?: boolean
  aim?: boolean
  /** Who is shown first if not everyone can be: the lower, the sooner. */
  rank?: number
}

export interface BenchSide {
  title: string
  /** The suit of all its cards, if there is one. */
  suit?: 'S' | 'H' | 'D' | 'C' | undefined
  note?: string
  people: readonly BenchPerson[]
}

/** The most people on a bench; of more, those who act next. */
export const MOST = 8

/** Return the people that a bench shows, in their order. */
export function shownOn(people: readonly BenchPerson[], most: number = MOST): readonly BenchPerson[] {
  if (people.length <= most) return people
  const first = [...people].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).slice(0, most)
  return people.filter((person) => first.includes(person))
}

/** Return two benches for any number of sides: of more than two, those of like size together; one side is halved. */
export function benchesOf(sides: readonly BenchSide[]): [BenchSide, BenchSide] {
  const [only, other] = sides
  if (!only) return [NOBODY, NOBODY]
  if (!other) {
    const half = Math.ceil(only.people.length / 2)
    return [
      { ...only, people: only.people.slice(0, half) },
      { ...only, title: '', note: '', people: only.people.slice(half) },
    ]
  }
  if (sides.length === 2) return [only, other]
  const all = sides.reduce((sum, { people }) => sum + people.length, 0)
  let left = 1
  for (let sum = only.people.length; sum + sides[left]!.people.length <= all / 2; left++)
    sum += sides[left]!.people.length
  return [together(sides.slice(0, left)), together(sides.slice(left))]
}

const NOBODY: BenchSide = { title: '', people: [] }
const together = (sides: readonly BenchSide[]): BenchSide =>
  sides.length === 1
    ? sides[0]!
    : { title: sides.map(({ title }) => title).join(' · '), people: sides.flatMap(({ people }) => people) }
