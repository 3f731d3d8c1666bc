import assert from 'node:assert/strict'
import { test } from 'node:test'
import { howMany } from './words.ts'

test('one of something is one', () => {
  assert.equal(howMany(1, 'fight'), '1 fight')
  assert.equal(howMany(2_000, 'fight'), '2,000 fights')
})
