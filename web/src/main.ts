import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { at } from './lib/base.ts'
import { bringFaces } from './fonts.ts'
import { tellInvalid } from './lib/invalid.ts'
import { applyLikes } from './stores/preferences.svelte.ts'
import { keepWhole } from './lib/translated.ts'

const place = document.getElementById('app')!
// A game's view may be made of a newer page's parts, which bring that page's beginning along: there is one page already.
if (!place.hasChildNodes()) {
  applyLikes()
  bringFaces()
  tellInvalid(document)
  keepWhole(document.body)
  mount(App, { target: place })
}

/** The first view comes first: the app's shell is kept for the next time when that has long been there. */
const SHELL_MS = 3000
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  setTimeout(() => void navigator.serviceWorker.register(at('/sw.js')).catch(() => undefined), SHELL_MS)
