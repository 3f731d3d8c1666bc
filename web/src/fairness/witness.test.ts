import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry, TableInfo, ServerFrame } from '../api/protocol.ts'
import { addToRun, storyText, Witness } from './witness.ts'

const INFO = {
  id: 'abcd2345',
  name: '',
  game: 'initiative',
  options: {},
  decks: {},
  by_hand: [],
  odds: 'off',
  commitment: 'c0',
  deal: '',
  ended: false,
  read_only: null,
} as unknown as TableInfo

let seats = 0
const witness = (info: Partial<TableInfo> = {}) => new Witness(INFO.id, `p${++seats}`, { ...INFO, ...info })
const entry = (n: number): Entry => ({ n, by: 'gm', events: [{ rule: 'SI-1', key: 'k' }] })
const change = (n: number, ...entries: Entry[]) =>
  ({ t: 'change', n, head: `h${n}`, story: entries }) as unknown as Extract<ServerFrame, { t: 'change' }>
const run = (...told: string[]) => told.reduce(addToRun, '')

test('entries that follow each other are one run, a gap begins another', () => {
  const page = witness()
  page.sat(0, 'c0', 0)
  for (const n of [1, 2]) page.changed(change(n, entry(n)))
  page.changed(change(5, entry(3), entry(4), entry(5)))
  page.changed(change(6, entry(6)))
  assert.deepEqual(page.record.log, [
    { first: 1, last: 2, hash: run('h1', 'h2') },
    { first: 5, last: 6, hash: run('h5', 'h6') },
  ])
  assert.deepEqual(page.record.told, [
    { first: 1, last: 2, hash: run(storyText(entry(1)), storyText(entry(2))) },
    { first: 6, last: 6, hash: run(storyText(entry(6))) },
  ])
  assert.deepEqual(page.record.problems, [])
})

test('what was told twice counts once', () => {
  const page = witness()
  page.sat(3, 'h3', 0)
  page.changed(change(4, entry(4)))
  page.sat(4, 'h4', 4)
  page.changed(change(4, entry(4)))
  assert.deepEqual(page.record.log, [{ first: 3, last: 4, hash: run('h3', 'h4') }])
  assert.deepEqual(page.record.problems, [])
})

test('an entry is hashed as it was first told', () => {
  assert.equal(storyText({ ...entry(1), undone: true }), storyText(entry(1)))
  assert.equal(storyText(entry(1)), '{"by":"gm","events":[{"key":"k","rule":"SI-1"}],"n":1}')
})

test('a log that was changed is noticed at once', () => {
  const page = witness()
  page.sat(3, 'h3', 0)
  page.sat(3, 'another', 3)
  page.sat(3, 'another', 3)
  assert.deepEqual(page.record.problems, [{ what: 'changed', n: 3 }])
})

test('a log that begins with another seed is noticed at once', () => {
  const page = witness()
  page.sat(0, 'another', 0)
  assert.deepEqual(page.record.problems, [{ what: 'changed', n: 0 }])
})

test('a house that lost what it had told is noticed', () => {
  const page = witness()
  page.sat(7, 'h7', 0)
  page.sat(5, 'h5', 7)
  assert.deepEqual(page.record.problems, [{ what: 'lost', n: 5 }])
})
