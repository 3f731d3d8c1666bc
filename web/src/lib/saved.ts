/** What this device remembers: seats, links, how its owner likes the page; and what is half done in this tab. */

export interface SavedSeat {
  table: string
  seat: string
  token: string
  game: string
  name: string
  /** When it was last open, in milliseconds since 1970. */
  seen: number
  /** Who sat there, when it was last open. */
  people?: string[]
  /** Nothing can be played there any more. */
  over?: boolean
  /** The game master's: each seat's secret. */
  links?: Record<string, string>
}

const SEATS = 'cardhouse.seats'
const LIKES = 'cardhouse.likes'
const NAME = 'cardhouse.name'

const device = () => localStorage
const tab = () => sessionStorage

function read<T>(key: string, otherwise: T, store = device): T {
  try {
    return (JSON.parse(store().getItem(key) ?? 'null') as T) ?? otherwise
  } catch {
    return otherwise
  }
}

function write(key: string, value: unknown, store = device) {
  try {
    store().setItem(key, JSON.stringify(value))
  } catch {
    // A full or forbidden store: the page works without, it only forgets.
  }
}

/** The seats taken on this device, the latest first. */
export function savedSeats(): SavedSeat[] {
  return read<SavedSeat[]>(SEATS, []).sort((a, b) => b.seen - a.seen)
}

/** Remember a seat, or what is new about it. */
export function saveSeat(seat: Pick<SavedSeat, 'table' | 'seat'> & Partial<SavedSeat>) {
  const others = savedSeats().filter((s) => s.table !== seat.table || s.seat !== seat.seat)
  const before = savedSeats().find((s) => s.table === seat.table && s.seat === seat.seat)
  write(SEATS, [{ token: '', game: '', name: '', seen: 0, ...before, ...seat }, ...others])
}

export function forgetSeat(gone: SavedSeat) {
  write(
    SEATS,
    savedSeats().filter((s) => s.table !== gone.table || s.seat !== gone.seat),
  )
}

/** What the owner of this device was called last. */
export const savedName = () => read(NAME, '')
export const saveName = (name: string) => write(NAME, name)

export interface Likes {
  look: 'device' | 'dark' | 'light'
  fourColours: boolean
}

export const savedLikes = () => ({ look: 'device', fourColours: false, ...read<Partial<Likes>>(LIKES, {}) }) as Likes
export const saveLikes = (likes: Likes) => write(LIKES, likes)

/** What somebody at a table was putting together in this tab; it outlives a reload. */
const halfDoneAt = (table: string, seat: string) => `cardhouse.half-done.${table}.${seat}`
export const halfDone = <T>(table: string, seat: string): T | null => read<T | null>(halfDoneAt(table, seat), null, tab)
export const saveHalfDone = (table: string, seat: string, what: unknown) => write(halfDoneAt(table, seat), what, tab)
