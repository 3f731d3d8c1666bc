import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const FOLDERS = {
  $page: new URL('./src/', import.meta.url),
  $drawings: new URL('../src/cardhouse/drawings/', import.meta.url),
}

/** Resolve `$page/...`, `$drawings/...` and `...?raw` in Node as Vite does, for tests. */
registerHooks({
  resolve(name, context, next) {
    const [, folder, rest] = /^(\$\w+)\/(.*)$/.exec(name) ?? []
    const found = next(folder ? new URL(rest, FOLDERS[folder]).href : name, context)
    // No package.json above the games' views declares the module type.
    return found.url.endsWith('.ts') ? { ...found, format: 'module-typescript' } : found
  },
  load(url, context, next) {
    if (!url.endsWith('?raw')) return next(url, context)
    const text = readFileSync(fileURLToPath(url.slice(0, -4)), 'utf8')
    return { format: 'module', source: `export default ${JSON.stringify(text)}`, shortCircuit: true }
  },
})
