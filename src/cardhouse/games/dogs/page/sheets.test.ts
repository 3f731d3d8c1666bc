import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TableContext } from '$page/client/context.svelte.ts'
import { unhealed, type Person } from './sheets.ts'

const at = (untreated: string) =>
  ({
    options: { untreated },
    word: (key: string) => key,
    say: (text: string, { name }: { name: string }) => `${name} ${text}`,
  }) as unknown as TableContext
const somebody = (condition: string) => ({ name: 'Amos', condition }) as Person

test('without a healer the injured live where it is so played, and nobody else does', () => {
  assert.equal(unhealed(at('long_term'), somebody('injured')), 'Amos unhealed_lives')
  assert.equal(unhealed(at('long_term'), somebody('mortally_wounded')), 'Amos unhealed_dies')
  assert.equal(unhealed(at('dies'), somebody('injured')), 'Amos unhealed_dies')
})
