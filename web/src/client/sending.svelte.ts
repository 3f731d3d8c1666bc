import type { Answer } from '../api/protocol.ts'
import { showAt, submittedForm } from '../lib/invalid.ts'
import type { TableClient } from './client.svelte.ts'

/** The state of one control's submission: whether it is pending, and its error, shown next to the control. */
export class Sending {
  busy = $state(false)
  problem = $state<string | null>(null)
  readonly #client: TableClient

  constructor(client: TableClient) {
    this.#client = client
  }

  /** Submit an action; true once it is saved. */
  async send(answer: Answer): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.problem = null
    const form = submittedForm()
    this.problem = await this.#client.answer(answer, (field, fault) => showAt(form, field, fault))
    this.busy = false
    return this.problem === null
  }
}
