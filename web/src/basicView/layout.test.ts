import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCard } from '../lib/cards.ts'
import { columnsOf, kindOf, oddsAbout, otherOdds, ownHands, rowsOf, withoutHands, ownNames } from './layout.ts'

const VIEW = {
  round: 1,
  players: [
    { seat: 'gm', hand: 2, card: null, out: false, wins: 0 },
    { seat: 'ada', hand: ['H7', 'SA'], card: 'C2', out: true, wins: 0 },
  ],
}

test('what is nothing is told from what is little', () => {
  for (const nothing of [null, undefined, false, '', [], {}, { a: null, b: [] }]) {
    assert.equal(kindOf(nothing, isCard), 'nothing')
  }
  assert.equal(kindOf(0, isCard), 'plain')
  assert.equal(kindOf('H7', isCard), 'card')
  assert.equal(kindOf(['H7', null], isCard), 'cards')
  assert.equal(kindOf(['one', 'two'], isCard), 'plains')
  assert.equal(kindOf([{ a: 1 }], isCard), 'rows')
})

test('an object of like things is rows, another is not', () => {
  assert.equal(kindOf({ ada: { wins: 1 }, ben: { wins: 2 } }, isCard), 'rows')
  assert.equal(kindOf({ order: { round: 1 }, fight: { limit: 21 } }, isCard), 'group')
  assert.equal(kindOf({ ada: 1, ben: 2 }, isCard), 'group')
})

test('a row begins with its card and its name, and what no row has is left out', () => {
  const columns = columnsOf(rowsOf(VIEW.players), isCard)
  assert.deepEqual(columns, { lead: 'card', name: 'seat', flags: ['out'], facts: ['hand', 'wins'], below: [] })
})

test('things without a name are called by what tells them apart', () => {
  const rows = rowsOf([
    { ability: 'STR', now: 3 },
    { ability: 'DEX', now: 4 },
  ])
  assert.equal(columnsOf(rows, isCard).name, 'ability')
})

test('a hand is found wherever a view may have it, and nobody else’s is', () => {
  const held = (view: unknown, seat: string) => ownHands(view, seat, isCard)
  assert.deepEqual(held(VIEW, 'ada'), [{ name: '', cards: ['H7', 'SA'] }])
  assert.deepEqual(held(VIEW, 'gm'), [])
  assert.deepEqual(held({ hand: ['H7'] }, 'ada'), [{ name: '', cards: ['H7'] }])
  assert.deepEqual(held({ hands: { ada: ['H7'], ben: ['C2'] } }, 'ada'), [{ name: '', cards: ['H7'] }])
  const played = { people: [{ name: 'Nan', controller: 'ada' }], fight: { hands: { Nan: ['H7'], Di: ['C2'] } } }
  assert.deepEqual(held(played, 'ada'), [{ name: 'Nan', cards: ['H7'] }])
})

test('what lies in the hand is not shown a second time', () => {
  const own = ownNames(VIEW, 'ada')
  assert.equal(withoutHands(VIEW.players[1]!, 'ada', own, isCard, false).hand, 2)
  assert.deepEqual(withoutHands(VIEW.players[1]!, 'gm', ownNames(VIEW, 'gm'), isCard, false).hand, ['H7', 'SA'])
})

test('odds stand beside whom they are about, and the others by themselves', () => {
  const odds = { ada: { wins: 0.5, if: { low: 0.25, all: { a: 1 } } }, tie: 0.1 }
  assert.deepEqual(oddsAbout(odds, 'ada'), [
    { path: ['wins'], value: 0.5 },
    { path: ['if', 'low'], value: 0.25 },
  ])
  assert.deepEqual(oddsAbout({ ada: 0.5 }, 'ada'), [{ path: [], value: 0.5 }])
  assert.deepEqual(otherOdds(odds, VIEW), { tie: 0.1 })
  assert.equal(otherOdds({ fight: { Nan: { dies: 1 } } }, { fight: { people: [{ name: 'Nan' }] } }), null)
})
