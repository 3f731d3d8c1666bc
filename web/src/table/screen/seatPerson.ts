/** A seat's player on a bench of the table screen. */
import type { Seat } from '../../api/protocol.ts'
import type { TableContext } from '../../client/context.svelte.ts'
import { capital } from '../../i18n/text.ts'
import { seatState } from '../../lib/seats.ts'
import type { BenchPerson } from './bench.ts'

/** Return a seat's name and mark, and whether a bot plays it or its player is away. */
export function seatPerson(table: TableContext, seat: Seat): BenchPerson {
  const state = seatState(seat)
  return {
    name: capital(table.seatName(seat.seat)),
    mark: table.seatMark(seat.seat),
    bot: state === 'bot',
    away: state === 'away',
  }
}
