import type { Lesson } from '../api/http.ts'
import { isCaption, ScriptedClient } from '../client/scripted.svelte.ts'

/** A table for display, which advances on demand. */
export class PreviewClient extends ScriptedClient {
  /** The caption of what is shown. */
  caption = $state('')

  constructor(lesson: Lesson) {
    super(lesson)
    this.#read()
  }

  /** Take the next step. */
  step() {
    if (this.over) return
    this.happen()
    this.#read()
  }

  /** Take all steps. */
  end() {
    while (!this.over) this.step()
  }

  /** Captions before a step are shown with the previous step. */
  #read() {
    for (; !this.over && isCaption(this.next); this.at++) this.caption = this.next.say ?? ''
  }
}
