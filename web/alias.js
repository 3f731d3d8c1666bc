import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const FOLDERS = {
  $page: new URL('./src/', import.meta.url),
  $drawings: new URL('../src/cardhouse/drawings/', import.meta.url),
}

/** Node finds what is called `$page/...` or `$drawings/...`, and reads `...?raw`, as Vite does: for the views' tests. */
registerHooks({
  resolve(name, context, next) {
    const [, folder, rest] = /^(\$\w+)\/(.*)$/.exec(name) ?? []
    const found = next(folder ? new URL(rest, FOLDERS[folder]).href : name, context)
    // Above the views there is no package.json that says it.
    return found.url.endsWith('.ts') ? { ...found, format: 'module-typescript' } : found
  },
  load(url, context, next) {
    if (!url.endsWith('?raw')) return next(url, context)
    const text = readFileSync(fileURLToPath(url.slice(0, -4)), 'utf8')
    return { format: 'module', source: `export default ${JSON.stringify(text)}`, shortCircuit: true }
  },
})
