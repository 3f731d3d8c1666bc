import { savePreferences, savedPreferences, type Preferences } from './saved.ts'

/** The preferences of this device. */
export const preferences = $state<Preferences>(savedPreferences())

/** Apply the preferences to the page, and save them. */
export function applyPreferences() {
  const root = document.documentElement
  root.dataset.look = preferences.look
  root.dataset.suits = preferences.fourColours ? 'four' : 'two'
  savePreferences($state.snapshot(preferences))
}
