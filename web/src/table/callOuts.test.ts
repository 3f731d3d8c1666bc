import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry, MomentWords } from '$contract'
import { callOutsOf, type CallOutContext } from './callOuts.ts'
import { pieces, plainText } from '../i18n/text.ts'

const WORDS: Record<string, MomentWords> = {
  dies: {
    title: '{name} is dead.',
    you: 'You are dead.',
    text: '{score} of {limit}.',
    card: 'card',
    tone: 'loss',
    mood: '',
  },
  rings: { title: 'It rings!', you: '', text: '', card: '', tone: '', mood: '' },
  red_joker: { title: 'The red joker!', you: '', text: '', card: 'RJ', tone: '', mood: '' },
}
const table = (you: string, view: object = {}): CallOutContext => ({
  game: { words: { moments: WORDS } },
  view,
  you,
  say: (text, about) => plainText(pieces(text, about), String, String),
})
const entry = (n: number, ...events: object[]): Entry => ({ n, by: 'gm', events: events as Entry['events'] })
const draws = { rule: 'H-1', key: 'draws', name: 'Ike', card: 'SK' }
const tooMuch = { rule: 'H-1', key: 'too_much', score: 29, limit: 21 }
const dies = (name: string) => ({ rule: 'H-1', key: 'dies', name })

test('a moment has the card and the numbers of what led to it', () => {
  const [moment] = callOutsOf([entry(1, draws, tooMuch, dies('Ike'))], table('ada'))
  assert.deepEqual(moment, {
    cards: ['SK'],
    rule: 'H-1',
    face: null,
    title: 'Ike is dead.',
    text: '29 of 21.',
    tone: 'loss',
    own: false,
  })
})

test('a moment may always have the same card', () => {
  const [moment] = callOutsOf([entry(1, { rule: 'H-1', key: 'red_joker' })], table('ada'))
  assert.deepEqual(moment!.cards, ['RJ'])
})

test('what befell another is no part of it', () => {
  const [moment] = callOutsOf([entry(1, draws, dies('Doc'))], table('ada'))
  assert.deepEqual(moment, {
    ...{ cards: [], rule: 'H-1', face: null },
    ...{ title: 'Doc is dead.', text: '', tone: 'loss', own: false },
  })
})

test('a moment has the card that is drawn after it, and the face as it is now', () => {
  const view = { characters: [{ name: 'Ike', controller: 'gm', alive: true, down: true }] }
  const wound = { ...draws, rule: 'HJ-18' }
  const [moment] = callOutsOf([entry(1, dies('Ike'), wound)], table('ada', view))
  assert.deepEqual(moment!.cards, ['SK'])
  assert.equal(moment!.rule, 'HJ-18')
  assert.deepEqual(moment!.face, { name: 'Ike', state: 'down' })
})

test("one's own comes first, and is told to oneself", () => {
  const view = { fight: { characters: [{ name: 'Doc', controller: 'ada' }] } }
  const found = callOutsOf([entry(1, dies('Ike')), entry(2, dies('Doc'))], table('ada', view))
  assert.deepEqual(
    found.map(({ title, own }) => [title, own]),
    [
      ['You are dead.', true],
      ['Ike is dead.', false],
    ],
  )
})

test('who dies for the game master is called by name', () => {
  const theirs = [{ name: 'Ike', controller: 'gm' }]
  assert.equal(callOutsOf([entry(1, dies('Ike'))], table('gm', { theirs }))[0]!.title, 'Ike is dead.')
})

test('of several of mine each is called by its name', () => {
  const mine = ['Doc', 'Nan'].map((name) => ({ name, controller: 'ada' }))
  assert.equal(callOutsOf([entry(1, dies('Doc'))], table('ada', { mine }))[0]!.title, 'Doc is dead.')
})

test('what was taken back, and more than one can follow, is left out', () => {
  assert.deepEqual(callOutsOf([{ ...entry(1, dies('Ike')), undone: true }], table('ada')), [])
  const many = Array.from({ length: 9 }, (_, n) => dies(`No. ${n}`))
  assert.deepEqual(
    callOutsOf([entry(1, ...many)], table('ada')).map(({ title }) => title),
    [5, 6, 7, 8].map((n) => `No. ${n} is dead.`),
  )
})
