import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apply } from '../api/delta.ts'
import { lookUp } from './lookUp.ts'

const NAMES = ['constructor', 'toString', 'hasOwnProperty', '__proto__']

test('a name without an entry has no value, whatever Object.prototype has', () => {
  for (const name of NAMES) {
    assert.equal(lookUp({}, name), undefined)
    assert.equal(lookUp(JSON.parse(`{"${name}": 1}`) as Record<string, number>, name), 1)
  }
})

test('such names come, change and go like any others', () => {
  for (const name of NAMES) {
    const added = apply({}, JSON.parse(`{"${name}": [{"a": 1}]}`) as Record<string, unknown>)
    const changed = apply(added, JSON.parse(`{"${name}": {"a": [2]}}`) as Record<string, unknown>)
    assert.equal(JSON.stringify(changed), `{"${name}":{"a":2}}`)
    assert.equal(JSON.stringify(apply(changed, { '-': [name] })), '{}')
  }
})

test('no object of the page is read by a name that people type', () => {
  const here = import.meta.dirname
  const files = [join(here, '..'), join(here, '../../../src/cardhouse/games')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!test)\.(ts|svelte)$/.test(file))
      .map((file) => join(folder, file)),
  )
  const typed = String.raw`(?:String\()?(?:(?:person|fighter|character|member|one|round)\.(?:name|seat|player_one)\b|this\.chosen)`
  const byName = new RegExp(String.raw`[\w)]\??\.?\[${typed}|\b${typed} in \w`)
  const found = files.filter((file) => byName.test(readFileSync(file, 'utf8')))
  assert.deepEqual(found, [])
})
