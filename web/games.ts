import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

/** The chunk of everything that all pages need: one file compresses better than many small ones. */
const PAGE = 'page'

const OURS = fileURLToPath(new URL('../src/cardhouse/games', import.meta.url))
const INDEX = fileURLToPath(new URL('./index.html', import.meta.url))

/** The modules that a game's folder may have (docs/page-contract.md), by the server's names for them. */
const MODULES = {
  view: 'index.ts',
  options: 'options.ts',
  judge: 'judge.ts',
  minute: 'minute.ts',
  characters: 'characters.ts',
} as const

/** A module's address, its style sheets, and the modules to preload because the page doesn't have them. */
interface Module {
  module: string
  styles: string[]
  preload: string[]
}

/** Return the entry points of our games and of further folders, each named after its game and module. */
export function entries(others: string[]): Record<string, string> {
  const ours = readdirSync(OURS).map((name) => join(OURS, name))
  const found = [...ours.sort(), ...others.map((folder) => resolve(folder))].flatMap((folder) =>
    Object.entries(MODULES).map(([part, file]) => [`${basename(folder)}.${part}`, join(folder, 'page', file)] as const),
  )
  return { index: INDEX, ...Object.fromEntries(found.filter(([, file]) => existsSync(file))) }
}

/** Write the addresses of the games' modules to `games.json`, for the server. */
export function games(): Plugin {
  const first = new Set<string>()
  return {
    name: 'games',
    apply: 'build',
    enforce: 'post',
    config: () => ({
      build: {
        rolldownOptions: { output: { codeSplitting: { groups: [{ name: PAGE, test: (id) => first.has(id) }] } } },
      },
    }),
    buildEnd() {
      const reach = (id: string) => {
        if (first.has(id)) return
        first.add(id)
        this.getModuleInfo(id)?.importedIds.forEach(reach)
      }
      reach(INDEX)
    },
    generateBundle(_, bundle) {
      const chunks = new Map(
        Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one]] : [])),
      )
      const entry = (name: string) => [...chunks.values()].find((chunk) => chunk.isEntry && chunk.name === name)
      const present = new Set(reached(chunks, entry('index')!))
      const modules: Record<string, Record<string, Module>> = {}
      for (const chunk of chunks.values()) {
        const [game, part] = chunk.name.split('.')
        if (chunk.isEntry && part) (modules[game!] ??= {})[part] = moduleOf(chunk, chunks, present)
      }
      this.emitFile({ type: 'asset', fileName: 'games.json', source: JSON.stringify(modules) })
    },
  }
}

type Chunks = Map<string, Rolldown.OutputChunk>

function moduleOf(chunk: Rolldown.OutputChunk, chunks: Chunks, present: Set<Rolldown.OutputChunk>): Module {
  const more = reached(chunks, chunk).filter((one) => !present.has(one))
  const styles = new Set(more.flatMap((one) => [...(one.viteMetadata?.importedCss ?? [])]))
  const preload = more.filter((one) => one !== chunk).map(({ fileName }) => `/${fileName}`)
  return { module: `/${chunk.fileName}`, styles: [...styles].map((file) => `/${file}`), preload }
}

/** Return a chunk and everything it imports, each after its own imports. */
function reached(chunks: Chunks, chunk: Rolldown.OutputChunk, seen = new Set<string>()): Rolldown.OutputChunk[] {
  if (seen.has(chunk.fileName)) return []
  seen.add(chunk.fileName)
  const further = chunk.imports.flatMap((name) => {
    const imported = chunks.get(name)
    return imported ? reached(chunks, imported, seen) : []
  })
  return [...further, chunk]
}
