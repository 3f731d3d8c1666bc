import { fetchDeal } from '../api/http.ts'
import type { ClientFrame, TableInfo, ServerFrame } from '../api/protocol.ts'
import { SCREEN } from '../lib/seats.ts'
import { parkDevice, unparkDevice } from '../stores/saved.ts'
import type { Verdict } from './check.ts'
import { Device } from './device.ts'
import { Witness, type Problem } from './witness.ts'
import { lazyImport } from '../stores/lazyImport.svelte.ts'

/** The value of a header's `deal` for a shared deal. */
const TOGETHER = 'together'

type TableFrame = Extract<ServerFrame, { t: 'table' }>
type ChangeFrame = Extract<ServerFrame, { t: 'change' }>

export class FairDeal {
  /** The log's head: the same on every page after the same entry. Empty without a committed seed. */
  head = $state('')
  /** This device's number in the deals; 0 if it doesn't take part. */
  number = $state(0)
  problems = $state.raw<Problem[]>([])
  verdict = $state.raw<Verdict | null>(null)
  /** The verdict is being calculated. */
  checking = $state(false)
  /** The error if it couldn't be. */
  failed = $state('')

  readonly #say: (frame: ClientFrame) => void
  readonly #token: string
  #witness: Witness | null = null
  #device: Device | null = null

  constructor(say: (frame: ClientFrame) => void, token: string) {
    this.#say = say
    this.#token = token
    addEventListener('pagehide', this.#park)
    addEventListener('pageshow', this.#unpark)
    document.addEventListener('visibilitychange', this.#turn)
  }

  close() {
    this.#park()
    removeEventListener('pagehide', this.#park)
    removeEventListener('pageshow', this.#unpark)
    document.removeEventListener('visibilitychange', this.#turn)
  }

  /** Whether there is something to say about the deal: a verdict, one on its way, or a problem. */
  get hasNews(): boolean {
    return Boolean(this.verdict || this.checking || this.failed || this.problems.length)
  }

  /** Joined or rejoined; `before` is the last entry this page knew. */
  sat(frame: TableFrame, before: number) {
    const { table, you } = frame
    this.head = frame.head
    if (!table.commitment) return
    this.#witness ??= new Witness(table.id, you, table)
    this.#witness.sat(frame.n, frame.head, before)
    this.#show()
    if (this.#takesPart(table) && you !== SCREEN) {
      this.#device ??= this.#newDevice(unparkDevice(table.id, you))
      this.#device.sat(frame.rounds ?? [], frame.n, frame.story[0]?.n)
    }
    if (table.ended) void this.check()
  }

  changed(frame: ChangeFrame, ended: boolean) {
    this.head = frame.head ?? ''
    this.#device?.changed(frame.rounds ?? [], frame.n)
    this.#witness?.changed(frame)
    this.#show()
    if (ended) void this.check()
  }

  asked(frame: Extract<ServerFrame, { t: 'round' }>) {
    this.#device?.asked(frame)
    if (document.hidden) this.#park()
  }

  numbered({ number, round = 0 }: Extract<ServerFrame, { t: 'device' }>) {
    this.number = number
    if (number) this.#witness?.numbered(number)
    this.#device?.numbered(number, round)
    if (document.hidden) this.#park()
  }

  /** The table doesn't know this device. */
  unknown() {
    this.number = 0
    this.#device?.renew()
  }

  /** Check the deal of a finished table; the screen's link doesn't open it. */
  async check(): Promise<void> {
    const witness = this.#witness
    if (!witness || witness.seat === SCREEN || this.checking) return
    this.checking = true
    this.failed = ''
    try {
      const [{ check }, deal] = await Promise.all([
        lazyImport(() => import('./check.ts')),
        fetchDeal(witness.table, this.#token),
      ])
      this.verdict = await check(deal, witness.record, witness.gave)
    } catch (error) {
      this.failed = (error as Error).message
    }
    this.checking = false
  }

  /** Return the witness's records, as a file. */
  file(): string {
    return this.#witness?.file() ?? ''
  }

  #takesPart = (table: TableInfo) => table.deal === TOGETHER && !table.ended && !table.read_only

  #newDevice(stored: Parameters<typeof parkDevice>[2] | null): Device {
    const witness = this.#witness!
    const complain = (what: Problem['what'], about: object) => {
      witness.complain({ what, ...about })
      this.#show()
    }
    return new Device({ seat: witness.seat, say: this.#say, given: (gave) => witness.given(gave), complain }, stored)
  }

  #show() {
    this.problems = this.#witness?.record.problems ?? []
  }

  #park = () => {
    if (this.#device && this.#witness) parkDevice(this.#witness.table, this.#witness.seat, this.#device.stored())
  }

  #unpark = () => {
    if (this.#device && this.#witness) unparkDevice(this.#witness.table, this.#witness.seat)
  }

  #turn = () => (document.hidden ? this.#park() : this.#unpark())
}
