import type { Lesson } from '../api/http.ts'
import { isCaption, ScriptedClient } from '../client/scripted.svelte.ts'

/** A table to be looked at: what happens at it happens when it is told to. */
export class PreviewClient extends ScriptedClient {
  /** What is said of what is seen. */
  caption = $state('')

  constructor(lesson: Lesson) {
    super(lesson)
    this.#read()
  }

  /** The next thing happens. */
  step() {
    if (this.over) return
    this.happen()
    this.#read()
  }

  /** All of it has happened. */
  end() {
    while (!this.over) this.step()
  }

  /** What is said before something happens is said with what came before it. */
  #read() {
    for (; !this.over && isCaption(this.next); this.at++) this.caption = this.next.say ?? ''
  }
}
