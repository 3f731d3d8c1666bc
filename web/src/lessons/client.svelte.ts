import type { Lesson, LessonStep } from '../api/http.ts'
import type { Answer, Said } from '../api/protocol.ts'
import { isCaption, ScriptedClient } from '../client/scripted.svelte.ts'

/** What happens stands so long before the next thing does. */
const LOOK_MS = 1500

/** A table of a lesson: what happens at it is known beforehand, and goes on when the newcomer does what is meant. */
export class LessonClient extends ScriptedClient {
  /** The caption that is up; null while the table plays. */
  caption = $state.raw<LessonStep | null>(null)
  /** How often something else than what is meant has been answered to it. */
  wrong = $state(0)
  /** How many captions there are, and which one is up or was last. */
  readonly captions: number
  chapter = $state(0)
  override readonly isLesson = true
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(lesson: Lesson) {
    super(lesson)
    this.live = true
    this.captions = lesson.steps.filter(isCaption).length
    this.#show()
  }

  override close() {
    clearTimeout(this.#timer)
    super.close()
  }

  /** The newcomer is asked to do something. */
  get isAsking(): boolean {
    return this.caption?.meant !== undefined
  }

  /** What has been said was read, or what happens was seen: on. */
  go() {
    if (this.isAsking) return
    this.caption = null
    this.#on()
  }

  /** Do what is meant, for whoever doesn't find it. */
  help() {
    if (this.caption?.meant) void this.answer(this.caption.meant)
  }

  /** What the newcomer does; what isn't meant changes nothing, and is talked about where the caption stands. */
  override answer(answer: Answer): Promise<string | null> {
    const { meant, otherwise } = this.caption ?? {}
    if (!meant) return Promise.resolve('')
    if (!isMeant($state.snapshot(answer), meant)) {
      this.wrong++
      return Promise.resolve(document.querySelector('dialog[open]') ? (otherwise ?? '') : '')
    }
    this.caption = null
    this.offers = this.allOffers = []
    this.#on()
    return Promise.resolve(null)
  }

  /** Nobody listens; but where a bot is to answer, it knows what is meant. */
  override say(frame: Said) {
    if (frame.t === 'let_bot') this.help()
  }

  #on() {
    clearTimeout(this.#timer)
    if (this.over) return
    if (isCaption(this.next)) return this.#show()
    this.happen()
    this.#timer = setTimeout(() => this.#on(), LOOK_MS)
  }

  #show() {
    const step = this.next
    this.at++
    this.chapter++
    this.wrong = 0
    this.caption = step
    this.offers = step.offers ?? []
    this.allOffers = step.all ?? []
  }
}

/** Whether an answer is the one meant: what both say is the same, and none of what is meant is missing. */
function isMeant(answer: Answer, meant: Answer): boolean {
  return Object.keys({ ...answer, ...meant }).every((key) => {
    const [said, wanted] = [answer[key], meant[key]]
    return same(said, wanted) || (wanted === undefined && !said)
  })
}

const same = (one: unknown, other: unknown): boolean => inOrder(one) === inOrder(other)

/** As text, whatever the order of what has names, or of several cards. */
function inOrder(what: unknown): string {
  if (Array.isArray(what)) return `[${what.map(inOrder).sort().join()}]`
  if (what === null || typeof what !== 'object') return JSON.stringify(what) ?? ''
  const parts = Object.entries(what).map(([key, value]) => `${key}:${inOrder(value)}`)
  return `{${parts.sort().join()}}`
}
