/** What happened after a step of a replay, in a few entries of the log. */
import type { MomentWords } from '$contract'
import type { Entry, StoryEvent } from '../api/protocol.ts'
import { counts } from '../client/context.svelte.ts'
import type { ReplayClient } from '../client/replay.svelte.ts'
import { faceOf, momentOf } from '../table/callOuts.ts'
import type { MarkIcon, Playback } from './playback.svelte.ts'

/** The most entries told. */
const MOST = 5
/** Highlights by importance. */
const RANKS: (MarkIcon | undefined)[] = ['skull', 'drop', 'star', undefined]

type Words = Readonly<Record<string, MomentWords>>

/** Return the entry after the step shown, then the most important later ones, in order, with faces and cards. */
export function happenedAfter(client: ReplayClient, playback: Playback, words: Words) {
  const entries = client.entries.map((entry, place) => ({ entry, place }))
  const after = entries.slice(client.at).filter(({ entry }) => counts(entry) && entry.events.length)
  const rank = (place: number) => RANKS.indexOf(playback.marks.find(({ at }) => at === place + 1)?.sign)
  const later = after.slice(1).sort((a, b) => rank(a.place) - rank(b.place))
  const told = [...after.slice(0, 1), ...later.slice(0, MOST - 1)].sort((a, b) => a.place - b.place)
  return told.map(({ entry, place }) => shownIn(entry, client.views[place + 1], words))
}

/** Return an entry's first event and its highlight, with the first character, as it was afterwards, and a card. */
function shownIn({ n, events: all }: Entry, view: unknown, words: Words) {
  const [first, ...more] = all
  const events = [first!, ...more.filter((event) => momentOf(words, event)), ...more].slice(0, 2)
  const named = events.find(({ name }) => typeof name === 'string')
  const carded = [...events, ...all].find((event) => cardIn(event))
  return { n, events, face: faceOf(named?.name, view), card: carded ? cardIn(carded) : '', rule: carded?.rule ?? '' }
}

const cardIn = ({ card }: StoryEvent) => (typeof card === 'string' ? card : '')
