import type { View } from '$contract'
import Card from '$page/art/Card.svelte'
import { draws, shows, showsLater } from '$page/views/shows.ts'
import { ASKED } from '../../hackjack/page/hackjack.svelte.ts'
import WoundFace from '../../hackjack/page/wounds/WoundFace.svelte'
import Answers from './Answers.svelte'
import First from './First.svelte'
import { chances, left } from './gunfight.svelte.ts'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import Side from './Side.svelte'
import Summary from './Summary.svelte'
import Tools from './Tools.svelte'
import { marks } from '../../hackjack/page/marks.ts'
import { marks as marksOfOrder } from '../../initiative/page/marks.ts'

export default {
  contract: 1,
  elements: false,
  cards: {
    // The rules of the wound deck are Hackjack's.
    face: (place, card, ...more) => draws(card.rule?.startsWith('HJ-') ? WoundFace : Card)(place, card, ...more),
    about: () => null,
  },
  middle: shows(Middle),
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
  marks: (table, deck) => (deck === 'wounds' ? marks : marksOfOrder)(table),
  screen: showsLater(() => import('./screen/Screen.svelte')),
  foot: showsLater(() => import('./screen/Foot.svelte')),
  desk: showsLater(() => import('./Chosen.svelte')),
  peopled: ({ view }) => view.fight.characters.length > 0,
  begun: ({ view }) => view.order.round > 0 || view.fight.last_hit !== null,
} satisfies View
