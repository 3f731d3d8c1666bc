import { fetchReplay } from '../api/http.ts'
import { TableClient } from './client.svelte.ts'
import { apply } from '../api/delta.ts'
import type { Doc, Entry } from '../api/protocol.ts'

/** A finished table: every document of a seat in sequence. It sends nothing. */
export class ReplayClient extends TableClient {
  /** The number of entries shown. */
  at = $state(0)
  total = $state(0)
  #docs: Doc[] = []
  #entries: Entry[] = []

  /** Fetch everything a seat saw. Throws an ApiError if the link doesn't allow it. */
  static async open(id: string, token: string, seat: string): Promise<ReplayClient> {
    const client = new ReplayClient(id, token, false)
    do {
      const { you, table, seats, total, doc, moments } = await fetchReplay(id, token, seat, client.#entries.length)
      client.you = you
      client.table = { ...table, ended: true }
      client.seats = seats
      client.total = total
      if (!client.#docs.length) client.#docs.push(doc)
      for (const { story, doc: delta } of moments) {
        const before = client.#docs.at(-1)!
        client.#docs.push(delta === null ? before : (apply(before, delta) as Doc))
        client.#entries.push(story)
      }
      if (!moments.length) break
    } while (client.#entries.length < client.total)
    client.total = client.#entries.length
    client.status = 'here'
    client.show(0)
    return client
  }

  /** Show the table after this many entries. */
  show(count: number) {
    this.beforeChange?.()
    this.at = Math.min(Math.max(count, 0), this.total)
    this.n = this.at
    this.doc = this.#docs[this.at]!
    this.story = this.#entries.slice(0, this.at)
  }

  /** The whole log. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** The seat's views: the initial one, and that after each entry. */
  get views(): readonly unknown[] {
    return this.#docs.map(({ view }) => view)
  }

  /** The last step at which the game isn't over. */
  get lastOpen(): number {
    return Math.max(
      0,
      this.#docs.findLastIndex(({ asks }) => asks.kind !== 'over'),
    )
  }

  /** The entry that led to the view shown. */
  get latest(): Entry | undefined {
    return this.story.at(-1)
  }
}
