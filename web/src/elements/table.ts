import { TableContext, useGame } from '../client/context.svelte.ts'

/** The table that an element goes by. Raises an Error where there is none, as where a layout is judged. */
export function tableHere(name: string): TableContext {
  const context = useGame()
  if (!(context instanceof TableContext)) throw new Error(`<${name}> goes by a table, and there is none here.`)
  return context
}
