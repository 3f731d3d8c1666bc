import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../board/board.ts'
import { besideWhat, heading, nextCell, piecesOf, read, TO_THE_RIGHT, written } from './layout.ts'

const card = (card: string, x: number, y: number) => ({ card, x, y })
const at = (x: number, y: number): Cell => ({ x, y })

test('a layout that is written is read again, row by row', () => {
  const cards = [card('HA', 0, -1), card('SQ', 1, 0), card('a-dog_1', -4, 0)]
  assert.deepEqual(read(written(cards)), [cards[2], cards[1], cards[0]])
  assert.deepEqual(read(written([])), [])
})

test('what is no layout is not read', () => {
  for (const text of ['', '{}', '[1]', '[null]', '[{"card":"SQ","x":0}]', '[{"card":1,"x":0,"y":0}]'])
    assert.equal(read(text), null, text)
  for (const x of ['0.5', '"0"', 'null']) assert.equal(read(`[{"card":"SQ","x":${x},"y":0}]`), null, x)
})

test('pieces hang together by sides, the largest first', () => {
  const pieces = piecesOf([at(0, 0), at(1, 1), at(2, 1), at(2, 2)])
  assert.deepEqual(
    pieces.map((piece) => [...piece].sort()),
    [['1,1', '2,1', '2,2'], ['0,0']],
  )
})

test('the next card goes on in the same direction, and round the corner where there is no room', () => {
  assert.deepEqual(nextCell([at(0, 0)], at(0, 0), TO_THE_RIGHT), at(1, 0))
  const down = heading(at(3, 3), at(3, 2), TO_THE_RIGHT)
  assert.deepEqual(nextCell([at(3, 3), at(3, 2)], at(3, 2), down), at(3, 1))
  assert.deepEqual(heading(at(3, 3), at(7, 7), down), down)
  assert.deepEqual(nextCell([at(0, 0), at(1, 0)], at(0, 0), TO_THE_RIGHT), at(0, -1))
  const shut = [at(0, 0), at(1, 0), at(-1, 0), at(0, 1), at(0, -1)]
  assert.ok(!shut.some(({ x, y }) => x === nextCell(shut, at(0, 0), down).x && y === nextCell(shut, at(0, 0), down).y))
})

test('a place is said by the card it is beside', () => {
  const cards = [card('SQ', 0, 0), card('SK', 2, 0)]
  assert.deepEqual(besideWhat(cards, at(1, 0)), { card: 'SQ', side: 'right' })
  assert.deepEqual(besideWhat(cards, at(2, 1)), { card: 'SK', side: 'above' })
  assert.equal(besideWhat(cards, at(5, 5)), null)
})
