import type { View } from '$contract'
import { shows } from '$page/views/shows.ts'
import { chances } from './initiative.svelte.ts'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import OwnLost from './OwnLost.svelte'
import Side from './Side.svelte'
import Summary from './Summary.svelte'
import Tools from './Tools.svelte'

export default {
  contract: 1,
  elements: false,
  middle: shows(Middle),
  side: shows(Side),
  first: shows(OwnLost),
  hand: shows(Hand),
  handInMiddle: true,
  chances,
  tools: shows(Tools),
  summary: shows(Summary),
} satisfies View
