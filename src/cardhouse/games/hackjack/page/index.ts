import type { GameView } from '$page/lib/views.ts'
import Answers from './Answers.svelte'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import OwnFallen from './OwnFallen.svelte'
import Side from './Side.svelte'
import Summary from './Summary.svelte'
import Tools from './Tools.svelte'

export default {
  Middle,
  Side,
  First: OwnFallen,
  Hand,
  Answers,
  answers: ['prevent', 'choose_wound', 'check'],
  Tools,
  Summary,
} satisfies GameView
