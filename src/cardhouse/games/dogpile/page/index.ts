import type { View } from '$contract'
import { draws, shows, showsLater } from '$page/views/shows.ts'
import Answers from './answers/Answers.svelte'
import { aboutCard } from './cards/deck.ts'
import DogCard from './cards/DogCard.svelte'
import { viewOf } from './dogpile.svelte.ts'
import { verdictOf } from './board/verdict.ts'
import Hand from './hand/Hand.svelte'
import OpenHands from './hand/OpenHands.svelte'
import Middle from './middle/Middle.svelte'
import Side from './side/Side.svelte'
import Summary from './Summary.svelte'
import { marks } from './marks.ts'

export default {
  contract: 1,
  elements: false,
  cards: { face: draws(DogCard), about: aboutCard },
  middle: shows(Middle),
  side: shows(Side),
  hand: shows(Hand),
  handInMiddle: true,
  open: shows(OpenHands),
  answers: shows(Answers),
  asked: ['begin', 'lay', 'pass'],
  tools: null,
  left: (table) => viewOf(table).draft,
  summary: shows(Summary),
  marks,
  screen: showsLater(() => import('./screen/Screen.svelte')),
  foot: showsLater(() => import('./screen/Foot.svelte')),
  desk: showsLater(() => import('./hand/OnDesk.svelte')),
  peopled: ({ view }) => view.phase !== 'begin',
  headline: verdictOf,
  begun: ({ view }) => view.phase !== 'begin',
} satisfies View
