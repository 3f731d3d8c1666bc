import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrder, pick } from './draw.ts'

test('the draw that docs/transcript.md works out by hand', () => {
  const seed = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('')
  assert.equal(['HA', 'S10', 'RJ', 'BJ'][pick(seed, 1, 'start', 4)], 'RJ')
})

test('cards have one order', () => {
  assert.ok(inOrder(['CA', 'C10', 'CK', 'DA', 'SK', 'RJ', 'BJ', 'CAb', 'SKb']))
  assert.ok(inOrder([]))
  assert.ok(!inOrder(['RJ', 'SK']))
  assert.ok(!inOrder(['C10', 'C9']))
  assert.ok(!inOrder(['CA', 'CA']))
})

test('cards of other decks come last, by name', () => {
  assert.ok(inOrder(['SK', 'The Fool', 'The Fool again', 'The World', '\u{ffee}', '\u{1f0a1}']))
  assert.ok(!inOrder(['The World', 'The Fool']))
  assert.ok(!inOrder(['The Fool', 'SK']))
})
