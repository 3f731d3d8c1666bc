import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chain, leadsTo } from './chain.ts'
import { hashOfHex } from './hash.ts'

const SECRET = '00'.repeat(32)

test('each link hashes to the one given before it, the first to the anchor', () => {
  const chain = new Chain(undefined, 5)
  let before = chain.anchor
  for (let number = 1; number <= 5; number++) {
    const link = chain.next()!
    assert.equal(hashOfHex(link), before)
    before = link
  }
  assert.equal(chain.next(), null)
})

test('a chain that was kept goes on where it was', () => {
  const chain = new Chain({ secret: SECRET, given: 0 }, 5)
  chain.next()
  const again = new Chain(chain.stored(), 5)
  assert.equal(again.anchor, chain.anchor)
  assert.equal(again.next(), chain.next())
})

test('two chains have nothing in common', () => {
  assert.notEqual(new Chain().anchor, new Chain().anchor)
})

test('links may be missing between two, but lead nowhere else', () => {
  const chain = new Chain({ secret: SECRET, given: 0 }, 5)
  chain.next()
  const third = [chain.next(), chain.next()].at(-1)!
  assert.ok(leadsTo(third, chain.anchor))
  assert.ok(!leadsTo(chain.anchor, third))
})
