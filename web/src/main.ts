import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { at } from './lib/base.ts'
import { loadFonts } from './fonts.ts'
import { showInvalid } from './lib/invalid.ts'
import { applyPreferences } from './stores/preferences.svelte.ts'
import { keepTranslatable } from './lib/translated.ts'

const place = document.getElementById('app')!
// After an update, a game's view may import a newer page's entry script. The page must only be mounted once.
if (!place.hasChildNodes()) {
  applyPreferences()
  loadFonts()
  showInvalid(document)
  keepTranslatable(document.body)
  mount(App, { target: place })
}

/** The service worker, which caches the page's files for next time, waits until the first view is complete. */
const SHELL_MS = 3000
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  setTimeout(() => void navigator.serviceWorker.register(at('/sw.js')).catch(() => undefined), SHELL_MS)
