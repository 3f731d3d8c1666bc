import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'
import { app } from './app.ts'
import { entries, games } from './games.ts'

/** Where the page is built, and the folders of strangers' games whose views it has as well. */
const { CARDHOUSE_PAGE: out = '../src/cardhouse/server/page', CARDHOUSE_GAMES = '[]' } = process.env
const LICENCES = 'licences.txt'
const packed = promisify(gzip)
const packedSmaller = promisify(brotliCompress)

/** Compressed copies beside what was built, for the server to send as they are. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async closeBundle() {
      const entries = readdirSync(out, { recursive: true, withFileTypes: true })
      const files = entries.filter(({ name }) => /\.(html|js|css|svg|json)$/.test(name))
      await Promise.all(
        files.map(async (entry) => {
          const file = join(entry.parentPath, entry.name)
          const content = readFileSync(file)
          const smallest = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
          writeFileSync(`${file}.gz`, await packed(content, { level: 9 }))
          writeFileSync(`${file}.br`, await packedSmaller(content, smallest))
        }),
      )
    },
  }
}

export default defineConfig({
  // A house may be opened under a path. Files name each other by where they are; only index.html says it whole, for the
  // page has many addresses, and the server writes the path into that (static.py).
  experimental: {
    renderBuiltUrl: (filename, { hostType }) => (hostType === 'html' ? `/${filename}` : { relative: true }),
  },
  plugins: [svelte(), games(), app(), precompress()],
  build: {
    outDir: out,
    emptyOutDir: true,
    // The notices of all packages whose code is in the scripts; each script says where they are.
    license: { fileName: LICENCES },
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Everything is a file of its own, so that a strict content security policy holds.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The library that draws plots is large, and fetched only when one is to be seen.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: entries(JSON.parse(CARDHOUSE_GAMES) as string[]),
      // A view's exports are asked for by the page, at an address that the server tells it.
      preserveEntrySignatures: 'allow-extension',
      output: { postBanner: `/*! The licences of the code in this file are in ${LICENCES} of this site. */` },
    },
  },
  // A game's view imports parts of the page from outside its folder; page and print share the drawings.
  resolve: {
    alias: {
      $page: fileURLToPath(new URL('./src', import.meta.url)),
      $drawings: fileURLToPath(new URL('../src/cardhouse/drawings', import.meta.url)),
    },
  },
  server: {
    fs: { allow: ['.', '../src/cardhouse/drawings', '../src/cardhouse/games', '../src/cardhouse/views'] },
    proxy: {
      '/api': 'http://127.0.0.1:8137',
      '/ws': { target: 'ws://127.0.0.1:8137', ws: true },
    },
  },
})
