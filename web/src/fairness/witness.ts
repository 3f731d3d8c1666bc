/**
 * What this device keeps of what it was told at a table, from the moment it sits down (docs/transcript.md, what pages
 * keep). All of it is in the device's store, so that it outlives a reload; two pages in one seat keep one witness.
 */
import canonicalize from 'canonicalize'
import type { Entry, TableInfo, Told } from '../api/protocol.ts'
import { savedLinks, savedWitness, saveLink, saveWitness } from '../stores/saved.ts'
import { hashOf } from './hash.ts'

/** Entries that follow each other, and a hash of what was told of each. */
export interface Run {
  first: number
  last: number
  hash: string
}

/** A link that a device gave: in which round, and for which answer (`id` is a digest of the answer's). */
export interface Gave {
  device: number
  round: number
  id: string
  fixed: string
  link: string
}

/** Something that doesn't fit, or that ought to be known. Its words are `fair_…`. */
export interface Problem {
  what: ProblemKind
  n?: number
  round?: number
}
export type ProblemKind =
  /** Another commitment, or another game, than was told when this device sat down. */
  | 'commitment'
  | 'header'
  /** Entry `n` is another than was told; what was told since entry `n` is gone. */
  | 'changed'
  | 'lost'
  /** In `round` this device was asked for two links, or in one that was over. */
  | 'asked_twice'
  /** A link given in `round` is not in the log, or is another, or the log says that none was given. */
  | 'missing'
  | 'other_link'
  | 'said_away'
  /** It was asked a second time for an answer for which it had given its link in `round`, though nobody was away. */
  | 'asked_again'
  /** The link given in `round` is in the log, and nothing was dealt from it. */
  | 'unused'
  /** The log says that it was away in `round`, and it was not asked. */
  | 'not_asked'
  /** Entry `n` was dealt without this device, which was there; or the log says that it had left. */
  | 'left_out'
  | 'said_left'
  /** Another device of this seat has taken its place. */
  | 'replaced'

export interface Kept {
  commitment: string
  header: Record<string, unknown>
  log: Run[]
  told: Run[]
  /** The last heads that were told, by entry. */
  heads: [number, string][]
  problems: Problem[]
  /** The numbers that devices had which sat here. */
  devices?: number[]
}

const HEADS = 50
const RUNS = 400
const PROBLEMS = 40

/** A run's hash with one thing more; it begins with an empty one. */
export const addToRun = (hash: string, told: string) => hashOf(`${hash}:${told}`)

/** An entry of the story as it is hashed. */
export function storyText(entry: Entry): string {
  const { undone, ...told } = entry
  void undone
  return canonicalize(told)!
}

/** What of a table can't be changed once it is made. */
const headerOf = ({ game, options, decks, by_hand, deal }: TableInfo) => ({ game, options, decks, by_hand, deal })

export class Witness {
  readonly table: string
  readonly seat: string
  #kept: Kept
  /** The store took what was last written. */
  #stored = true
  /** What this page gave, should the store not take it. */
  readonly #gave: Gave[] = []

  constructor(table: string, seat: string, info: TableInfo) {
    this.table = table
    this.seat = seat
    const header = headerOf(info)
    const { commitment } = info
    this.#kept = savedWitness(table, seat) ?? { commitment, header, log: [], told: [], heads: [], problems: [] }
    this.#update((kept) => {
      if (kept.commitment !== commitment) complain(kept, { what: 'commitment' })
      if (canonicalize(kept.header) !== canonicalize(header)) complain(kept, { what: 'header' })
    })
  }

  get kept(): Kept {
    return (this.#stored && savedWitness(this.table, this.seat)) || this.#kept
  }

  /** The links that devices gave which sat here. */
  get gave(): Gave[] {
    const saved = savedLinks(this.table, this.seat)
    const links = new Set(saved.map(({ link }) => link))
    return [...saved, ...this.#gave.filter(({ link }) => !links.has(link))]
  }

  /** Told where the log stands; `before` is how far this page had been told. */
  sat(n: number, head: string, before: number) {
    this.#update((kept) => {
      if (n < before) complain(kept, { what: 'lost', n })
      hear(kept, n, head)
    })
  }

  /** Told of what has happened. */
  changed(told: Extract<Told, { t: 'change' }>) {
    const [entry, more] = told.story ?? []
    this.#update((kept) => {
      hear(kept, told.n, told.head ?? '')
      if (entry && !more && entry.n === told.n) add(kept.told, entry.n, storyText(entry))
    })
  }

  /** Its device has given a link. */
  given(gave: Gave) {
    this.#gave.push(gave)
    saveLink(this.table, this.seat, gave)
  }

  /** Its device has a number. */
  numbered(number: number) {
    this.#update((kept) => (kept.devices = [...new Set([...(kept.devices ?? []), number])]))
  }

  complain(problem: Problem) {
    this.#update((kept) => complain(kept, problem))
  }

  /** All of it as a file for `cardhouse verify --witness`. */
  file(): string {
    const { table, seat, gave } = this
    const { commitment, header, log, told, devices = [] } = this.kept
    return JSON.stringify({ cardhouse_witness: 1, table, seat, commitment, header, log, told, gave, devices })
  }

  /** Another page in this seat may have kept more by now. */
  #update(change: (kept: Kept) => unknown) {
    this.#kept = this.kept
    change(this.#kept)
    this.#stored = saveWitness(this.table, this.seat, this.#kept)
  }
}

/** Keep something that doesn't fit, once. */
function complain({ problems }: Kept, problem: Problem) {
  const before = problems.some((other) => canonicalize(other) === canonicalize(problem))
  if (!before && problems.length < PROBLEMS) problems.push(problem)
}

/** Told the head of the log at entry `n`. */
function hear(kept: Kept, n: number, head: string) {
  const known = n === 0 ? kept.commitment : kept.heads.find(([number]) => number === n)?.[1]
  if (known !== undefined && known !== head) complain(kept, { what: 'changed', n })
  if (n === 0 || known !== undefined) return
  kept.heads = [...kept.heads, [n, head] as [number, string]].slice(-HEADS)
  add(kept.log, n, head)
}

/** Add what was told of an entry to the runs, unless it was told before. */
function add(runs: Run[], n: number, told: string) {
  const run = runs.at(-1)
  if (run && n <= run.last) return
  if (run && n === run.last + 1) {
    run.last = n
    run.hash = addToRun(run.hash, told)
  } else {
    runs.push({ first: n, last: n, hash: addToRun('', told) })
    runs.splice(0, runs.length - RUNS)
  }
}
