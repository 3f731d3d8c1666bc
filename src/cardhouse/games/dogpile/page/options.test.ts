import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roundsAtLeast } from './options.ts'

test('the cards last for so many rounds if everything that is dealt is laid and stays', () => {
  assert.equal(roundsAtLeast(54, 8, 5), 1)
  assert.equal(roundsAtLeast(106, 8, 5), 2)
  assert.equal(roundsAtLeast(54, 4, 5), 2)
  assert.equal(roundsAtLeast(54, 1, 1), 27)
  assert.equal(roundsAtLeast(40, 8, 5), 0)
})
