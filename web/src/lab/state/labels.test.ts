import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf, fileNames, inPairs } from './labels.ts'

test('one of something is one', () => {
  assert.equal(countOf(1, 'fight'), '1 fight')
  assert.equal(countOf(2_000, 'fight'), '2,000 fights')
})

test('a file with changed pieces is the same file', () => {
  assert.deepEqual(fileNames('standard with HK=harmless; SQ=harmless, ours.toml'), ['standard', 'ours.toml'])
})

test('a difference stands beside its pair', () => {
  const plot = (title: string, beside: boolean) => ({ title, caption: '', spec: {}, beside })
  const pairs = inPairs([plot('a', false), plot('b', false), plot('b more', true), plot('c', false)])
  assert.deepEqual(
    pairs.map((pair) => pair.map(({ title }) => title)),
    [['a'], ['b', 'b more'], ['c']],
  )
})
