import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markOf } from './seatMarks.ts'

test('64 seats are told apart, and neighbours by both colour and sign', () => {
  const marks = Array.from({ length: 64 }, (_, place) => markOf(place))
  assert.equal(new Set(marks.map(({ colour, sign }) => `${colour} ${sign}`)).size, 64)
  for (const [place, mark] of marks.slice(1).entries()) {
    assert.notEqual(mark.colour, marks[place]!.colour)
    assert.notEqual(mark.sign, marks[place]!.sign)
  }
})

test('who has no place has a quiet mark', () => {
  assert.equal(markOf(-1).colour, 'var(--quiet)')
})
