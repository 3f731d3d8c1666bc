import type { MomentWords } from '$contract'
import { momentOf } from '../table/callOuts.ts'
import type { Entry } from '../api/protocol.ts'
import type { ReplayClient } from '../client/replay.svelte.ts'

/** The icon of a highlight. */
export type MarkIcon = 'skull' | 'drop' | 'star'

/** A highlight at a step of the log. */
export interface TimelineMark {
  at: number
  sign: MarkIcon
}

const STEP_MS = 1400
const SPEEDS = [1, 2, 4]
/** The keys of deaths, in any game. */
const DEATHS = ['dies', 'killed_outright', 'not_healed']

export class Playback {
  playing = $state(false)
  speed = $state(SPEEDS[0]!)
  /** Whether the recap replaces the table. */
  recap = $state(false)
  readonly marks: TimelineMark[]
  /** The steps at which rounds begin, if the view has rounds. */
  readonly rounds: { at: number; round: number }[]
  readonly #client: ReplayClient
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(client: ReplayClient, words: Readonly<Record<string, MomentWords>>) {
    this.#client = client
    this.marks = client.entries.flatMap((entry, place) => {
      const sign = signOf(entry, words)
      return sign ? [{ at: place + 1, sign }] : []
    })
    this.rounds = client.views
      .map((view, at) => ({ at, round: roundOf(view) }))
      .filter(({ at, round }) => round > 0 && round !== roundOf(client.views[at - 1]))
  }

  /** The round of the current step; 0 if there is none. */
  get round(): number {
    return this.rounds.findLast(({ at }) => at <= this.#client.at)?.round ?? 0
  }

  /** The next highlight after the current step. */
  get next(): TimelineMark | undefined {
    return this.marks.find(({ at }) => at > this.#client.at)
  }

  step(to: number) {
    this.pause()
    this.recap = false
    this.#client.show(to)
  }

  toggle() {
    if (this.playing) return this.pause()
    this.recap = false
    if (this.#client.at >= this.#client.total) this.#client.show(0)
    this.#run()
  }

  pause() {
    clearInterval(this.#timer)
    this.playing = false
  }

  /** Put the step into the address, so that going back returns to it. */
  stay() {
    this.pause()
    history.replaceState(history.state, '', `${location.pathname}?at=${this.#client.at}${location.hash}`)
  }

  faster() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length]!
    if (this.playing) this.#run()
  }

  #run() {
    clearInterval(this.#timer)
    this.playing = true
    this.#timer = setInterval(() => {
      this.#client.show(this.#client.at + 1)
      if (this.#client.at >= this.#client.total) this.pause()
    }, STEP_MS / this.speed)
  }
}

function signOf(entry: Entry, words: Readonly<Record<string, MomentWords>>): MarkIcon | null {
  if (entry.undo || entry.undone) return null
  const told = entry.events.filter((event) => momentOf(words, event))
  if (!told.length) return null
  if (told.some(({ key }) => DEATHS.includes(key))) return 'skull'
  return told.some((event) => momentOf(words, event)!.tone === 'loss') ? 'drop' : 'star'
}

/** Return the round in a view or in one of its parts. */
function roundOf(view: unknown, deeper = true): number {
  if (typeof view !== 'object' || view === null) return 0
  if ('round' in view && typeof view.round === 'number') return view.round
  return deeper
    ? Math.max(0, ...Object.values(view).map((part) => (Array.isArray(part) ? 0 : roundOf(part, false))))
    : 0
}
