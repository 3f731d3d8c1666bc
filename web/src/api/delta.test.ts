import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply } from './delta.ts'

test('a value in brackets replaces what was there', () => {
  assert.deepEqual(apply({ a: 1 }, [[1, 2]]), [1, 2])
  assert.equal(apply(undefined, [null]), null)
})

test('fields change, come and go', () => {
  const before = { a: 1, b: { c: 2, d: 3 }, e: 4 }
  assert.deepEqual(apply(before, { a: [5], b: { c: [6] }, f: [7], '-': ['e'] }), { a: 5, b: { c: 6, d: 3 }, f: 7 })
  assert.deepEqual(before, { a: 1, b: { c: 2, d: 3 }, e: 4 })
})

test('a list is cut, changed and added to', () => {
  assert.deepEqual(apply([1, 2, 3, 4], { '#': 2, '0': [9], '+': [7, 8] }), [9, 2, 7, 8])
  assert.deepEqual(apply([{ a: 1 }, { a: 2 }], { '1': { a: [3] } }), [{ a: 1 }, { a: 3 }])
})

test('what has not changed is the same object', () => {
  const before = { a: { b: 1 }, c: { d: 1 } }
  const after = apply(before, { c: { d: [2] } }) as typeof before
  assert.equal(after.a, before.a)
})
