import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches } from './find.ts'

const LADY = ['waddle', 'Duchess Waddle', 'size', 'breed', '6', 'corgi', '12']

test('every word typed must begin one of a card’s, in whatever order and case', () => {
  for (const typed of ['', ' ', 'wad', 'WADDLE duch', 'cor 6', 'size 6', '12, corgi'])
    assert.ok(matches(typed, LADY), typed)
  for (const typed of ['addle', 'corgi 7', 'wadx', 'pug']) assert.ok(!matches(typed, LADY), typed)
})

test('a number is found as a whole', () => {
  assert.ok(!matches('1', LADY))
  assert.ok(matches('12', LADY))
})
