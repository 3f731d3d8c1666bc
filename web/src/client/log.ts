import type { Entry } from '../api/protocol.ts'

/** Return a log with more entries, in order, and with their undos and redos applied. */
export function withEntries(log: readonly Entry[], entries: readonly Entry[]): Entry[] {
  const known = new Set(entries.map((entry) => entry.n))
  const undone = new Map<number, boolean>()
  for (const { undo = [], redo = [] } of entries) {
    for (const n of undo) undone.set(n, true)
    for (const n of redo) undone.set(n, false)
  }
  return [...log.filter((entry) => !known.has(entry.n)), ...entries]
    .sort((a, b) => a.n - b.n)
    .map((entry) => {
      const is = undone.get(entry.n) ?? Boolean(entry.undone)
      return is === Boolean(entry.undone) ? entry : { ...entry, undone: is }
    })
}
