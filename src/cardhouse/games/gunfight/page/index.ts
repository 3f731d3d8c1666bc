import type { GameView } from '$page/lib/views.ts'
import hackjack from '../../hackjack/page/index.ts'
import { left } from './gunfight.svelte.ts'
import First from './First.svelte'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import Side from './Side.svelte'
import Summary from './Summary.svelte'
import Tools from './Tools.svelte'

export default {
  Middle,
  Side,
  First,
  Hand,
  Answers: hackjack.Answers,
  answers: hackjack.answers,
  left,
  Tools,
  Summary,
} satisfies GameView
