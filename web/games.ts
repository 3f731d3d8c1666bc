import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

/** What every page needs is one file, whoever shares which part of it: many small ones are larger together. */
const PAGE = 'page'

const OURS = fileURLToPath(new URL('../src/cardhouse/games', import.meta.url))
const INDEX = fileURLToPath(new URL('./index.html', import.meta.url))

/** The modules that a game's folder may bring (docs/page-contract.md), by what the server calls them. */
const MODULES = {
  view: 'index.ts',
  options: 'options.ts',
  judge: 'judge.ts',
  minute: 'minute.ts',
  characters: 'characters.ts',
} as const

/** A module by its address, the style sheets it goes with, and the modules it asks for that the page hasn't got. */
interface Module {
  module: string
  styles: string[]
  preload: string[]
}

/** What of games is built: ours, and those of further folders; each module's name is its game's and its own. */
export function entries(strangers: string[]): Record<string, string> {
  const ours = readdirSync(OURS).map((name) => join(OURS, name))
  const found = [...ours.sort(), ...strangers.map((folder) => resolve(folder))].flatMap((folder) =>
    Object.entries(MODULES).map(([part, file]) => [`${basename(folder)}.${part}`, join(folder, 'page', file)] as const),
  )
  return { index: INDEX, ...Object.fromEntries(found.filter(([, file]) => existsSync(file))) }
}

/** Says in `games.json` where the games' modules are, for the server to tell as it tells of those of other packages. */
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
      const there = new Set(reached(chunks, entry('index')!))
      const told: Record<string, Record<string, Module>> = {}
      for (const chunk of chunks.values()) {
        const [game, part] = chunk.name.split('.')
        if (chunk.isEntry && part) (told[game!] ??= {})[part] = moduleOf(chunk, chunks, there)
      }
      this.emitFile({ type: 'asset', fileName: 'games.json', source: JSON.stringify(told) })
    },
  }
}

type Chunks = Map<string, Rolldown.OutputChunk>

function moduleOf(chunk: Rolldown.OutputChunk, chunks: Chunks, there: Set<Rolldown.OutputChunk>): Module {
  const more = reached(chunks, chunk).filter((one) => !there.has(one))
  const styles = new Set(more.flatMap((one) => [...(one.viteMetadata?.importedCss ?? [])]))
  const preload = more.filter((one) => one !== chunk).map(({ fileName }) => `/${fileName}`)
  return { module: `/${chunk.fileName}`, styles: [...styles].map((file) => `/${file}`), preload }
}

/** A chunk and all that it imports, each after what it imports itself. */
function reached(chunks: Chunks, chunk: Rolldown.OutputChunk, seen = new Set<string>()): Rolldown.OutputChunk[] {
  if (seen.has(chunk.fileName)) return []
  seen.add(chunk.fileName)
  const further = chunk.imports.flatMap((name) => {
    const imported = chunks.get(name)
    return imported ? reached(chunks, imported, seen) : []
  })
  return [...further, chunk]
}
