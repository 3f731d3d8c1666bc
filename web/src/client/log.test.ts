import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '../api/protocol.ts'
import { withEntries } from './log.ts'

const entry = (n: number, more: Partial<Entry> = {}): Entry => ({ n, by: 'gm', events: [], ...more })
const undone = (log: Entry[]) => log.filter((one) => one.undone).map(({ n }) => n)

test('an entry that arrives twice is in the log once', () => {
  const log = withEntries([entry(1), entry(2)], [entry(2), entry(3)])
  assert.deepEqual(
    log.map(({ n }) => n),
    [1, 2, 3],
  )
})

test('undos and redos apply to earlier entries', () => {
  const log = withEntries([entry(1), entry(2)], [entry(3, { undo: [1, 2] })])
  assert.deepEqual(undone(log), [1, 2])
  assert.deepEqual(undone(withEntries(log, [entry(4, { redo: [1] })])), [2])
})

test('an unchanged entry is the same object', () => {
  const first = entry(1)
  assert.equal(withEntries([first], [entry(2)])[0], first)
})
