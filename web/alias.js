import { registerHooks } from 'node:module'

/** Node finds what views call `$page/...`, as Vite and TypeScript do by their own settings: for the views' tests. */
registerHooks({
  resolve(name, context, next) {
    const found = next(name.replace(/^\$page\//, new URL('./src/', import.meta.url).href), context)
    // Above the views there is no package.json that says it.
    return found.url.endsWith('.ts') ? { ...found, format: 'module-typescript' } : found
  },
})
