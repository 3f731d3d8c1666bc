import { halfDone, saveHalfDone } from './saved.ts'

const FORM = 'left-behind'
const told = $state<Record<string, string[]>>({})

/** Why some characters could not move to a table, for its game master; kept in the tab until read. */
export const leftBehind = (table: string): string[] => told[table] ?? halfDone<string[]>(table, FORM) ?? []

export function tellLeftBehind(table: string, why: string[]) {
  told[table] = why
  saveHalfDone(table, FORM, why.length ? why : null)
}
