import type { Lesson, LessonStep } from '../api/http.ts'
import type { Answer, ClientFrame } from '../api/protocol.ts'
import { isCaption, ScriptedClient } from '../client/scripted.svelte.ts'

/** The duration of each step, in milliseconds. */
const LOOK_MS = 1500

/** A scripted lesson, which continues when the learner takes the expected action. */
export class LessonClient extends ScriptedClient {
  /** The current caption; null while the table plays. */
  caption = $state.raw<LessonStep | null>(null)
  /** The number of other actions tried. */
  wrong = $state(0)
  /** The number of captions, and of the current or last one. */
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

  override get meant(): Answer | undefined {
    return this.caption?.meant
  }

  /** The learner is asked to act. */
  get isAsking(): boolean {
    return this.meant !== undefined
  }

  /** Continue after a text or a step. */
  go() {
    if (this.isAsking) return
    this.caption = null
    this.#on()
  }

  /** Take the expected action for the learner. */
  help() {
    if (this.caption?.meant) void this.answer(this.caption.meant)
  }

  /** Handle the learner's action; an unexpected one changes nothing, and the caption explains it. */
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

  /** There is no server; asking a bot takes the expected action. */
  override send(frame: ClientFrame) {
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

/** Whether an action is the expected one: equal in all fields, except that false or empty fields may be added. */
function isMeant(answer: Answer, meant: Answer): boolean {
  return Object.keys({ ...answer, ...meant }).every((key) => {
    const [given, wanted] = [answer[key], meant[key]]
    return same(given, wanted) || (wanted === undefined && !given)
  })
}

const same = (one: unknown, other: unknown): boolean => inOrder(one) === inOrder(other)

/** Return a text that doesn't depend on the order of keys or of list items. */
function inOrder(what: unknown): string {
  if (Array.isArray(what)) return `[${what.map(inOrder).sort().join()}]`
  if (what === null || typeof what !== 'object') return JSON.stringify(what) ?? ''
  const parts = Object.entries(what).map(([key, value]) => `${key}:${inOrder(value)}`)
  return `{${parts.sort().join()}}`
}
