/**
 * This device's record of a table's messages, from the moment it joins (docs/transcript.md, what pages keep). It is
 * stored on the device, so that it survives a reload; two pages in one seat share one record.
 */
import canonicalize from 'canonicalize'
import type { Entry, TableInfo, ServerFrame } from '../api/protocol.ts'
import { savedLinks, savedWitness, saveLink, saveWitness } from '../stores/saved.ts'
import { hashOf } from './hash.ts'

/** Consecutive entries, and a hash of their messages. */
export interface Run {
  first: number
  last: number
  hash: string
}

/**
 * A link that a device gave, its round and its action (`id` is a digest of the action's id). `fixed` commits to the
 * action, the log before it and the `devices` that were asked.
 */
export interface GivenLink {
  device: number
  round: number
  id: string
  fixed: string
  /** Not in the records of older versions. */
  devices?: number[]
  link: string
}

/** A discrepancy or noteworthy event. Its text is `fair_…`. */
export interface Problem {
  what: ProblemKind
  n?: number
  round?: number
}
export type ProblemKind =
  /** The commitment or the game differs from that at the first join. */
  | 'commitment'
  | 'header'
  /** Entry `n` differs from before; entries since `n` are gone. */
  | 'changed'
  | 'lost'
  /** In `round` this device was asked for two links, or after the round was over. */
  | 'asked_twice'
  /** A link given in `round` is missing from the log or differs, or the log says that none was given. */
  | 'missing'
  | 'other_link'
  | 'said_away'
  /** The log says that `round` was for another action or other devices than this device was shown. */
  | 'other_draw'
  /** The link given in `round` is in the log, and nothing was dealt from it. */
  | 'unused'
  /** The log says that it was away in `round`, but it wasn't asked. */
  | 'not_asked'
  /** Entry `n` was dealt without this device although it was connected. */
  | 'left_out'
  /** Another device of this seat replaced it. */
  | 'replaced'

export interface WitnessRecord {
  commitment: string
  header: Record<string, unknown>
  log: Run[]
  told: Run[]
  /** The latest heads received, by entry. */
  heads: [number, string][]
  problems: Problem[]
  /** The numbers of this seat's devices on this device. */
  devices?: number[]
}

const HEADS = 50
const RUNS = 400
const PROBLEMS = 40

/** Return a run's hash extended by one item; an empty run has an empty hash. */
export const addToRun = (hash: string, told: string) => hashOf(`${hash}:${told}`)

/** Return an entry of the log in its hashed form. */
export function storyText(entry: Entry): string {
  const { undone, ...told } = entry
  void undone
  return canonicalize(told)!
}

/** The immutable settings of a table. */
const headerOf = ({ game, options, decks, by_hand, deal }: TableInfo) => ({ game, options, decks, by_hand, deal })

export class Witness {
  readonly table: string
  readonly seat: string
  #record: WitnessRecord
  /** The last write to storage succeeded. */
  #stored = true
  /** The links this page gave, in case storage fails. */
  readonly #gave: GivenLink[] = []

  constructor(table: string, seat: string, info: TableInfo) {
    this.table = table
    this.seat = seat
    const header = headerOf(info)
    const { commitment } = info
    this.#record = savedWitness(table, seat) ?? { commitment, header, log: [], told: [], heads: [], problems: [] }
    this.#update((record) => {
      if (record.commitment !== commitment) complain(record, { what: 'commitment' })
      if (canonicalize(record.header) !== canonicalize(header)) complain(record, { what: 'header' })
    })
  }

  get record(): WitnessRecord {
    return (this.#stored && savedWitness(this.table, this.seat)) || this.#record
  }

  /** The links given by this seat's devices. */
  get gave(): GivenLink[] {
    const saved = savedLinks(this.table, this.seat)
    const links = new Set(saved.map(({ link }) => link))
    return [...saved, ...this.#gave.filter(({ link }) => !links.has(link))]
  }

  /** Joined at entry `n`; `before` is the last entry this page knew. */
  sat(n: number, head: string, before: number) {
    this.#update((record) => {
      if (n < before) complain(record, { what: 'lost', n })
      recordHead(record, n, head)
    })
  }

  /** Record a change. */
  changed(told: Extract<ServerFrame, { t: 'change' }>) {
    const [entry, more] = told.story ?? []
    this.#update((record) => {
      recordHead(record, told.n, told.head ?? '')
      if (entry && !more && entry.n === told.n) add(record.told, entry.n, storyText(entry))
    })
  }

  /** Record a link that its device gave. */
  given(gave: GivenLink) {
    this.#gave.push(gave)
    saveLink(this.table, this.seat, gave)
  }

  /** Record its device's number. */
  numbered(number: number) {
    this.#update((record) => (record.devices = [...new Set([...(record.devices ?? []), number])]))
  }

  complain(problem: Problem) {
    this.#update((record) => complain(record, problem))
  }

  /** Return the record as a file for `cardhouse verify --witness`. */
  file(): string {
    const { table, seat, gave } = this
    const { commitment, header, log, told, devices = [] } = this.record
    return JSON.stringify({ cardhouse_witness: 1, table, seat, commitment, header, log, told, gave, devices })
  }

  /** Apply a change to the stored record, which another page in this seat may have extended. */
  #update(change: (record: WitnessRecord) => unknown) {
    this.#record = this.record
    change(this.#record)
    this.#stored = saveWitness(this.table, this.seat, this.#record)
  }
}

/** Record a discrepancy, once. */
function complain({ problems }: WitnessRecord, problem: Problem) {
  const before = problems.some((other) => canonicalize(other) === canonicalize(problem))
  if (!before && problems.length < PROBLEMS) problems.push(problem)
}

/** Record the log's head at entry `n`. */
function recordHead(record: WitnessRecord, n: number, head: string) {
  const known = n === 0 ? record.commitment : record.heads.find(([number]) => number === n)?.[1]
  if (known !== undefined && known !== head) complain(record, { what: 'changed', n })
  if (n === 0 || known !== undefined) return
  record.heads = [...record.heads, [n, head] as [number, string]].slice(-HEADS)
  add(record.log, n, head)
}

/** Add an entry's message to the runs, unless it is known. */
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
