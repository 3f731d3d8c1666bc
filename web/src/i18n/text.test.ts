import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percent, percents, pieces, plainText, readable } from './text.ts'

const said = (text: string, about: Record<string, unknown>) =>
  plainText(
    pieces(text, about),
    (card) => `<${card}>`,
    (seat) => `[${seat}]`,
  )

test('blanks are names, cards, seats and counts', () => {
  assert.equal(said('{name} waits with {card:card}.', { name: 'Nan', card: 'S10' }), 'Nan waits with <S10>.')
  assert.equal(said('{by:seat} took it back.', { by: 'p1' }), '[p1] took it back.')
  assert.equal(said('{n:count:one card|# cards} left', { n: 1 }), 'one card left')
  assert.equal(said('{n:count:one card|# cards} left', { n: 7 }), '7 cards left')
  assert.equal(said('{cards:card}', { cards: ['S10', 'HA'] }), '<S10>, <HA>')
})

test('values have words of their own', () => {
  const values = { 'tier.elite': 'among the best' }
  const shown = (tier: unknown) => plainText(pieces('{tier:value}', { tier }, values), String, String)
  assert.deepEqual(['elite', 'odd', ['elite', 'odd']].map(shown), ['among the best', 'odd', 'among the best, odd'])
})

test('a blank about nothing is empty, or what the game calls it', () => {
  assert.equal(said('{name}!', {}), '!')
  const called = pieces('Left: {cards:card}.', { cards: [] }, { 'cards.none': 'none' })
  assert.equal(plainText(called, String, String), 'Left: none.')
})

test('a word without a name is made readable', () => {
  assert.equal(readable('remove_character'), 'Remove character')
})

test('a chance is never or always only if it is', () => {
  assert.deepEqual([0, 0.004, 0.335, 0.996, 1].map(percent), ['0%', '<1%', '34%', '>99%', '100%'])
})

test("a field is called by its name, and its value as that field's", () => {
  const values = { 'rank.mate': 'first mate', 'rank.none': 'nobody', 'put_right.true': 'yes' }
  const say = (now: unknown) =>
    plainText(pieces('{what:field}: {now:as:what}', { what: 'rank', now }, values, { rank: 'Rank' }), String, String)
  assert.equal(say('mate'), 'Rank: first mate')
  assert.equal(say(true), 'Rank: yes')
  assert.equal(say(null), 'Rank: nobody')
  assert.equal(say([]), 'Rank: nobody')
  assert.equal(say([3, 'mate']), 'Rank: 3, first mate')
})

test('shares of a whole make a hundred', () => {
  assert.deepEqual(percents([0.605, 0.395]), [61, 39])
  assert.deepEqual(percents([1 / 3, 1 / 3, 1 / 3]), [34, 33, 33])
  assert.deepEqual(percents([0.29, 0.71]), [29, 71])
  assert.deepEqual(percents([1, 0]), [100, 0])
  assert.deepEqual(percents([]), [])
})
