import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'
import { app } from './app.ts'
import { entries, games } from './games.ts'

/** The output folder, and the folders of further games whose views are built with the page. */
const { CARDHOUSE_PAGE: out = '../src/cardhouse/server/page', CARDHOUSE_GAMES = '[]' } = process.env
const LICENCES = 'licences.txt'
const packed = promisify(gzip)
const packedSmaller = promisify(brotliCompress)

/** Write compressed copies next to the built files, for the server to send. */
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
  // A server may have a path prefix. Files refer to each other by relative addresses; only index.html, which is served
  // at many addresses, uses absolute ones, into which the server writes the prefix (server/core/static_cache.py).
  experimental: {
    renderBuiltUrl: (filename, { hostType }) => (hostType === 'html' ? `/${filename}` : { relative: true }),
  },
  plugins: [svelte(), games(), app(), precompress()],
  build: {
    outDir: out,
    emptyOutDir: true,
    // The licences of all packages in the scripts; each script refers to this file.
    license: { fileName: LICENCES },
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Inline no assets, so that a strict Content Security Policy works.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The library for plots is large, and only fetched for the first plot.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: entries(JSON.parse(CARDHOUSE_GAMES) as string[]),
      // The page imports a view's exports from an address that the server sends.
      preserveEntrySignatures: 'allow-extension',
      output: { postBanner: `/*! The licences of the code in this file are in ${LICENCES} of this site. */` },
    },
  },
  // Games' views import modules of the page; page and print share the drawings.
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
