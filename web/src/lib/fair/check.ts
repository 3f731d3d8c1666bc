/**
 * Whether a table that has ended was dealt fairly, by its transcript, its seed and what this device kept: every card
 * and die is worked out again (docs/transcript.md, the fair deal). What the rules would say of it, which cards were
 * left in a deck above all, is the server's word; `cardhouse verify` asks the rules.
 */
import canonicalize from 'canonicalize'
import type { Deal, Dealt, Drawn } from '../wire.ts'
import { leadsTo } from './chain.ts'
import { hashOf, hashOfHex, keyed } from './hash.ts'
import { inOrder, pick } from './draw.ts'
import { addToRun, type Gave, type Kept, type Problem, type Run } from './witness.ts'

/** Something in the transcript that isn't as it should be. Its words are `unfair_…`. */
export interface Unfair {
  what:
    'commitment' | 'header' | 'not_ended' | 'seed' | 'card' | 'order' | 'id' | 'links' | 'log' | 'link' | 'unreadable'
  /** The line of the transcript, 1 for its first. */
  line?: number
  first?: number
  last?: number
  round?: number
}

export interface Verdict {
  unfair: Unfair | null
  cards: number
  dice: number
  /** Cards and rolls that people named, for which no seed can vouch. */
  named: number
  /** What was dealt and taken back. */
  takenBack: { line: number; what: string; by: string }[]
  /** Of how many answers that drew; and how many of them drew without any device's link. */
  rounds: number
  alone: number
  /** How often each device of a seat was left out of a round, by seat. */
  away: Record<string, number>
  /** How many entries of the log this page was told of. */
  witnessed: number
  /** What isn't unfair in itself. */
  notes: Problem[]
}

interface Line {
  by?: string
  id?: string
  card?: string | null
  roll?: string
  dice?: number[]
  time?: number
  draw?: string
  device?: string
  links?: Drawn['links']
  round?: number
  away?: number[]
}

/** So many entries at a time are gone through before the page may do something else. */
const AT_A_TIME = 100

class Found extends Error {
  readonly unfair: Unfair
  constructor(unfair: Unfair) {
    super(unfair.what)
    this.unfair = unfair
  }
}

const fail = (unfair: Unfair): never => {
  throw new Found(unfair)
}

/** What was found. Never throws: what can't be read is unfair, too. */
export async function check(deal: Deal, kept: Kept, gave: Gave[]): Promise<Verdict> {
  const checking = new Checking(deal, kept, gave)
  try {
    await checking.all()
  } catch (error) {
    checking.verdict.unfair = error instanceof Found ? error.unfair : { what: 'unreadable' }
  }
  return checking.verdict
}

class Checking {
  readonly verdict: Verdict = {
    unfair: null,
    cards: 0,
    dice: 0,
    named: 0,
    takenBack: [],
    rounds: 0,
    alone: 0,
    away: {},
    witnessed: 0,
    notes: [],
  }
  readonly #kept: Kept
  readonly #texts: string[]
  readonly #dealt: Dealt[]
  readonly #gave: Map<string, Gave>
  #seed = ''
  #together = false
  #head = ''
  #entry = 0
  #number = 0
  #round = 0
  readonly #ids = new Set<string>()
  /** The latest value of each device's chain that is known, and its seat. */
  readonly #devices: { seat: string; latest: string }[] = []
  readonly #runs: Run[]
  #run = ''

  constructor(deal: Deal, kept: Kept, gave: Gave[]) {
    this.#kept = kept
    this.#texts = deal.transcript.split('\n').filter(Boolean)
    this.#dealt = [...deal.dealt]
    this.#gave = new Map(gave.map((gave) => [`${gave.round} ${gave.device}`, gave]))
    this.#runs = [...kept.log].sort((a, b) => a.first - b.first)
  }

  async all() {
    this.#begin()
    const lines = this.#texts.map((text) => JSON.parse(text) as Line)
    let first = 1
    while (first < lines.length) {
      let end = first + 1
      while (end < lines.length && lines[end]!.by === undefined) end++
      this.#hear(first, lines.slice(first, end))
      first = end
      if (this.#entry % AT_A_TIME === 0) await new Promise((go) => setTimeout(go))
    }
    if (this.#dealt.length) fail({ what: 'card', line: this.#dealt[0]!.line })
    const [missing] = this.#runs
    if (missing) fail({ what: 'log', first: missing.first, last: missing.last })
    for (const { round } of this.#gave.values()) this.verdict.notes.push({ what: 'missing', round })
  }

  /** The header and the seed are those that were promised. */
  #begin() {
    const { commitment, header } = this.#kept
    const told = JSON.parse(this.#texts[0]!) as Record<string, unknown>
    if (told.commitment !== commitment) fail({ what: 'commitment', line: 1 })
    for (const [name, value] of Object.entries(header)) {
      const otherwise = { options: {}, decks: {}, by_hand: [] }[name] ?? ''
      if (canonicalize(value) !== canonicalize(told[name] ?? otherwise)) fail({ what: 'header', line: 1 })
    }
    const last = this.#texts.length
    const end = JSON.parse(this.#texts.at(-1)!) as { seed?: unknown }
    if (typeof end.seed !== 'string' || !/^[0-9a-f]{64}$/.test(end.seed)) return fail({ what: 'not_ended', line: last })
    if (hashOfHex(end.seed) !== commitment) fail({ what: 'seed', line: last })
    this.#seed = end.seed
    this.#together = told.deal === 'together'
    this.#head = commitment
  }

  /** One entry: an answer and the chance that followed it. `first` counts from 0. */
  #hear(first: number, [answer, ...chance]: Line[]) {
    this.#entry++
    const before = this.#head
    const text = this.#texts.slice(first, first + 1 + chance.length).join('\n')
    this.#head = keyed(this.#seed, `log:${before}:${text}`)
    this.#witness()
    if (answer!.device) this.#devices.push({ seat: answer!.by!, latest: answer!.device })
    const rounds = chance.filter((line) => line.links)
    for (const line of rounds) this.#join(line, first, answer!, before)
    const deals = chance.some((line) => typeof line.card === 'string' || line.roll !== undefined)
    if (deals) this.#deal(first, answer!, chance, rounds)
    this.verdict.named += Number(answer!.draw !== undefined || answer!.roll !== undefined)
  }

  /** The log is the one that this page was told of. */
  #witness() {
    const [run] = this.#runs
    if (!run || this.#entry < run.first) return
    this.verdict.witnessed++
    this.#run = addToRun(this.#run, this.#head)
    if (this.#entry < run.last) return
    if (this.#run !== run.hash) fail({ what: 'log', first: run.first, last: run.last })
    this.#runs.shift()
    this.#run = ''
  }

  /** A round of links: each is its device's, and what this page gave is among them. */
  #join({ links = {}, round = 0, away = [] }: Line, first: number, answer: Line, before: string) {
    const line = first + 1
    if (round <= this.#round) fail({ what: 'links', line })
    this.#round = round
    for (const [number, link] of Object.entries(links)) {
      const device = this.#devices[Number(number) - 1]
      if (!device || !leadsTo(link, device.latest)) return fail({ what: 'links', line })
      device.latest = link
    }
    for (const number of away) {
      const seat = this.#devices[number - 1]?.seat ?? ''
      this.verdict.away[seat] = (this.verdict.away[seat] ?? 0) + 1
    }
    for (const gave of [...this.#gave.values()].filter((gave) => gave.round === round)) {
      this.#gave.delete(`${round} ${gave.device}`)
      if (away.includes(gave.device)) {
        this.verdict.notes.push({ what: 'said_away', round, n: this.#entry })
        continue
      }
      const fixed = keyed(this.#seed, `answer:${before}:${this.#texts[first]!}`)
      const id = answer.id ?? ''
      const told = gave.id === hashOf(id) || gave.id === id // older servers told the id itself
      if (!told || gave.fixed !== fixed || links[gave.device] !== gave.link) fail({ what: 'link', line, round })
    }
  }

  /** What the dealer gave for one answer. */
  #deal(first: number, answer: Line, chance: Line[], rounds: Line[]) {
    let id = answer.id ?? ''
    if (!id || this.#ids.has(id)) fail({ what: 'id', line: first + 1 })
    this.#ids.add(id)
    if (this.#together) {
      const links = rounds.at(-1)?.links
      if (!links || rounds.at(-1)!.away) return fail({ what: 'links', line: first + 1 })
      const salt = Object.keys(links)
        .sort((a, b) => Number(a) - Number(b))
        .map((number) => links[number])
        .join('.')
      this.verdict.rounds++
      this.verdict.alone += Number(!salt)
      if (salt) id += `:${salt}`
    }
    chance.forEach((line, place) => {
      const at = first + 2 + place
      if (typeof line.card === 'string') this.#draw(at, id, line.card)
      line.dice?.forEach((die) => this.#draw(at, id, die, Number(line.roll?.split('d')[1])))
    })
  }

  /** One card, or a die with so many faces. */
  #draw(line: number, id: string, given: string | number, faces?: number) {
    const dealt = this.#dealt.shift()
    const { outcomes } = dealt ?? {}
    if (!dealt || dealt.line !== line || dealt.id !== id || dealt.number !== ++this.#number || outcomes === undefined) {
      return fail({ what: 'card', line })
    }
    if (typeof outcomes === 'number') {
      if (outcomes !== faces || pick(this.#seed, dealt.number, id, faces) + 1 !== given) fail({ what: 'card', line })
      this.verdict.dice++
    } else {
      if (!inOrder(outcomes)) fail({ what: 'order', line })
      if (outcomes[pick(this.#seed, dealt.number, id, outcomes.length)] !== given) fail({ what: 'card', line })
      this.verdict.cards++
    }
    if (dealt.taken_back_by) this.verdict.takenBack.push({ line, what: String(given), by: dealt.taken_back_by })
  }
}
