/**
 * Checks whether a finished table was dealt fairly, from its transcript, its seed and this device's records: every card
 * and die is recalculated (docs/transcript.md, the fair deal). The rules' part, above all which cards were left in a
 * deck, is taken from the server; `cardhouse verify` runs the rules instead.
 */
import canonicalize from 'canonicalize'
import type { Deal, Dealt, Drawn } from '../api/wire.ts'
import { leadsTo } from './chain.ts'
import { hashOf, hashOfHex, keyed } from './hash.ts'
import { inOrder, pick } from './draw.ts'
import { addToRun, type GivenLink, type WitnessRecord, type Problem, type Run } from './witness.ts'

/** A defect in the transcript. Its text is `unfair_…`. */
export interface Unfair {
  what:
    | 'commitment'
    | 'header'
    | 'not_ended'
    | 'seed'
    | 'card'
    | 'order'
    | 'id'
    | 'links'
    | 'left_out'
    | 'log'
    | 'link'
    | 'unreadable'
  /** The line of the transcript, from 1. */
  line?: number
  first?: number
  last?: number
  round?: number
}

/** A device's participation: the entries of all draws while it had its number, and of those that it missed. */
export interface TookPart {
  number: number
  seat: string
  draws: number[]
  missed: number[]
}

export interface Verdict {
  unfair: Unfair | null
  cards: number
  dice: number
  /** Cards and rolls entered by people, which no seed determines. */
  named: number
  /** Undone draws. */
  takenBack: { line: number; what: string; by: string }[]
  /** The number of actions that drew, and of those without any device's link. */
  rounds: number
  alone: number
  /** The number of rounds that each seat's devices were left out of. */
  away: Record<string, number>
  /** The number of rounds without effect although all gave their links. */
  unused: number
  /** The first and last of each series of rounds missing from the log. */
  gaps: [number, number][]
  devices: TookPart[]
  /** The number of drawing actions with a link from this page's devices, and the entries of the others. */
  drawn: number
  missed: number[]
  /** The number of log entries that this page witnessed. */
  witnessed: number
  /** Observations that aren't unfair in themselves. */
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
  number?: number
  links?: Drawn['links']
  round?: number
  away?: number[]
  came?: number[]
  left?: number[]
}

/** The number of entries checked before the page gets a turn. */
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

/** Check a deal. Never throws: unreadable data counts as unfair. */
export async function check(deal: Deal, record: WitnessRecord, given: GivenLink[]): Promise<Verdict> {
  const checking = new Checking(deal, record, given)
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
    unused: 0,
    gaps: [],
    devices: [],
    drawn: 0,
    missed: [],
    witnessed: 0,
    notes: [],
  }
  readonly #record: WitnessRecord
  readonly #texts: string[]
  readonly #dealt: Dealt[]
  readonly #given: Map<string, GivenLink>
  #seed = ''
  #together = false
  #head = ''
  #entry = 0
  #number = 0
  #round = 0
  readonly #ids = new Set<string>()
  /** The latest known value of each device's chain, and its participation. */
  readonly #devices: { latest: string; tookPart: TookPart }[] = []
  /** The connected devices by the log; none in logs of older servers. */
  #present = new Set<number>()
  /** The numbers of this page's own devices. */
  readonly #own: Set<number>
  readonly #runs: Run[]
  #run = ''

  constructor(deal: Deal, record: WitnessRecord, given: GivenLink[]) {
    this.#record = record
    this.#texts = deal.transcript.split('\n').filter(Boolean)
    this.#dealt = [...deal.dealt]
    this.#given = new Map(given.map((given) => [`${given.round} ${given.device}`, given]))
    this.#own = new Set([...(record.devices ?? []), ...given.map((given) => given.device)])
    this.#runs = [...record.log].sort((a, b) => a.first - b.first)
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
    for (const { round } of this.#given.values()) this.verdict.notes.push({ what: 'missing', round })
  }

  /** Compare the header and the seed with those committed to. */
  #begin() {
    const { commitment, header } = this.#record
    const sent = JSON.parse(this.#texts[0]!) as Record<string, unknown>
    if (sent.commitment !== commitment) fail({ what: 'commitment', line: 1 })
    for (const [name, value] of Object.entries(header)) {
      const otherwise = { options: {}, decks: {}, by_hand: [] }[name] ?? ''
      if (canonicalize(value) !== canonicalize(sent[name] ?? otherwise)) fail({ what: 'header', line: 1 })
    }
    const last = this.#texts.length
    const end = JSON.parse(this.#texts.at(-1)!) as { seed?: unknown }
    if (typeof end.seed !== 'string' || !/^[0-9a-f]{64}$/.test(end.seed)) return fail({ what: 'not_ended', line: last })
    if (hashOfHex(end.seed) !== commitment) fail({ what: 'seed', line: last })
    this.#seed = end.seed
    this.#together = sent.deal === 'together'
    this.#head = commitment
  }

  /** Check one entry: an action and its random results. `first` counts from 0. */
  #hear(first: number, [answer, ...chance]: Line[]) {
    this.#entry++
    const before = this.#head
    const text = this.#texts.slice(first, first + 1 + chance.length).join('\n')
    this.#head = keyed(this.#seed, `log:${before}:${text}`)
    this.#witness()
    if (answer!.device) this.#come(answer!, first)
    const rounds = chance.filter((line) => line.links)
    rounds.forEach((line, at) => this.#join(line, first, answer!, before, at === rounds.length - 1))
    const deals = chance.some((line) => typeof line.card === 'string' || line.roll !== undefined)
    if (deals) this.#deal(first, answer!, chance, rounds)
    this.verdict.named += Number(answer!.draw !== undefined || answer!.roll !== undefined)
  }

  /** Compare the log with what this page witnessed. */
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

  /** Register a device, which may replace another of its seat. */
  #come({ by = '', device = '', number }: Line, first: number) {
    const next = this.#devices.length + 1
    const at = number ?? next
    if (at !== next && this.#devices[at - 1]?.tookPart.seat !== by) return fail({ what: 'links', line: first + 1 })
    if (number !== undefined) this.#present.add(at)
    const tookPart = { number: at, seat: by, draws: [], missed: [] }
    this.#devices[at - 1] = { latest: device, tookPart }
    this.verdict.devices.push(tookPart)
  }

  /** Check a round of links: each belongs to its device, none is missing, and this page's links are included. */
  #join(round: Line, first: number, answer: Line, before: string, counts: boolean) {
    const { links = {}, round: number = 0, away = [] } = round
    const line = first + 1
    if (number <= this.#round) fail({ what: 'links', line })
    if (number > this.#round + 1) this.verdict.gaps.push([this.#round + 1, number - 1])
    this.#round = number
    for (const [place, link] of Object.entries(links)) {
      const device = this.#devices[Number(place) - 1]
      if (!device || !leadsTo(link, device.latest)) return fail({ what: 'links', line })
      device.latest = link
    }
    this.#attend(round, line)
    for (const place of away) {
      const seat = this.#devices[place - 1]?.tookPart.seat ?? ''
      this.verdict.away[seat] = (this.verdict.away[seat] ?? 0) + 1
    }
    for (const given of [...this.#given.values()].filter((given) => given.round === number)) {
      this.#given.delete(`${number} ${given.device}`)
      if (away.includes(given.device)) {
        this.verdict.notes.push({ what: 'said_away', round: number, n: this.#entry })
        continue
      }
      const fixed = keyed(this.#seed, `answer:${before}:${this.#texts[first]!}`)
      const id = answer.id ?? ''
      // Older servers sent the id itself.
      const isSame = (given.id === hashOf(id) || given.id === id) && given.fixed === fixed
      if (links[given.device] !== given.link || (counts && !isSame)) fail({ what: 'link', line, round: number })
      if (!counts && !(isSame && away.length)) this.verdict.notes.push({ what: 'unused', round: number })
    }
  }

  /** Check that every connected device takes part, or that the log says it left. */
  #attend({ links = {}, away = [], came = [], left = [] }: Line, line: number) {
    const before = this.#present
    if (!before.size && !came.length && !left.length) return
    const given = Object.keys(links).map(Number)
    const expected = new Set([...given, ...away])
    const there = new Set([...before, ...came])
    if ([...there].some((number) => !left.includes(number) && !expected.has(number))) fail({ what: 'left_out', line })
    const fits =
      !came.some((number) => before.has(number)) &&
      left.every((number) => before.has(number) && !expected.has(number)) &&
      [...expected].every((number) => there.has(number))
    if (!fits) fail({ what: 'links', line })
    this.#present = new Set(given.filter((number) => !away.includes(number)))
  }

  /** Check the cards and dice dealt for one action. */
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
      this.verdict.unused += rounds.slice(0, -1).filter((round) => !round.away).length
      this.#count(links)
      if (salt) id += `:${salt}`
    }
    chance.forEach((line, place) => {
      const at = first + 2 + place
      if (typeof line.card === 'string') this.#draw(at, id, line.card)
      line.dice?.forEach((die) => this.#draw(at, id, die, Number(line.roll?.split('d')[1])))
    })
  }

  /** Record which devices took part in a draw. */
  #count(links: Drawn['links']) {
    for (const { tookPart } of this.#devices) {
      tookPart.draws.push(this.#entry)
      if (!links[tookPart.number]) tookPart.missed.push(this.#entry)
    }
    if ([...this.#own].some((number) => links[number])) this.verdict.drawn++
    else this.verdict.missed.push(this.#entry)
  }

  /** Check one card, or one die with `faces` faces. */
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
