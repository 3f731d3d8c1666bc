/** This page as a device that takes part in a table's deals (docs/deal-together.md, what a device does). */
import type { ClientFrame, ServerFrame } from '../api/protocol.ts'
import type { Drawn } from '../api/wire.ts'
import { Chain, type StoredChain } from './chain.ts'
import type { GivenLink, ProblemKind } from './witness.ts'

/** A device as stored while no page holds it. */
export interface StoredDevice {
  chain: StoredChain
  number: number
  last: GivenLink | null
  /** Links it gave that aren't in the log yet. */
  open?: GivenLink[]
  /** The last entry whose rounds it received. */
  n?: number
}

type RoundFrame = Extract<ServerFrame, { t: 'round' }>

/** The device's connections to its table. */
interface DeviceHost {
  seat: string
  say: (frame: ClientFrame) => void
  /** Called after it gives a link. */
  given: (given: GivenLink) => void
  complain: (what: ProblemKind, about: { n?: number; round?: number }) => void
}

/** The most links for one action; all but the last must be in void rounds. */
export const LINKS_AN_ANSWER = 8
/** The most draws before the server must have confirmed its participation. */
const DRAWS_UNCONFIRMED = 3

export class Device {
  readonly #host: DeviceHost
  #chain: Chain
  /** Its number at the table; 0 while unknown. */
  #number: number
  /** The last link it gave. */
  #last: GivenLink | null
  /** Links it gave that aren't in the log yet; they survive a lost connection and a reload. */
  #open: GivenLink[]
  /** The last entry whose rounds it received. */
  #n: number
  /** The last action that was dealt with its link. */
  #dealt = ''
  /** The round after which it must be part of all rounds, as confirmed on this connection; null before. */
  #from: number | null = null
  /**
   * Whether a draw without it may have begun before it was confirmed. Only one can have, whatever round the server
   * names: it can't keep the device out by a round that never comes.
   */
  #mayMissOne = false
  /** The number of draws since it asked to take part, while the server hasn't answered; null before. */
  #unheard: number | null = null

  constructor(host: DeviceHost, stored: StoredDevice | null = null) {
    this.#host = host
    this.#chain = new Chain(stored?.chain)
    this.#number = stored?.number ?? 0
    this.#last = stored?.last ?? null
    this.#open = stored?.open ?? []
    this.#n = stored?.n ?? 0
  }

  stored(): StoredDevice {
    return { chain: this.#chain.stored(), number: this.#number, last: this.#last, open: this.#open, n: this.#n }
  }

  /** Joined or rejoined at entry `n`: take part. `rounds` are in the log entries from `first` on. */
  sat(rounds: Drawn[] = [], n = 0, first = n + 1) {
    this.#from = this.#unheard = null
    // The fate of a link in an older entry is only known at the end.
    if (first <= this.#n + 1) this.#lookAt(rounds)
    this.#n = n
    this.#join()
  }

  /** Take part as a new device: the table doesn't know this one, or its chain is used up. */
  renew() {
    this.#chain = new Chain()
    this.#number = 0
    this.#last = null
    this.#join()
  }

  /** The table confirmed its number, and that it takes part in all rounds after `round`. */
  numbered(number: number, round = 0) {
    if (!number) {
      this.#from = this.#unheard = null
      this.#host.complain('replaced', {})
      return
    }
    this.#number = number
    if (this.#unheard === null) return
    this.#from = round
    this.#mayMissOne = true
    this.#unheard = null
  }

  /** Give a link for an action that is about to draw: for one action a round, and never twice for one round. */
  asked({ round, id, fixed, number, devices }: RoundFrame) {
    if (number !== this.#number) return
    const last = this.#last
    if (last && round <= last.round) {
      if (round === last.round && id === last.id && fixed === last.fixed) this.#give(last)
      else this.#host.complain('asked_twice', { round })
      return
    }
    const before = this.#open.filter((given) => given.id === id)
    if (id === this.#dealt || before.length >= LINKS_AN_ANSWER) return this.#host.complain('asked_twice', { round })
    const link = this.#chain.next()
    if (link === null) return this.renew()
    const given = { device: number, round, id, fixed, devices, link }
    this.#last = given
    this.#open.push(given)
    this.#host.given(given)
    this.#give(given)
  }

  /** Check the rounds logged in new entries, up to entry `n`. */
  changed(rounds: Drawn[], n = 0) {
    this.#n = Math.max(this.#n, n)
    if (this.#lookAt(rounds)) this.#join()
  }

  #join() {
    this.#from = null
    this.#unheard ??= 0
    const { anchor } = this.#chain
    if (!this.#number) this.#host.say({ t: 'device', anchor })
    else {
      const { round, link } = this.#last ?? { round: 0, link: anchor }
      this.#host.say({ t: 'device', number: this.#number, anchor: link, round })
    }
  }

  #give({ round, link }: GivenLink) {
    this.#host.say({ t: 'link', round, link })
  }

  /** Return whether it must ask again to take part. */
  #lookAt(rounds: Drawn[]): boolean {
    const out = rounds.map((round, at) => this.#look(round, rounds[at + 1]?.n === round.n))
    return out.some(Boolean)
  }

  /** Check one round, which others may follow for the same action; return whether the device is out of the deals. */
  #look({ n, round, links, fixed, withheld = {} }: Drawn, goesOn: boolean): boolean {
    for (const given of this.#open.filter((given) => given.round < round)) {
      this.#host.complain('missing', { round: given.round })
    }
    const given = this.#open.find((given) => given.round === round)
    this.#open = this.#open.filter((given) => given.round > round)
    const link = links[this.#number]
    const isBlamed = this.#number in withheld
    const mustBeIn = this.#from !== null && (round > this.#from || !this.#mayMissOne)
    if (given && !goesOn) this.#dealt = given.id
    if (given) this.#compare(given, { n, round, links, fixed, withheld }, goesOn)
    else if (isBlamed && mustBeIn) this.#host.complain('not_asked', { n, round })
    // A seat that withheld a link is out of the draw, with all its devices, and joins again.
    if (isBlamed || Object.values(withheld).includes(this.#host.seat)) {
      this.#from = null
      return true
    }
    if (given || link) return false
    if (mustBeIn) {
      this.#host.complain('left_out', { n })
      this.#from = null
      return true
    }
    if (!goesOn) this.#mayMissOne = false
    if (this.#unheard !== null && !goesOn && ++this.#unheard > DRAWS_UNCONFIRMED) this.#host.complain('left_out', { n })
    return false
  }

  /** Compare a round in the log with what this device gave, and was shown before it gave it. */
  #compare(given: GivenLink, { n, round, links, fixed, withheld = {} }: Drawn, goesOn: boolean) {
    const link = links[given.device]
    const listed = new Set([...Object.keys(links), ...Object.keys(withheld)].map(Number))
    const isSame =
      fixed === given.fixed && given.devices?.length === listed.size && given.devices.every((one) => listed.has(one))
    if (given.device in withheld) this.#host.complain('said_away', { n, round })
    else if (link !== given.link) this.#host.complain(link ? 'other_link' : 'missing', { n, round })
    else if (!isSame) this.#host.complain('other_draw', { n, round })
    else if (goesOn && !Object.keys(withheld).length) this.#host.complain('unused', { round })
  }
}
