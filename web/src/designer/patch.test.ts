import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, patched, patchOf } from './patch.ts'
import type { Json } from './schema.ts'

const DECK = {
  name: 'Pups',
  above: { any: [{ equal: true }] },
  cards: { pip: { size: 1, mood: 'sly' }, bo: { size: 4 } },
}
const OTHER = {
  name: 'Pups',
  above: { any: [{ equal: true }, { different: true }] },
  cards: { pip: { size: 3 }, rex: { size: [5, 6], wild: true } },
}

test('a patch makes one of the other, and is no longer than it need be', () => {
  const patch = patchOf(DECK, OTHER)
  assert.deepEqual(patched(DECK, patch), OTHER)
  assert.deepEqual(patchOf(DECK, DECK), {})
  assert.deepEqual(patch['cards'], { pip: { size: 3, mood: null }, bo: null, rex: { size: [5, 6], wild: true } })
})

test('each change is told by where it is', () => {
  const told = changesOf(DECK, OTHER).map(({ path, was, now }) => [path.join('.'), was, now])
  assert.deepEqual(told, [
    ['above.any', [{ equal: true }], [{ equal: true }, { different: true }]],
    ['cards.pip.size', 1, 3],
    ['cards.pip.mood', 'sly', undefined],
    ['cards.bo', { size: 4 }, undefined],
    ['cards.rex', undefined, { size: [5, 6], wild: true }],
  ])
})

test('what somebody put into an address is no way to another object', () => {
  const patch = JSON.parse('{"__proto__":{"bad":1},"cards":{"constructor":{"bad":1}}}') as Record<string, unknown>
  patched(DECK, patch)
  assert.equal((Object.prototype as Record<string, unknown>)['bad'], undefined)
  assert.equal((Object as unknown as Record<string, unknown>)['bad'], undefined)
})

test('cards may have the names of what every object has', () => {
  for (const name of ['constructor', '__proto__']) {
    const deck = JSON.parse(`{"cards": {"pip": {"size": 1}, "${name}": {"size": 2}}}`) as Json
    const other = JSON.parse(`{"cards": {"pip": {"size": 1}}}`) as Json
    for (const [from, to] of [
      [deck, other],
      [other, deck],
    ] as const) {
      const patch = patchOf(from, to)
      assert.equal(JSON.stringify(patched(from, patch)), JSON.stringify(to))
      assert.deepEqual(
        changesOf(from, to).map(({ path }) => path.join('.')),
        [`cards.${name}`],
      )
    }
  }
})
