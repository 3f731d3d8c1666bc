import { saveLikes, savedLikes, type Likes } from './saved.ts'

/** The preferences of this device. */
export const likes = $state<Likes>(savedLikes())

/** Apply the preferences to the page, and save them. */
export function applyLikes() {
  const root = document.documentElement
  root.dataset.look = likes.look
  root.dataset.suits = likes.fourColours ? 'four' : 'two'
  saveLikes($state.snapshot(likes))
}
