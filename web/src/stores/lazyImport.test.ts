import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'node:test'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Drawings and typefaces, without which the page works; and a game's own view, which has a message of its own. */
const OTHERS = ['art/portraits.ts', 'art/courts.ts', 'wounds/wounds.ts', 'src/fonts.ts', 'views/views.ts']

test('every part of the page that is loaded later is missed with a sentence', () => {
  const files = globSync(['web/src/**/*.{ts,svelte}', 'src/cardhouse/games/*/page/**/*.{ts,svelte}'], { cwd: ROOT })
  const bare = files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.ts$/.test(file) && !OTHERS.some((other) => file.endsWith(other)))
    .filter((file) =>
      /(?<!(?:lazy(?:Import|Part|Help|Page)|showsLater)\(\s*\(\) => |typeof )\bimport\(/.test(
        readFileSync(`${ROOT}/${file}`, 'utf8'),
      ),
    )
  assert.ok(files.length > 300)
  assert.deepEqual(bare, [])
})
