import { saveLikes, savedLikes, type Likes } from './saved.ts'

/** How the owner of this device likes the page. */
export const likes = $state<Likes>(savedLikes())

/** Show the page as its owner likes it, and remember. */
export function applyLikes() {
  const root = document.documentElement
  root.dataset.look = likes.look
  root.dataset.suits = likes.fourColours ? 'four' : 'two'
  saveLikes($state.snapshot(likes))
}
