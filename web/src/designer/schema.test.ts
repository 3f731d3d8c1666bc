import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsedList, fieldKind, parsed, withField, typedForm } from './schema.ts'

test('what is asked for is what the schema says', () => {
  const defs = { Check: { type: 'object', properties: { failed: { enum: ['dazed'] } } } }
  const kind = (schema: object, required = false) => fieldKind(schema, defs, required).kind
  assert.equal(kind({ enum: ['a', 'b'] }), 'one')
  assert.equal(kind({ anyOf: [{ enum: ['a'] }, { type: 'null' }] }), 'one')
  assert.equal(kind({ anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^d' }] }), 'text')
  assert.equal(kind({ anyOf: [{ type: 'integer' }, { enum: ['half'] }] }), 'text')
  assert.equal(kind({ type: 'array', items: { enum: ['a'] } }), 'some')
  assert.equal(kind({ type: 'array', items: { $ref: '#/$defs/Check' } }), 'list')
  assert.equal(kind({ anyOf: [{ $ref: '#/$defs/Check' }, { type: 'null' }] }), 'parts')
  assert.equal(kind({ type: 'object', additionalProperties: { type: 'integer' } }), 'table')
  assert.equal(fieldKind({ type: 'string' }, defs, true).optional, false)
})

test('several things are listed with commas', () => {
  assert.deepEqual(
    [parsedList('3, 8'), parsedList('a,b'), parsedList('3,'), parsedList('x')],
    [[3, 8], ['a', 'b'], '3,', 'x'],
  )
  assert.deepEqual([typedForm([3, 8]), typedForm('x'), typedForm(undefined)], ['3, 8', 'x', ''])
})

test('numbers are numbers, and what says nothing is left out', () => {
  assert.deepEqual([parsed(' 12 '), parsed('-3'), parsed('1d4'), parsed('')], [12, -3, '1d4', ''])
  assert.deepEqual(withField({ a: 1, b: 2 }, 'a', 3), { a: 3, b: 2 })
  assert.deepEqual(Object.keys(withField({ a: 1, b: 2 }, 'a', 3)), ['a', 'b'])
  assert.equal(JSON.stringify(withField({ a: 1 }, 'constructor', 3)), '{"a":1,"constructor":3}')
  assert.deepEqual(withField({ a: 1 }, 'a', []), {})
  assert.deepEqual(withField({ a: 1 }, 'b', 0), { a: 1, b: 0 })
})
