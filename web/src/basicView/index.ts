import type { View } from '$contract'
import { shows, showsLater } from '../views/shows.ts'
import End from './End.svelte'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import Summary from './Summary.svelte'
import Tools from './Tools.svelte'

/** The basic view: it works for any game, from its data alone. */
export default {
  contract: 1,
  elements: false,
  middle: shows(Middle),
  hand: shows(Hand),
  handInMiddle: true,
  tools: shows(Tools),
  summary: shows(Summary),
  screen: showsLater(() => import('./Screen.svelte')),
  end: shows(End),
} satisfies View
