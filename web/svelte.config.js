import { fileURLToPath } from 'node:url'
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

/** Scoped styles are hashed by paths relative to this folder: builds don't depend on the checkout's location. */
const rootDir = fileURLToPath(new URL('..', import.meta.url))

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true, rootDir } }
