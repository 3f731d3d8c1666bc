import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { dog, dogOf, dogPortrait } from './hounds.ts'

type Vector = [of: string, known: Record<string, unknown>, digest: string]

test('a dog is the same as on paper', () => {
  const file = new URL('../../../tests/print/hounds.json', import.meta.url)
  for (const [of, known, digest] of JSON.parse(readFileSync(file, 'utf8')) as Vector[]) {
    const drawn = dog(dogOf(of, known))
    assert.doesNotMatch(drawn, /undefined|var\(/, of)
    assert.equal(createHash('sha256').update(drawn).digest('hex').slice(0, 12), digest, of)
  }
})

test('a dog wears the collar it is given', () => {
  assert.match(dogPortrait('Ann', 'up', '#123456'), /#123456/)
  assert.doesNotMatch(dogPortrait('Ann', 'up', '#123456'), /#c9352b/)
})
