import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from './files.ts'

const of = (...bytes: number[]) => textOf(new Blob([new Uint8Array(bytes)]))

test('a file from a spreadsheet is read in its own encoding', async () => {
  assert.equal(await of(0xff, 0xfe, 0x69, 0, 0xeb, 0), 'i\u00eb')
  assert.equal(await of(0xfe, 0xff, 0, 0x69, 0, 0xeb), 'i\u00eb')
  assert.equal(await of(0xef, 0xbb, 0xbf, 0x69, 0xc3, 0xab), 'i\u00eb')
})

test('what is no UTF-8 can be seen to be lost', async () => {
  assert.equal(await of(0x69, 0xeb), 'i\ufffd')
})
