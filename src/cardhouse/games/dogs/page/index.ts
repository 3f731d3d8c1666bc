import type { GameView } from '$page/lib/views.ts'
import Answers from './Answers.svelte'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import Roster from './Roster.svelte'
import Summary from './Summary.svelte'
import TownDesk from './TownDesk.svelte'

export default {
  Middle,
  Side: Roster,
  Hand,
  handBelow: true,
  Answers,
  answers: [
    ...['raise', 'see', 'give', 'bring', 'improvise', 'escalate', 'help', 'fallout_choice', 'experience_choice'],
    ...['open_conflict', 'open_healing', 'open_initiation', 'let_die'],
  ],
  Tools: TownDesk,
  Summary,
} satisfies GameView
