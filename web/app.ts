import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

const WORKER = fileURLToPath(new URL('./sw.js', import.meta.url))
/** Files of the shell that aren't built: those named in the page's head, and the app's icons. */
const STATIC = ['', 'look.js', 'sign.svg', 'cardhouse.webmanifest', 'icons/192.png']

/** Write the service worker, with the files that the first view needs and their hashes, once all are written. */
export function app(): Plugin {
  return {
    name: 'app',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir }, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
      const entry = chunks.find((chunk) => chunk.isEntry && chunk.name === 'index')!
      const files = [...STATIC, ...reached(chunks, entry)]
      const shell = files.map((file) => [file, hash(readFileSync(join(dir!, file || 'index.html')))])
      const source = readFileSync(WORKER, 'utf8')
        .replace('/* SHELL */ {}', JSON.stringify(Object.fromEntries(shell)))
        .replace("/* BUILD */ ''", JSON.stringify(hash(shell.join()).slice(0, 16)))
      writeFileSync(join(dir!, 'sw.js'), source)
    },
  }
}

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** Return the files of a chunk and of everything it imports, with their style sheets. */
function reached(chunks: Rolldown.OutputChunk[], chunk: Rolldown.OutputChunk): string[] {
  const found = new Set([chunk])
  for (const one of found)
    for (const name of one.imports) {
      const imported = chunks.find(({ fileName }) => fileName === name)
      if (imported) found.add(imported)
    }
  return [...found].flatMap((one) => [one.fileName, ...(one.viteMetadata?.importedCss ?? [])])
}
