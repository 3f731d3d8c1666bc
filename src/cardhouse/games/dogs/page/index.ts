import type { View } from '$contract'
import { stakesOf } from './stakes.ts'
import { shows, showsLater } from '$page/views/shows.ts'
import Answers from './answers/Answers.svelte'
import Hand from './hand/Hand.svelte'
import Middle from './middle/Middle.svelte'
import Side from './side/Side.svelte'
import Summary from './Summary.svelte'
import Tools from './tools/Tools.svelte'
import { marks } from './marks.ts'

export default {
  contract: 1,
  elements: false,
  middle: shows(Middle),
  side: shows(Side),
  hand: shows(Hand),
  handInMiddle: true,
  handBelow: true,
  answers: shows(Answers),
  asked: [
    ...['raise', 'see', 'give', 'bring', 'improvise', 'escalate', 'help', 'fallout_choice', 'experience_choice'],
    ...['open_conflict', 'open_healing', 'open_initiation', 'let_die'],
  ],
  tools: shows(Tools),
  summary: shows(Summary),
  marks,
  screen: showsLater(() => import('./screen/Screen.svelte')),
  foot: showsLater(() => import('./screen/Foot.svelte')),
  desk: showsLater(() => import('./Chosen.svelte')),
  peopled: ({ view }) => view.characters.length > 0,
  headline: stakesOf,
  begun: ({ view }) => view.conflict !== null || view.characters.length > 0,
} satisfies View
