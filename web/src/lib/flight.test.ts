import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnsIn } from './flight.ts'

const event = (card?: string) => ({ rule: 'IN-7', key: 'k', ...(card ? { card } : {}) })

test('cards move in the order in which they are told of, each once', () => {
  const turns = turnsIn([{ events: [event('BJ'), event('HK'), event()] }, { events: [event('HK'), event('S5')] }])
  assert.deepEqual([...turns.keys()], ['BJ', 'HK', 'S5'])
  const [first, second, third] = [...turns.values()]
  assert.ok(first === 0 && second! > 0 && third! > second!)
})

test('many cards do not take for ever', () => {
  const turns = turnsIn([{ events: Array.from({ length: 50 }, (_, n) => event(`card ${n}`)) }])
  assert.ok(Math.max(...turns.values()) <= 2000)
})
