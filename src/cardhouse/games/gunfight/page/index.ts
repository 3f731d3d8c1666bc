import type { View } from '$contract'
import { shows } from '$page/lib/shows.ts'
import hackjack from '../../hackjack/page/index.ts'
import { chances, left } from './gunfight.svelte.ts'
import First from './First.svelte'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import Side from './Side.svelte'
import Summary from './Summary.svelte'
import Tools from './Tools.svelte'

export default {
  contract: 1,
  elements: false,
  middle: shows(Middle),
  end: hackjack.end,
  endInMiddle: true,
  side: shows(Side),
  first: shows(First),
  hand: shows(Hand),
  handInMiddle: true,
  answers: hackjack.answers,
  asked: hackjack.asked,
  left,
  chances,
  tools: shows(Tools),
  summary: shows(Summary),
} satisfies View
