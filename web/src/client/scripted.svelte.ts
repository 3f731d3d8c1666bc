import type { Lesson, LessonStep } from '../api/http.ts'
import { TableClient } from './client.svelte.ts'
import { newId } from '../lib/newId.ts'
import { apply } from '../api/delta.ts'
import type { Doc } from '../api/protocol.ts'

/** A table with a fixed script, without a server. It begins at the first caption. */
export class ScriptedClient extends TableClient {
  /** The number of steps taken. */
  at = $state(0)
  readonly #steps: LessonStep[]

  constructor(lesson: Lesson) {
    super(lesson.table.id, '', false)
    this.#steps = lesson.steps
    this.you = lesson.you
    this.table = { ...lesson.table, id: `${lesson.table.id} ${newId()}` }
    this.seats = lesson.seats
    this.doc = lesson.doc
    this.status = 'here'
    while (!this.over && !isCaption(this.next)) this.happen()
  }

  /** The script has ended. */
  get over(): boolean {
    return this.at >= this.#steps.length
  }

  /** The next step, unless the script has ended. */
  protected get next(): LessonStep {
    return this.#steps[this.at]!
  }

  /** Apply the next step, which is an entry. */
  protected happen() {
    const { doc, story } = this.next
    this.beforeChange?.()
    this.at++
    this.n = story!.n
    if (doc) this.doc = apply(this.doc, doc) as Doc
    this.story = [...this.story, story!]
  }
}

export const isCaption = (step: LessonStep): boolean => step.story === undefined
