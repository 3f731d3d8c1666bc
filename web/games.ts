import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const MODULE = 'virtual:games'
const OURS = fileURLToPath(new URL('../src/cardhouse/games', import.meta.url))

/** What a game's folder may bring: what is `named` in the file, or all of it, which is fetched when it is needed. */
const BROUGHT = {
  views: { file: 'index.ts', named: null },
  judges: { file: 'judge/Judge.svelte', named: null },
  signs: { file: 'Sign.svelte', named: 'default' },
  hints: { file: 'hint.ts', named: 'hint' },
} as const

/** The page as it brings them: `virtual:games`, each game's parts by its name, which is that of its folder. */
export function games(strangers: string[]): Plugin {
  const ours = readdirSync(OURS).map((name) => join(OURS, name))
  const folders = [...ours.sort(), ...strangers.map((folder) => resolve(folder))]
  return {
    name: 'games',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: (id) => (id === `\0${MODULE}` ? written(folders) : undefined),
  }
}

function written(folders: string[]): string {
  const imports: string[] = []
  const tables = Object.entries(BROUGHT).map(([name, { file, named }]) => {
    const rows = folders.flatMap((folder) => {
      const path = join(folder, 'page', file)
      if (!existsSync(path)) return []
      const from = JSON.stringify(path)
      const game = JSON.stringify(basename(folder))
      if (named === null) return [`${game}: () => import(${from})`]
      imports.push(`import { ${named} as part${imports.length} } from ${from}`)
      return [`${game}: part${imports.length - 1}`]
    })
    return `export const ${name} = { ${rows.join(', ')} }`
  })
  return [...imports, ...tables].join('\n')
}
