import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtTarget, targetSaid, varied } from './targets.ts'

const dead = { key: 'dead_by_3', text: 'dead by hit 3', series: '', share: true }
const weeks = { key: 'weeks', text: 'weeks of recovery', series: '', share: false }

test('a target is built of a finding, a relation and a number', () => {
  assert.equal(builtTarget({ finding: 'dead_by_3', relation: '=', number: '50' }, dead), 'dead_by_3 = 50%')
  assert.equal(builtTarget({ finding: 'dead_by_3', relation: '=', number: ' 50 % ' }, dead), 'dead_by_3 = 50%')
  assert.equal(builtTarget({ finding: 'weeks', relation: '<', number: '8' }, weeks), 'weeks < 8')
  assert.equal(builtTarget({ finding: 'weeks', relation: '<', number: ' ' }, weeks), '')
  assert.equal(builtTarget({ finding: 'weeks', relation: '<', number: '8' }, undefined), '')
})

test('a target is read with the words of its finding', () => {
  assert.equal(targetSaid('dead_by_3 = 50%', [weeks, dead]), 'dead by hit 3 = 50 %')
  assert.equal(targetSaid('mean recovery < 8 weeks', [weeks, dead]), 'mean recovery < 8 weeks')
})

test('what may be changed is written as on the command line', () => {
  assert.deepEqual(varied({ limit: ' 15..30', wounds: '' }), ['limit=15..30', 'wounds'])
})
