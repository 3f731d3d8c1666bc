import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsLeft, untilNext } from '$page/lib/countdown.ts'
import { clockText, toldMinutes } from './timer.ts'

const ENDS = 1_700_000_900

test('the timer shows every second once, the last one until it rings', () => {
  const at = (left: number) => ENDS * 1000 - left
  assert.deepEqual(
    [900_000, 899_999, 1000, 1, 0, -5000].map((left) => secondsLeft(ENDS, at(left))),
    [900, 900, 1, 1, 0, 0],
  )
  for (const left of [900_000, 899_999, 1001, 1000.5, 999, 1, 0.25]) {
    const wait = untilNext(ENDS, at(left))
    assert.ok(wait > 0 && wait <= 1000, `${wait}`)
    assert.equal(secondsLeft(ENDS, at(left - wait)), secondsLeft(ENDS, at(left)) - 1)
  }
})

test('it reads as a kitchen timer does', () => {
  assert.deepEqual([0, 9, 60, 754, 10_800].map(clockText), ['0:00', '0:09', '1:00', '12:34', '180:00'])
})

test('five minutes and one are told, once each, and not when the page is opened after that', () => {
  assert.equal(toldMinutes(301, 300), 5)
  assert.equal(toldMinutes(300, 299), null)
  assert.equal(toldMinutes(400, 250), 5)
  assert.equal(toldMinutes(61, 60), 1)
  assert.equal(toldMinutes(60, 59), null)
  assert.equal(toldMinutes(1, 0), null)
})
