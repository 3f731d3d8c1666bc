import assert from 'node:assert/strict'
import { test } from 'node:test'
import { benchesOf, MOST, shownOn, type BenchSide } from './bench.ts'

const people = (...names: string[]) => names.map((name) => ({ name }))
const side = (title: string, ...names: string[]): BenchSide => ({ title, people: people(...names) })
const namesOn = ({ people }: BenchSide) => people.map(({ name }) => name).join(' ')

test('two sides have a bench each', () => {
  assert.deepEqual(benchesOf([side('Law', 'a'), side('Gang', 'b', 'c')]).map(namesOn), ['a', 'b c'])
})

test('one side is on both benches, and the first has the odd one', () => {
  const [left, right] = benchesOf([side('Law', 'a', 'b', 'c')])
  assert.deepEqual([namesOn(left), namesOn(right)], ['a b', 'c'])
  assert.deepEqual([left.title, right.title], ['Law', ''])
})

test('more sides share benches of like length', () => {
  const sides = [side('A', 'a', 'b'), side('B', 'c'), side('C', 'd', 'e'), side('D', 'f')]
  assert.deepEqual(benchesOf(sides).map(namesOn), ['a b c', 'd e f'])
  assert.deepEqual(
    benchesOf(sides).map(({ title }) => title),
    ['A · B', 'C · D'],
  )
})

test('nobody is on a bench before anyone comes', () => {
  assert.deepEqual(benchesOf([]).map(namesOn), ['', ''])
})

test('of too many, those who act next are shown, in their order', () => {
  const many = Array.from({ length: MOST + 2 }, (_, place) => ({ name: `${place}`, rank: place < 2 ? 9 : 0 }))
  assert.deepEqual(
    shownOn(many).map(({ name }) => name),
    many.slice(2).map(({ name }) => name),
  )
  assert.equal(shownOn(many.slice(0, MOST)).length, MOST)
})
