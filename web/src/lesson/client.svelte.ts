import type { Lesson, LessonStep } from '../lib/api.ts'
import { newId, TableClient } from '../lib/client.svelte.ts'
import { apply } from '../lib/delta.ts'
import type { Answer, Doc, Said } from '../lib/protocol.ts'

/** What happens stands so long before the next thing does. */
const LOOK_MS = 1500

/** A table of a lesson: what happens at it is known beforehand, and goes on when the newcomer does what is meant. */
export class LessonClient extends TableClient {
  /** How many steps have been taken. */
  at = $state(0)
  /** The caption that is up; null while the table plays. */
  caption = $state.raw<LessonStep | null>(null)
  /** How often something else than what is meant has been answered to it. */
  wrong = $state(0)
  /** How many captions there are, and which one is up or was last. */
  readonly captions: number
  chapter = $state(0)
  readonly #steps: LessonStep[]
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(lesson: Lesson) {
    super(lesson.table.id, '', false)
    this.live = true
    this.#steps = lesson.steps
    this.captions = lesson.steps.filter(isCaption).length
    this.you = lesson.you
    this.table = { ...lesson.table, id: `${lesson.table.id} ${newId()}` }
    this.seats = lesson.seats
    this.doc = lesson.doc
    this.status = 'here'
    while (!this.over && !isCaption(this.#next)) this.#happen()
    this.#show()
  }

  override close() {
    clearTimeout(this.#timer)
    super.close()
  }

  /** Nothing comes after what is shown now. */
  get over(): boolean {
    return this.at >= this.#steps.length
  }

  /** The newcomer is asked to do something. */
  get isAsking(): boolean {
    return this.caption?.meant !== undefined
  }

  get #next(): LessonStep {
    return this.#steps[this.at]!
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
    if (isCaption(this.#next)) return this.#show()
    this.#happen()
    this.#timer = setTimeout(() => this.#on(), LOOK_MS)
  }

  #show() {
    const step = this.#next
    this.at++
    this.chapter++
    this.wrong = 0
    this.caption = step
    this.offers = step.offers ?? []
    this.allOffers = step.all ?? []
  }

  #happen() {
    const { doc, story } = this.#next
    this.beforeChange?.()
    this.at++
    this.n = story!.n
    if (doc) this.doc = apply(this.doc, doc) as Doc
    this.story = [...this.story, story!]
  }
}

const isCaption = (step: LessonStep): boolean => step.story === undefined

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
