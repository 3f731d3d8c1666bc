/** A device's hash chain (docs/deal-together.md). */
import { hashOfHex, newSecret } from './hash.ts'

/** The number of links in a chain; after the last one, the device takes part as a new device. */
export const LENGTH = 2000

/** A chain as stored while no page holds it. */
export interface StoredChain {
  secret: string
  given: number
}

/** A chain of links. Each link hashes to the one given before it, the first to the anchor. All are in hex. */
export class Chain {
  readonly #secret: string
  readonly #values: string[]
  #given: number

  constructor(stored: StoredChain = { secret: newSecret(), given: 0 }, length = LENGTH) {
    this.#secret = stored.secret
    this.#given = stored.given
    this.#values = [stored.secret]
    while (this.#values.length <= length) this.#values.push(hashOfHex(this.#values.at(-1)!))
  }

  get anchor(): string {
    return this.#values.at(-1)!
  }

  /** Return the next link; null when all have been given. */
  next(): string | null {
    return this.#values.at(-2 - this.#given++) ?? null
  }

  stored(): StoredChain {
    return { secret: this.#secret, given: this.#given }
  }
}

/** The most links that a log may skip between two. */
const SKIPPED_AT_MOST = 1000

/** Whether a link, hashed repeatedly, leads to an earlier link or the anchor. */
export function leadsTo(link: string, latest: string): boolean {
  let hash = link
  for (let step = 0; step <= SKIPPED_AT_MOST; step++) {
    hash = hashOfHex(hash)
    if (hash === latest) return true
  }
  return false
}
