import type { View } from '$contract'
import { draws, shows, showsLater } from '$page/views/shows.ts'
import Answers from './answers/Answers.svelte'
import { ASKED } from './hackjack.svelte.ts'
import Hand from './Hand.svelte'
import Middle from './middle/Middle.svelte'
import OwnFallen from './OwnFallen.svelte'
import Side from './Side.svelte'
import Summary from './Summary.svelte'
import Tools from './tools/Tools.svelte'
import WoundFace from './wounds/WoundFace.svelte'
import { marks } from './marks.ts'

export default {
  contract: 1,
  elements: false,
  cards: { face: draws(WoundFace), about: () => null },
  middle: shows(Middle),
  side: shows(Side),
  first: shows(OwnFallen),
  hand: shows(Hand),
  handInMiddle: true,
  answers: shows(Answers),
  asked: ASKED,
  tools: shows(Tools),
  summary: shows(Summary),
  marks,
  screen: showsLater(() => import('./screen/Screen.svelte')),
  foot: showsLater(() => import('./screen/Foot.svelte')),
  desk: showsLater(() => import('./tools/Chosen.svelte')),
  peopled: ({ view }) => view.characters.length > 0,
  begun: ({ view }) => view.round > 1 || view.last_hit !== null,
} satisfies View
