import { untrack } from 'svelte'
import { halfDone, saveHalfDone } from './saved.ts'

/** What somebody writes into a form: it outlives closing the form, leaving the page and a reload, until it is sent. */
export class Draft<T extends object> {
  values: T
  /** Something else is written than at the beginning. */
  isChanged = $state(false)
  readonly #keep: (what: T | null) => void
  readonly #begin: () => T

  /** To be made with its component. `at` is a table, `form` one of its forms, and `begin` tells what is in it at first. */
  constructor(at: string, form: string, begin: () => T) {
    this.#begin = () => untrack(begin)
    this.#keep = (what) => saveHalfDone(at, form, what)
    const kept = halfDone<Partial<T>>(at, form)
    this.isChanged = kept !== null
    this.values = $state({ ...this.#begin(), ...kept })
    let first = true
    $effect(() => {
      const now = $state.snapshot(this.values) as T
      if (!first) this.#look(now)
      first = false
    })
  }

  #look(now: T) {
    this.isChanged = JSON.stringify(now) !== JSON.stringify(this.#begin())
    this.#keep(this.isChanged ? now : null)
  }

  /** It was sent: all begins anew, but for `still`, and nothing is kept of it. */
  sent(still: Partial<T> = {}) {
    this.values = { ...this.#begin(), ...still }
    this.isChanged = false
    this.#keep(null)
  }
}
