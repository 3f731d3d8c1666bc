import type { GameView } from '../../lib/views.ts'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import Summary from './Summary.svelte'

/** The view of any game that has none of its own, made of nothing but what it sends. */
export default { Middle, Hand, Summary } satisfies GameView
