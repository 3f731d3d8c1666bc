import type { DrawMarks, Table } from '$contract'
import type { TableContext } from '$page/client/context.svelte.ts'
import { holder, viewOf } from './initiative.svelte.ts'

/** Return whose card each card of a real initiative deck is. */
export function marks(given: Table): DrawMarks {
  const table = given as TableContext
  const view = viewOf(table)
  return {
    of: (card) => {
      const whose = holder(view, card)
      return whose ? { tone: '', text: whose.name } : null
    },
  }
}
