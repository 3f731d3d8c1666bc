import { fileURLToPath } from 'node:url'
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

/** Styles are told apart by where their files lie below this folder: the page is the same wherever the checkout lies. */
const rootDir = fileURLToPath(new URL('..', import.meta.url))

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true, rootDir } }
