/** A device's hash chain (docs/deal-together.md). */
import { hashOfHex, newSecret } from './hash.ts'

/** So many links a chain has; after that its device takes part as a new one. */
export const LENGTH = 2000

/** A chain as it is kept while no page holds it. */
export interface KeptChain {
  secret: string
  given: number
}

/** Links, each of which hashes to the one given before it, the first of them to the anchor. All are hex. */
export class Chain {
  readonly #secret: string
  readonly #values: string[]
  #given: number

  constructor(kept: KeptChain = { secret: newSecret(), given: 0 }, length = LENGTH) {
    this.#secret = kept.secret
    this.#given = kept.given
    this.#values = [kept.secret]
    while (this.#values.length <= length) this.#values.push(hashOfHex(this.#values.at(-1)!))
  }

  get anchor(): string {
    return this.#values.at(-1)!
  }

  /** The next link; null when all have been given. */
  next(): string | null {
    return this.#values.at(-2 - this.#given++) ?? null
  }

  kept(): KeptChain {
    return { secret: this.#secret, given: this.#given }
  }
}

/** So many links between two may be missing from a log. */
const SKIPPED_AT_MOST = 1000

/** Whether a link leads, hashed often enough, to one given before it, or to the anchor. */
export function leadsTo(link: string, latest: string): boolean {
  let hash = link
  for (let step = 0; step <= SKIPPED_AT_MOST; step++) {
    hash = hashOfHex(hash)
    if (hash === latest) return true
  }
  return false
}
