import type { View } from '$contract'
import { shows } from '$page/views/shows.ts'
import Answers from '../../hackjack/page/answers/Answers.svelte'
import End from '../../hackjack/page/End.svelte'
import { ASKED } from '../../hackjack/page/hackjack.svelte.ts'
import First from './First.svelte'
import { chances, left } from './gunfight.svelte.ts'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import Side from './Side.svelte'
import Summary from './Summary.svelte'
import Tools from './Tools.svelte'

export default {
  contract: 1,
  elements: false,
  middle: shows(Middle),
  end: shows(End),
  endInMiddle: true,
  side: shows(Side),
  first: shows(First),
  hand: shows(Hand),
  handInMiddle: true,
  answers: shows(Answers),
  asked: ASKED,
  left,
  chances,
  tools: shows(Tools),
  summary: shows(Summary),
} satisfies View
