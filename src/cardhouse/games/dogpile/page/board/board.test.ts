import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Illegal } from '../wire.ts'
import {
  boundsOf,
  broughtIn,
  cellAt,
  contactsOf,
  fitted,
  fittedBeside,
  isInSight,
  keyOf,
  layingOrder,
  marksOf,
  MIDDLE,
  pieceWith,
  PITCH,
  touching,
  zoomed,
  type Cell,
  type Look,
  type Size,
} from './board.ts'

const at = (x: number, y: number): Cell => ({ x, y })
const card = (card: string, x: number, y: number) => ({ card, x, y })
const keys = (cells: Cell[]) => cells.map(keyOf)

test('the cells that touch are empty and within reach, row by row', () => {
  assert.deepEqual(keys(touching([MIDDLE], 52)), ['0,1', '-1,0', '1,0', '0,-1'])
  assert.deepEqual(keys(touching([MIDDLE, at(1, 0)], 1)), ['0,1', '1,1', '-1,0', '0,-1', '1,-1'])
  assert.deepEqual(keys(touching([at(2, 2)], 2)), ['1,2', '2,1'])
})

test('cards are laid so that each touches one before it, else as they were put down', () => {
  const chain = [card('S3', 3, 0), card('S1', 1, 0), card('S2', 2, 0), card('H9', 9, 9)]
  const { order, loose } = layingOrder(chain, [MIDDLE])
  assert.deepEqual(
    order.map(({ card }) => card),
    ['S1', 'S2', 'S3'],
  )
  assert.deepEqual(
    loose.map(({ card }) => card),
    ['H9'],
  )
  const fine = [card('S1', 0, 1), card('S2', 1, 0)]
  assert.deepEqual(layingOrder(fine, [MIDDLE]), { order: fine, loose: [] })
})

test('every contact is found once, and the illegal ones whichever way the judge names them', () => {
  const cells = [MIDDLE, at(1, 0), at(0, 1), at(1, 1), at(3, 3)]
  const wrong = { a: [1, 1], b: [1, 0], rule: 'DG-12', reason: 'why' } as unknown as Illegal
  const contacts = contactsOf(cells, [wrong])
  assert.equal(contacts.length, 4)
  assert.deepEqual(
    contacts.filter(({ illegal }) => illegal).map(({ a, b }) => [keyOf(a), keyOf(b)]),
    [['1,1', '1,0']],
  )
})

test('what hangs together with the Pack Leader, corners not counted', () => {
  const cells = [MIDDLE, at(1, 0), at(2, 0), at(3, 1), at(3, 2)]
  assert.deepEqual([...pieceWith(MIDDLE, cells)], ['0,0', '1,0', '2,0'])
})

test('people are told apart by a letter, or two, or a number', () => {
  assert.deepEqual(marksOf(['Ada', 'Ben', 'Cleo']), ['A', 'B', 'C'])
  assert.deepEqual(marksOf(['ada', 'Amos', 'Ben']), ['AD', 'AM', 'B'])
  assert.deepEqual(marksOf(['Max', 'Max', '']), ['M1', 'M2', '?3'])
  const names = ['Anna', 'Anne', 'Ann', 'A', 'A2', 'B', 'Bo', 'bob']
  assert.equal(new Set(marksOf(names)).size, names.length)
})

test('a fitted board holds all its cards, whatever its size, and finds each where it is seen', () => {
  for (const size of [
    { width: 284, height: 200 },
    { width: 354, height: 420 },
    { width: 1200, height: 820 },
  ]) {
    for (const cells of [[MIDDLE], [at(-3, 4), at(5, 0)], [MIDDLE, at(0, 9)], [at(-20, -20), at(20, 20)]]) {
      const look = fitted(boundsOf(cells, 1), size)
      for (const cell of [MIDDLE, ...cells]) {
        assert.ok(isInSight(look, size, cell), `${keyOf(cell)} at ${look.zoom}`)
        const seen = { x: look.x + cell.x * PITCH.x * look.zoom, y: look.y - cell.y * PITCH.y * look.zoom }
        assert.deepEqual(cellAt(look, seen), cell)
      }
    }
  }
})

function assertBeside(cells: Cell[], look: Look, size: Size, corner: Size) {
  for (const cell of cells) {
    assert.ok(isInSight(look, size, cell), keyOf(cell))
    const bottom = look.y + (-cell.y * PITCH.y + 70) * look.zoom
    const right = look.x + (cell.x * PITCH.x + 50) * look.zoom
    assert.ok(bottom <= size.height / 2 - corner.height || right <= size.width / 2 - corner.width, keyOf(cell))
  }
}

test('no card lies under what stands in the corner of the board', () => {
  const [size, corner] = [
    { width: 360, height: 330 },
    { width: 176, height: 52 },
  ]
  const tall = [at(0, 1), MIDDLE, at(0, -1), at(1, -1), at(0, -2)]
  const look = fittedBeside(tall, 0.3, size, corner)
  assertBeside(tall, look, size, corner)
  assert.deepEqual(fittedBeside([MIDDLE], 0.3, size, corner), fitted(boundsOf([MIDDLE], 0.3), size))
})

test('no place that a card may go to lies under it', () => {
  const size = { width: 354, height: 355 }
  const corner = { width: 176, height: 52 }
  const laid = [MIDDLE, at(0, 1), at(-1, 1), at(-1, 2)]
  assertBeside(touching(laid, 52), fittedBeside(laid, 1, size, corner), size, corner)
})

test('where there is room to the left, cards beside it are as large as without it', () => {
  const size = { width: 366, height: 273 }
  const corner = { width: 176, height: 52 }
  const laid = [MIDDLE, at(0, 1), at(0, -1), at(-1, 0)]
  const look = fittedBeside(laid, 1, size, corner)
  assert.equal(look.zoom, fitted(boundsOf(laid, 1), size).zoom)
  assertBeside(touching(laid, 52), look, size, corner)
})

test('what is under the fingers stays there when one looks nearer', () => {
  const look = { x: 30, y: -12, zoom: 0.5 }
  const point = { x: 90, y: 40 }
  for (const factor of [1.5, 0.5, 1]) {
    assert.deepEqual(cellAt(zoomed(look, factor, point), point), cellAt(look, point))
  }
  assert.equal(zoomed(look, 1000, point).zoom, 2.4)
})

test('a cell out of sight is brought in, and no farther than to the edge', () => {
  const size = { width: 400, height: 300 }
  const look = { x: 0, y: 0, zoom: 1 }
  assert.deepEqual(broughtIn(look, size, at(1, 0)), look)
  assert.deepEqual(broughtIn(look, size, at(2, 0)), { x: -78, y: 0, zoom: 1 })
  assert.deepEqual(broughtIn(look, size, at(-2, -1)), { x: 78, y: -74, zoom: 1 })
  assert.ok(isInSight(broughtIn(look, size, at(7, -9)), size, at(7, -9)))
})
