/** This page as a device that takes part in a table's deals (docs/deal-together.md, what a device does). */
import type { Said, Told } from '../protocol.ts'
import type { Drawn } from '../wire.ts'
import { Chain, type KeptChain } from './chain.ts'
import type { Gave, ProblemKind } from './witness.ts'

/** A device as it is kept while no page holds it. */
export interface KeptDevice {
  chain: KeptChain
  number: number
  last: Gave | null
}

type Asked = Extract<Told, { t: 'round' }>

/** What a device does at its table. */
interface Around {
  say: (frame: Said) => void
  /** It has given a link. */
  given: (gave: Gave) => void
  complain: (what: ProblemKind, about: { n?: number; round?: number }) => void
}

export class Device {
  readonly #around: Around
  #chain: Chain
  /** By which the table knows it; 0 until it does. */
  #number: number
  /** The last link it gave, and what for. */
  #last: Gave | null
  /** Links given since it sat down that aren't in the log yet. */
  #open: Gave[] = []
  /** How many draws it was left out of, one after the other. */
  #leftOut = 0
  #here = false

  constructor(around: Around, kept: KeptDevice | null = null) {
    this.#around = around
    this.#chain = new Chain(kept?.chain)
    this.#number = kept?.number ?? 0
    this.#last = kept?.last ?? null
  }

  kept(): KeptDevice {
    return { chain: this.#chain.kept(), number: this.#number, last: this.#last }
  }

  /** Sat down, or back again: take part. What became of links given before is not told, only kept. */
  sat() {
    this.#open = []
    this.#join()
  }

  /** The table doesn't know it, or its chain is at its end: take part as a new one. */
  renew() {
    this.#chain = new Chain()
    this.#number = 0
    this.#last = null
    this.#join()
  }

  /** The table has told its number. */
  numbered(number: number) {
    this.#number = number
    this.#here = true
  }

  /** An answer is about to draw: give a link, for one answer a round and for no round twice. */
  asked({ round, id, fixed, number }: Asked) {
    if (number !== this.#number) return
    const last = this.#last
    if (last && round <= last.round) {
      if (round === last.round && id === last.id && fixed === last.fixed) this.#give(last)
      else this.#around.complain('asked_twice', { round })
      return
    }
    const link = this.#chain.next()
    if (link === null) return this.renew()
    this.#last = { device: number, round, id, fixed, link }
    this.#open.push(this.#last)
    this.#around.given(this.#last)
    this.#give(this.#last)
  }

  /** Told which rounds stand in the log with some entries. */
  changed(rounds: Drawn[]) {
    for (const round of rounds) this.#look(round)
  }

  #join() {
    this.#here = false
    if (!this.#number) this.#around.say({ t: 'device', anchor: this.#chain.anchor })
    else this.#around.say({ t: 'device', number: this.#number, round: this.#last?.round ?? 0 })
  }

  #give({ round, link }: Gave) {
    this.#around.say({ t: 'link', round, link })
  }

  #look({ n, round, links, away = [] }: Drawn) {
    for (const gave of this.#open.filter((gave) => gave.round < round)) {
      this.#around.complain('missing', { round: gave.round })
    }
    const gave = this.#open.find((gave) => gave.round === round)
    this.#open = this.#open.filter((gave) => gave.round > round)
    const link = links[this.#number]
    if (away.includes(this.#number)) {
      if (gave) this.#around.complain('said_away', { n, round })
      this.#join()
    } else if (gave && link !== gave.link) {
      this.#around.complain(link ? 'other_link' : 'missing', { n, round })
    } else if (link) {
      this.#leftOut = 0
    } else if (this.#here && !away.length) {
      this.#left(n)
    }
  }

  /** A draw without it, which may have begun before it came, but not twice in a row. */
  #left(n: number) {
    if (this.#leftOut++) this.#around.complain('left_out', { n })
    this.#join()
  }
}
