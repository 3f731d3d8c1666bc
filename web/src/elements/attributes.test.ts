import assert from 'node:assert/strict'
import test from 'node:test'
import { fromAttribute, fromProperty, hyphened, type Kind } from './attributes.ts'

test('an attribute says a text, a number, words, or that it is there', () => {
  const said: [Kind, string | null, unknown][] = [
    ['text', 'H7', 'H7'],
    ['text', null, undefined],
    ['flag', '', true],
    ['flag', null, false],
    ['number', '0.36', 0.36],
    ['number', '', undefined],
    ['number', 'many', undefined],
    ['words', ' H7  SJ ', ['H7', 'SJ']],
    ['words', 'H7,SJ, D4', ['H7', 'SJ', 'D4']],
    ['words', '', []],
    ['words', null, undefined],
  ]
  for (const [kind, value, expected] of said) assert.deepEqual(fromAttribute(kind, value), expected)
  assert.equal(hyphened('leaveOut'), 'leave-out')
})

test('a property takes what its attribute would say, and nothing for null', () => {
  const set: [Kind, unknown, unknown][] = [
    ['text', null, undefined],
    ['text', 7, '7'],
    ['flag', undefined, false],
    ['number', '3', 3],
    ['number', 3, 3],
    ['words', 'H7 SJ', ['H7', 'SJ']],
    ['words', ['H7'], ['H7']],
    ['words', null, undefined],
    ['list', [{ x: 0, y: 0 }], [{ x: 0, y: 0 }]],
  ]
  for (const [kind, value, expected] of set) assert.deepEqual(fromProperty(kind, value), expected)
})

test('a property says what it is not', () => {
  assert.throws(() => fromProperty('words', 7), { name: 'TypeError', message: 'is a list, not 7' })
  assert.throws(() => fromProperty('words', [{ card: 'H7' }]), {
    message: 'is a list of texts such as "H7", not of {"card":"H7"}',
  })
  assert.throws(() => fromProperty('list', 'H7'), { message: 'is a list, not "H7"' })
  assert.throws(() => fromProperty('number', []), { message: 'is a number, not []' })
})
