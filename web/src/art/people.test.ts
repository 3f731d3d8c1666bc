import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { symbols } from './drawings.ts'
import { monster, monsterIn, person, portrait } from './people.ts'
import type { Humans, PortraitState } from './portraits.ts'

type Vector = [name: string, people: Humans, state: PortraitState, face: number, digest: string]

test('a portrait is the same as on paper', () => {
  const file = new URL('../../../tests/print/portraits.json', import.meta.url)
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[]
  const monsters = symbols(
    readFileSync(new URL('../../../src/cardhouse/drawings/monsters.svg', import.meta.url), 'utf8'),
  )
  assert.ok(vectors.length > 60)
  for (const [name, people, state, face, digest] of vectors) {
    const kind = state === 'hidden' ? undefined : monsterIn(name, people, face)
    const drawn = kind ? monster(kind, state, monsters) : portrait(name, people, state, face)
    assert.doesNotMatch(drawn, /undefined|var\(/, `${name}, ${people}, ${state}`)
    assert.equal(createHash('sha256').update(drawn).digest('hex').slice(0, 12), digest, `${name}, ${people}, ${state}`)
  }
})

test('no two of a table look alike, and a face goes by its name alone', () => {
  const names = 'Ann Ben Cat Dot Eve Fay Gus Hal Ida Joe Kim Leo Mia Ned Ola Pia Quinn Rex Sue Tom'.split(' ')
  for (const people of ['west', 'crypt', 'faith'] as const) {
    assert.equal(new Set(names.map((name) => portrait(name, people))).size, names.length)
    assert.equal(portrait(' ANN', people), portrait('Ann', people))
  }
})

test('what is chosen is drawn instead', () => {
  assert.equal(person('Ann', 'west').woman, true)
  assert.equal(person('Ann', 'west', { woman: false, beard: 'full' }).beard, 'full')
  assert.notEqual(portrait('Ann', 'west', 'up', 0, { hair: '#123456' }), portrait('Ann', 'west'))
})

test('nothing of somebody hidden is to be seen', () => {
  assert.equal(portrait('Ann', 'west', 'hidden'), portrait('Ben', 'west', 'hidden'))
})
