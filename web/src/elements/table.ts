import { TableContext, useGame } from '../client/context.svelte.ts'

/** Return the table of an element. Throws an Error if there is none, as on a page that judges layouts. */
export function tableOf(name: string): TableContext {
  const context = useGame()
  if (!(context instanceof TableContext)) throw new Error(`<${name}> goes by a table, and there is none here.`)
  return context
}
