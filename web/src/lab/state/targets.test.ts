import assert from 'node:assert/strict'
import { test } from 'node:test'
import { around, targetOf, targetText, varied } from './targets.ts'

const dead = { key: 'dead_by_3', text: 'dead by hit 3', series: '', share: true }
const weeks = { key: 'weeks', text: 'weeks of recovery', series: '', share: false }

test('a target is built of a finding, a relation and a number', () => {
  assert.equal(targetOf({ finding: 'dead_by_3', relation: '=', number: '50', give: '' }, dead), 'dead_by_3 = 50%')
  assert.equal(targetOf({ finding: 'dead_by_3', relation: '=', number: ' 50 % ', give: '' }, dead), 'dead_by_3 = 50%')
  assert.equal(targetOf({ finding: 'weeks', relation: '<', number: '8', give: '' }, weeks), 'weeks < 8')
  assert.equal(targetOf({ finding: 'weeks', relation: '<', number: ' ', give: '' }, weeks), '')
  assert.equal(targetOf({ finding: 'weeks', relation: '<', number: '8', give: '' }, undefined), '')
})

test('how near is near enough is typed beside it, with a comma or a sign or without', () => {
  const draft = { finding: 'dead_by_3', relation: '=', number: '49,5', give: '± 2 %' }
  assert.equal(targetOf(draft, dead), 'dead_by_3 = 49.5% ±2%')
  assert.equal(targetOf({ ...draft, relation: '<' }, dead), 'dead_by_3 < 49.5%')
  assert.equal(targetOf({ ...draft, finding: 'weeks', number: '8', give: '0.5' }, weeks), 'weeks = 8 ±0.5')
})

test('a target is read with the words of its finding', () => {
  assert.equal(targetText('dead_by_3 = 50%', [weeks, dead]), 'dead by hit 3 = 50%')
  assert.equal(targetText('mean recovery < 8 weeks', [weeks, dead]), 'mean recovery < 8 weeks')
})

test('what may be changed is written as on the command line', () => {
  assert.deepEqual(varied({ limit: ' 15..30', wounds: '' }), ['limit=15..30', 'wounds'])
})

test('what a number might be is about what it is, within what it may be', () => {
  const limit = { kind: 'whole', least: 2, most: 100 } as const
  assert.equal(around(limit, '21'), '14..28')
  assert.equal(around(limit, '4'), '2..7')
  assert.equal(around(limit, '99'), '66..100')
  assert.equal(around(limit, '4,6'), '')
  assert.equal(around(limit, ''), '')
  assert.equal(around({ kind: 'text', least: null, most: null }, '1d8'), '')
})
