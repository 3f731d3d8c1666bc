import type { View } from '$contract'
import { shows } from '$page/views/shows.ts'
import Answers from './Answers.svelte'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import Roster from './Roster.svelte'
import Summary from './Summary.svelte'
import TownDesk from './TownDesk.svelte'

export default {
  contract: 1,
  elements: false,
  middle: shows(Middle),
  side: shows(Roster),
  hand: shows(Hand),
  handInMiddle: true,
  handBelow: true,
  answers: shows(Answers),
  asked: [
    ...['raise', 'see', 'give', 'bring', 'improvise', 'escalate', 'help', 'fallout_choice', 'experience_choice'],
    ...['open_conflict', 'open_healing', 'open_initiation', 'let_die'],
  ],
  tools: shows(TownDesk),
  summary: shows(Summary),
} satisfies View
