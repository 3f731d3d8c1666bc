import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, joinLink, markCode, readSecrets, seatLink } from './links.ts'

const behind = (link: string) => link.slice(link.indexOf('#') + 1)

test('what a link is made of is read from it again', () => {
  assert.deepEqual(readSecrets(behind(seatLink('http://cards', 'k3v9x2ab', 'seat-_'))), {
    token: 'seat-_',
    joinSecret: '',
  })
  assert.deepEqual(readSecrets(behind(seatLink('http://cards', 'k3v9x2ab', 'tv', 'd-_r'))), {
    token: 'tv',
    joinSecret: 'd-_r',
  })
  assert.equal(joinLink('http://cards', 'k3v9x2ab', 'd-_r'), 'http://cards/j/k3v9x2ab#d-_r')
  const marked = markCode('k7mq3xvt', '0f0f')
  assert.equal(readSecrets(behind(seatLink('http://cards', 'k3v9x2ab', 'tv', marked))).joinSecret, marked)
  assert.equal(joinLink('http://cards', 'k3v9x2ab', marked), 'http://cards/j/k3v9x2ab#k7mq3xvt')
})

test('a link without secrets, or with more than is known, is read as far as it goes', () => {
  assert.deepEqual(readSecrets(''), { token: '', joinSecret: '' })
  assert.deepEqual(readSecrets('tv&later=1'), { token: 'tv', joinSecret: '' })
})

test('a code is read in two halves', () => {
  assert.equal(codeOf('http://house/j/abcdefgh#k7mq3xvt'), 'K7MQ 3XVT')
  assert.equal(codeOf('http://house/j/abcdefgh#f5fY8ZmQVFzVePafriQzkQ'), '')
  assert.equal(codeOf(''), '')
})
