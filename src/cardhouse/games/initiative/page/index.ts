import type { View } from '$contract'
import { shows, showsLater } from '$page/views/shows.ts'
import Answers from './answers/Answers.svelte'
import Hand from './Hand.svelte'
import { chances } from './initiative.svelte.ts'
import Middle from './middle/Middle.svelte'
import OwnLost from './OwnLost.svelte'
import Side from './side/Side.svelte'
import Summary from './Summary.svelte'
import Tools from './tools/Tools.svelte'
import { marks } from './marks.ts'

export default {
  contract: 1,
  elements: false,
  middle: shows(Middle),
  side: shows(Side),
  first: shows(OwnLost),
  hand: shows(Hand),
  handInMiddle: true,
  answers: shows(Answers),
  asked: ['strike'],
  chances,
  tools: shows(Tools),
  summary: shows(Summary),
  marks,
  screen: showsLater(() => import('./screen/Screen.svelte')),
  foot: showsLater(() => import('./screen/Foot.svelte')),
  desk: showsLater(() => import('./Chosen.svelte')),
  peopled: ({ view }) => view.characters.length > 0,
  begun: ({ view }) => view.round > 0,
} satisfies View
