import type { GameView } from '$page/lib/views.ts'
import Answers from './Answers.svelte'
import { aboutCard } from './deck.ts'
import DogCard from './DogCard.svelte'
import { viewOf } from './dogpile.svelte.ts'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import OpenHands from './OpenHands.svelte'
import Side from './Side.svelte'
import Summary from './Summary.svelte'

export default {
  cards: { Face: DogCard, about: aboutCard },
  Middle,
  Side,
  Hand,
  OpenHands,
  Answers,
  answers: ['begin', 'lay', 'pass'],
  left: (table) => viewOf(table).draft,
  Summary,
} satisfies GameView
