import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginning, fewAnswers } from './forms.ts'

test('a form begins with what is meant if nothing is said', () => {
  assert.equal(beginning({ type: 'boolean', default: true }, true), true)
  assert.equal(beginning({ type: 'boolean' }, true), undefined)
  assert.equal(beginning({ type: 'boolean' }, false), false)
  assert.equal(beginning({ type: 'integer', minimum: 0, maximum: 9, default: 0 }, true), 0)
  assert.equal(beginning({ enum: ['p1', 'p2'], default: 'p2' }, true), 'p2')
})

test('who is meant and can’t be chosen is not chosen', () => {
  assert.equal(beginning({ enum: ['p1', 'p2'], default: 'gm' }, true), undefined)
  assert.equal(beginning({ const: 'p1', default: 'gm' }, true), undefined)
})

test('a choice that must be made begins with the first, but no card is chosen for anybody', () => {
  assert.equal(beginning({ enum: ['a', 'b'] }, false), 'a')
  assert.equal(beginning({ enum: ['H7', 'C2'], format: 'card' }, false), undefined)
})

test('a single choice among few is so many answers', () => {
  assert.deepEqual(fewAnswers({ do: 'bid', fields: { who: { const: 'Ada' }, n: { enum: [1, 2] } } }), [
    { n: 1 },
    { n: 2 },
  ])
  assert.deepEqual(fewAnswers({ do: 'go', fields: { far: { type: 'boolean' } } }), [{ far: true }, { far: false }])
})

test('a choice among many, of a card, of several things or of none is no row of buttons', () => {
  const fields = { n: { enum: [1, 2] } }
  assert.equal(fewAnswers({ do: 'bid', fields: { n: { enum: [1, 2, 3, 4, 5, 6, 7] } } }), null)
  assert.equal(fewAnswers({ do: 'bid', fields: { n: { enum: ['H7', 'C2'], format: 'card' } } }), null)
  assert.equal(fewAnswers({ do: 'bid', fields: { ...fields, m: { type: 'integer' } } }), null)
  assert.equal(fewAnswers({ do: 'bid', fields, optional: ['n'] }), null)
})
