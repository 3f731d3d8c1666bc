import { SCREEN } from '../../lib/seats.ts'
import { savedSeats, type SavedSeat } from '../../stores/saved.ts'

/** The seats of the other people who share this device at a table; empty if it is one person's. */
export function sharedSeats(table: string, you: string): SavedSeat[] {
  const here = savedSeats().filter((one) => one.table === table && one.token && one.seat !== SCREEN)
  return here.some(({ shared }) => shared) ? here.filter(({ seat }) => seat !== you) : []
}
