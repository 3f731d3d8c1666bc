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
    | 'fixed'
    | 'again'
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
  /** The number of draws that an older version logged: nothing shows that their devices were fixed beforehand. */
  older: number
  /** The number of draws that each seat broke off by withholding a link. */
  withheld: Record<string, number>
  /** How often a device of each seat was missing from a draw after one that listed it. */
  left: Record<string, number>
  /** The number of rounds that were asked for another action, which isn't in the log. */
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
  fixed?: string
  withheld?: Record<string, string>
  resumed?: Record<string, string>
  /** In logs of older versions, the devices that withheld their links. */
  away?: number[]
}

/** What devices were asked for: the action's id, its line from 0, the text that `fixed` commits to, and the seats out. */
interface Asked {
  id: string
  first: number
  known: string
  out: Set<string>
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
    older: 0,
    // A seat may be called `constructor`.
    withheld: Object.create(null),
    left: Object.create(null),
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
  /** The devices of the last round, without those of seats that withheld a link. */
  #listed = new Set<number>()
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
    const known = this.#texts.slice(first, first + 1 + chance.findIndex((line) => line.links)).join('\n')
    const asked = { id: answer!.id ?? '', first, known: `answer:${before}:${known}`, out: new Set<string>() }
    rounds.forEach((line, at) => this.#join(line, asked, at === rounds.length - 1))
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
    const tookPart = { number: at, seat: by, draws: [], missed: [] }
    this.#devices[at - 1] = { latest: device, tookPart }
    this.verdict.devices.push(tookPart)
  }

  /**
   * Check a round of links: it is for what was fixed before, each link is the next of its device, and this page's links
   * are included. `counts` if the action's cards were drawn from it.
   */
  #join(round: Line, asked: Asked, counts: boolean) {
    const { links = {}, round: number = 0, fixed, away = [] } = round
    const line = asked.first + 1
    if (number <= this.#round) fail({ what: 'links', line })
    if (number > this.#round + 1) this.verdict.gaps.push([this.#round + 1, number - 1])
    this.#round = number
    const expected = this.#expected(round, line)
    const out = this.#attend(round, asked, line)
    const isVoid = out.size > 0
    for (const [place, latest] of expected) {
      const device = this.#devices[place - 1]!
      const link = links[place]
      if (link && fixed ? hashOfHex(link) !== latest : link && !leadsTo(link, latest)) fail({ what: 'links', line })
      device.latest = link ?? latest
    }
    // Older versions committed to no devices; a page of theirs compared the action alone.
    const listed = [...expected].map(([place, latest]) => `${place}=${latest}`).join(',')
    const right = keyed(this.#seed, fixed ? `${asked.known}:${listed}` : asked.known)
    if (counts && !fixed) this.verdict.older++
    if (counts && fixed && fixed !== right) fail({ what: 'fixed', line })
    if (!counts && !(isVoid && (!fixed || fixed === right))) this.verdict.unused++
    for (const given of [...this.#given.values()].filter((given) => given.round === number)) {
      this.#given.delete(`${number} ${given.device}`)
      if (given.device in (round.withheld ?? {}) || away.includes(given.device)) {
        this.verdict.notes.push({ what: 'said_away', round: number, n: this.#entry })
        continue
      }
      // Older servers sent the id itself.
      const isSame = (given.id === hashOf(asked.id) || given.id === asked.id) && given.fixed === right
      if (links[given.device] !== given.link || (counts && !isSame)) fail({ what: 'link', line, round: number })
      if (!counts && !(isSame && isVoid)) this.verdict.notes.push({ what: 'unused', round: number })
    }
  }

  /** The value that each listed device's link must hash to, in the order of their numbers. */
  #expected({ links = {}, withheld = {}, resumed = {}, away = [] }: Line, line: number): Map<number, string> {
    const listed = [...Object.keys(links), ...Object.keys(withheld), ...away].map(Number)
    if (new Set(listed).size < listed.length && !away.length) fail({ what: 'links', line })
    const expected = new Map<number, string>()
    for (const place of listed.sort((a, b) => a - b)) {
      const { latest, tookPart } = this.#devices[place - 1] ?? fail({ what: 'links', line })
      const from = resumed[place] ?? latest
      const isIts = (withheld[place] ?? tookPart.seat) === tookPart.seat && (from === latest || leadsTo(from, latest))
      if (!isIts) fail({ what: 'links', line })
      expected.set(place, from)
    }
    return expected
  }

  /**
   * Count who withheld a link and who left. A seat that withheld one is out of the draw: asked again, it could choose
   * between two cards. Return the seats that withheld one now.
   */
  #attend({ links = {}, withheld = {}, away = [] }: Line, asked: Asked, line: number): Set<string> {
    const seatOf = (place: number) => this.#devices[place - 1]!.tookPart.seat
    const late = [...Object.keys(withheld).map(Number), ...away]
    const listed = new Set([...Object.keys(links).map(Number), ...late])
    if ([...listed].some((place) => asked.out.has(seatOf(place)))) fail({ what: 'again', line })
    const out = new Set(late.map(seatOf))
    const count = (counts: Record<string, number>, seat: string) => (counts[seat] = (counts[seat] ?? 0) + 1)
    for (const seat of out) {
      asked.out.add(seat)
      count(this.verdict.withheld, seat)
    }
    for (const place of this.#listed) if (!listed.has(place)) count(this.verdict.left, seatOf(place))
    this.#listed = new Set([...listed].filter((place) => !out.has(seatOf(place))))
    return out
  }

  /** Check the cards and dice dealt for one action. */
  #deal(first: number, answer: Line, chance: Line[], rounds: Line[]) {
    let id = answer.id ?? ''
    if (!id || this.#ids.has(id)) fail({ what: 'id', line: first + 1 })
    this.#ids.add(id)
    if (this.#together) {
      const links = rounds.at(-1)?.links
      const { withheld, away } = rounds.at(-1) ?? {}
      if (!links || withheld || away) return fail({ what: 'links', line: first + 1 })
      const salt = Object.keys(links)
        .sort((a, b) => Number(a) - Number(b))
        .map((number) => links[number])
        .join('.')
      this.verdict.rounds++
      this.verdict.alone += Number(!salt)
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
