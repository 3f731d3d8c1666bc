import type { DrawMarks, Table } from '$contract'
import type { TableContext } from '$page/client/context.svelte.ts'
import { viewOf } from './dogpile.svelte.ts'

/** Return where the cards of a real Draft Deck are that this seat has seen. */
export function marks(given: Table): DrawMarks {
  const table = given as TableContext
  const { hands, laid, leader, dogpile_cards, stray_cards } = viewOf(table)
  const own = hands[table.you]
  return {
    gone: Object.fromEntries([
      ...dogpile_cards.map((card) => [card, table.word('pile_dogpile')]),
      ...stray_cards.map((card) => [card, table.word('pile_strays')]),
      ...laid.map(({ card, seat }) => [card, table.seatName(seat)]),
      ...(Array.isArray(own) ? own.map((card) => [card, table.word('your_hand')]) : []),
      ...(leader ? [[leader, table.word('pack_leader')]] : []),
    ]) as Record<string, string>,
  }
}
