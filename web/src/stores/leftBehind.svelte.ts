import { tabDraft, saveTabDraft } from './saved.ts'

const FORM = 'left-behind'
const reports = $state<Record<string, string[]>>({})

/** Why some characters could not move to a table, for its game master; kept in the tab until read. */
export const leftBehind = (table: string): string[] => reports[table] ?? tabDraft<string[]>(table, FORM) ?? []

export function reportLeftBehind(table: string, why: string[]) {
  reports[table] = why
  saveTabDraft(table, FORM, why.length ? why : null)
}
