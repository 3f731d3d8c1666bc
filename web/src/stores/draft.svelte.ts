import { untrack } from 'svelte'
import { tabDraft, saveTabDraft } from './saved.ts'

/** A form's unsent values: they survive closing the form, leaving the page and a reload, until the form is sent. */
export class Draft<T extends object> {
  values: T
  /** The values differ from the initial ones. */
  isChanged = $state(false)
  readonly #keep: (what: T | null) => void
  readonly #begin: () => T

  /** Create it with its component. `at` is a table, `form` one of its forms, and `begin` returns the initial values. */
  constructor(at: string, form: string, begin: () => T) {
    this.#begin = () => untrack(begin)
    this.#keep = (what) => saveTabDraft(at, form, what)
    const stored = tabDraft<Partial<T>>(at, form)
    this.isChanged = stored !== null
    this.values = $state({ ...this.#begin(), ...stored })
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

  /** The form was sent: reset all values but `still`, and forget the draft. */
  sent(still: Partial<T> = {}) {
    this.values = { ...this.#begin(), ...still }
    this.isChanged = false
    this.#keep(null)
  }
}
