import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSecrets } from './links.ts'
import { linkIn, secretIn } from './secrets.ts'

const TOKEN = '-f5fY8ZmQVFzVePafriQz_'
const CODE = 'k7mq3xvt'
const AFTER = ['', '.', ',', ')', '>', '"', '%22', '**', '_', '*_', '%20', ' and so on', '\u200b', '%E2%80%8B', '%']
const TRACKED = ['?utm_source=x', '&fbclid=IwAR0abc', '?fbclid=1&utm=2']

test('a secret is found whatever follows it', () => {
  for (const after of [...AFTER, ...TRACKED]) {
    assert.equal(secretIn(TOKEN + after), TOKEN, after)
    assert.equal(secretIn(CODE + after), CODE, after)
    assert.equal(secretIn(CODE.toUpperCase() + after), CODE, after)
  }
})

test('the secrets of the table screen are found whatever follows them', () => {
  const both = { token: TOKEN, joinSecret: CODE }
  for (const after of [...AFTER, ...TRACKED])
    for (const and of ['&', '&amp;']) assert.deepEqual(readSecrets(`${TOKEN}${and}join=${CODE}${after}`), both, after)
})

test('a link is found in what people paste', () => {
  for (const before of ['', 'https://cards.example/', 'Join us: **<https://cards.example/cards/'])
    for (const after of AFTER) {
      const secret = linkIn(`${before}j/abcdefgh#${CODE}${after}`)
      assert.equal(secretIn(secret.split('#')[1]!), CODE, before + after)
      assert.ok(secret.startsWith('/j/abcdefgh#'))
    }
  assert.equal(linkIn(`/t/abcdefgh%23${TOKEN}`), `/t/abcdefgh#${TOKEN}`)
  assert.equal(linkIn(`/t/abcdefgh?fbclid=1#${TOKEN}`), `/t/abcdefgh#${TOKEN}`)
  assert.equal(linkIn(`//t/abcdefgh/#${TOKEN}`), `/t/abcdefgh#${TOKEN}`)
  assert.equal(linkIn(`HTTPS://CARDS.EXAMPLE/J/ABCDEFGH#${CODE}`), `/j/abcdefgh#${CODE}`)
})

test('a text without a link has none, and a secret that was cut stays cut', () => {
  for (const text of ['', 'K7MQ 3XVT', '/lab/hackjack/wounds', '/', '/t/short#x']) assert.equal(linkIn(text), '', text)
  assert.equal(secretIn(TOKEN.slice(0, 18)), TOKEN.slice(0, 18))
  assert.equal(secretIn(''), '')
})
