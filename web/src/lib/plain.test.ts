import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asButtons, columnsOf, furtherOf, isEmpty, ownHand, playedFrom, summaryOf, without } from './plain.ts'

test('what there is nothing to say of is left out', () => {
  for (const value of [null, undefined, '', [], {}, false, { a: [], b: { c: null } }]) assert(isEmpty(value))
  for (const value of [0, true, 'x', [0], { a: 0 }]) assert(!isEmpty(value))
})

test("one's own hand is found where games have it", () => {
  assert.deepEqual(ownHand({ hand: ['H7', 'SA'] }, 'p1'), { cards: ['H7', 'SA'], at: ['hand'] })
  assert.deepEqual(ownHand({ hands: { p1: ['H7'], p2: 3 } }, 'p1'), { cards: ['H7'], at: ['hands', 'p1'] })
  const players = [
    { seat: 'p2', hand: 3 },
    { seat: 'p1', hand: ['D4'] },
  ]
  assert.deepEqual(ownHand({ players }, 'p1'), { cards: ['D4'], at: ['players', 1, 'hand'] })
  assert.equal(ownHand({ players }, 'p2'), null)
  assert.equal(ownHand(null, 'p1'), null)
  assert.deepEqual(without({ players, n: 1 }, ['players', 1, 'hand']), {
    players: [
      { seat: 'p2', hand: 3 },
      { seat: 'p1', hand: undefined },
    ],
    n: 1,
  })
})

test('a state says a few values of itself in a line', () => {
  const { line, rest } = summaryOf({ round: 2, trump: 'H7', none: null, over: false, left: 0, players: [] })
  assert.deepEqual(line, [
    ['round', 2],
    ['left', 0],
  ])
  assert.deepEqual(rest, { trump: 'H7', none: null, over: false, players: [] })
})

test('what is the same kind stands in columns', () => {
  const rows = [
    { seat: 'gm', card: null, wins: 1, out: false, things: [] },
    { seat: 'p1', card: 'H7', wins: 0, out: false, things: [{ name: 'a hat' }] },
  ]
  assert.deepEqual(columnsOf(rows), ['card', 'wins'])
  assert.deepEqual(furtherOf(rows[1]!, ['card', 'wins']), [['things', [{ name: 'a hat' }]]])
})

test('few choices that the words name are buttons, and cards of a hand are played from it', () => {
  const play = { do: 'play', fields: { card: { enum: ['H7', 'SA'], format: 'card' } } }
  assert.equal(asButtons(play, 'Play {card:card}').length, 2)
  assert.equal(asButtons(play, 'Play a card').length, 1)
  assert.equal(asButtons({ ...play, optional: ['card'] }, 'Play {card:card}').length, 1)
  assert.deepEqual(playedFrom([play], ['SA', 'H7', 'D2']), [play])
  assert.deepEqual(playedFrom([play], ['H7']), [])
})
