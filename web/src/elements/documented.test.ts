import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { ATTRIBUTES } from './attributes.ts'
import { documented } from './documented.ts'

const TYPES = new URL('../../../src/cardhouse/views/contract.d.ts', import.meta.url)

test('the contract says a line of each element and of each of its attributes', () => {
  const found = documented(readFileSync(TYPES, 'utf8'))
  assert.deepEqual([...found.keys()], Object.keys(ATTRIBUTES))
  for (const [name, attributes] of Object.entries(ATTRIBUTES)) {
    const { about, lines } = found.get(name)!
    assert.match(about, /\.$/, name)
    assert.deepEqual(lines.map((line) => line.name).sort(), Object.keys(attributes).sort(), name)
    for (const { text } of lines) assert.match(text, /\.$/, name)
  }
})
