import type { DrawMarks, Table } from '$contract'
import type { TableContext } from '$page/client/context.svelte.ts'
import { conflictOf } from './dogs.svelte.ts'
import { personOf, townOf } from './sheets.ts'

/** Return who draws from a real deck, and who has the cards that can be seen. */
export function marks(given: Table): DrawMarks {
  const table = given as TableContext
  const conflict = conflictOf(table)
  const hands = Object.entries(conflict?.hands ?? {}).flatMap(([name, hand]) =>
    typeof hand === 'number' ? [] : hand.map((card) => [card, name]),
  )
  const kept = townOf(table).characters.flatMap(({ name, kept }) => (kept ?? []).map((card) => [card, name]))
  const raised = conflict?.raise ? [[conflict.raise.card, conflict.raise.by]] : []
  const { name } = (table.asks.prompt?.with ?? {}) as { name?: string }
  return {
    gone: Object.fromEntries(
      [...kept, ...raised, ...hands].map(([card, holder]) => [card!.replace(/b$/, ''), holder]),
    ) as Record<string, string>,
    ...(name && personOf(table, name) ? { who: { name } } : {}),
  }
}
