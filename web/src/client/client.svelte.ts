import { at } from '../lib/base.ts'
import { counts } from './context.svelte.ts'
import { apply } from '../api/delta.ts'
import { Fair } from '../fairness/fair.svelte.ts'
import { t } from '../i18n/index.ts'
import { submittedForm, showAt } from '../lib/invalid.ts'
import { ignorePress, pressBegan, SETTLING_MS } from '../lib/press.ts'
import type {
  Editable,
  Answer,
  Asks,
  Code,
  Doc,
  Entry,
  Offer,
  OddsFor,
  ClientFrame,
  Seat,
  Sign,
  TableInfo,
  Thrown,
  ServerFrame,
  UndoCount,
} from '../api/protocol.ts'
import { announcement } from '../stores/announcement.svelte.ts'
import { SCREEN } from '../lib/seats.ts'

/** The state of the connection: `joining` before the first message, `refused` if the link is invalid. */
export type Status = 'joining' | 'here' | 'away' | 'refused'

const RETRY_MS = [200, 500, 1000, 2000, 4000, 8000]
/** The close code of a server that restarts. */
const RESTARTS = 1012
/** Failed attempts before the page says that the server can't be reached. */
const TRIES_UNREACHED = 2
const PING_MS = 10_000
/**
 * A connection without a pong in this time is considered dead, even if it appears open: the page says so and
 * reconnects.
 */
const PONG_MS = 4000
/** The time allowed for a new connection's first message; each attempt adds as much again. */
const CONNECT_MS = 8000
const CONNECT_MOST_MS = 30_000
/** Events after which the device may have slept and lost its connection. */
const WAKING = ['online', 'focus', 'pageshow'] as const
const WAKING_DOCUMENT = ['visibilitychange', 'resume'] as const
/** Frames that a press sends. They have no id, and may be repeated safely. */
const ASKED: ClientFrame['t'][] = ['name', 'set', 'end', 'keep', 'bot', 'let_bot', 'reissue', 'close_door']
/** How long a reaction is shown, and the most shown at once. */
const THROWN_MS = 3200
const MOST_THROWN = 8
/** Errors after which this link can't ever open the table. */
const FATAL: Code[] = ['no_such_seat', 'old_link', 'malformed']
/** Errors for an address that isn't the server's: no link can work here. */
const WRONG_PLACE: Code[] = ['wrong_origin', 'wrong_host']

interface Pending {
  frame: string
  done: (problem: string | null) => void
  atField: AtField
}

/** Shows an error at a form's field, as the rest of a sentence; returns false if there is no such field. */
type AtField = (field: string, fault: string) => boolean

/** A ping waiting for its pong, and the frame sent just before it: the pong proves that the frame arrived. */
interface Owed {
  timer: ReturnType<typeof setTimeout>
  frame: ClientFrame | null
}

/** The possible actions until the next change; `until` is by `performance.now()`. */
interface Was {
  asks: Asks
  offers: Offer[]
  undo: number
  until: number
}
/** The most states remembered. Presses older than PRESS_MS are always accepted. */
const MOST_WAS = 50
const PRESS_MS = 5000
/** Messages that don't change any control. */
const QUIET: ServerFrame['t'][] = [
  'ack',
  'pong',
  'odds',
  'thrown',
  'device',
  'round',
  'house',
  'error',
  'trouble',
  'notice',
]

/** The connection of one seat to one table, and its state. Reconnects and catches up automatically. */
export class TableClient {
  status = $state<Status>('joining')
  /** The server's reason for refusing the link. */
  refused = $state('')
  /** Not the link was refused but this page: its address isn't the server's. */
  wrongPlace = $state(false)
  /** The server's message while it can't save. */
  trouble = $state<string | null>(null)
  /** Errors in the game's files, for the author who is editing them. */
  notice = $state<string | null>(null)
  /** The number of joins; after each, the game may have been reloaded. */
  sittings = $state(0)
  /** The server announced a restart, and when to reconnect. */
  renewing = $state(false)
  #problem = $state.raw<{ text: string } | null>(null)

  n = $state(0)
  you = $state('')
  table = $state.raw<TableInfo | null>(null)
  seats = $state.raw<Seat[]>([])
  /** When each player left, by `performance.now()`, as far as this page saw it. */
  readonly awaySince = new Map<string, number>()
  doc = $state.raw<Doc | null>(null)
  #offers = $state.raw<Offer[]>([])
  /** All offers, including those open at any time; updated while someone watches them. */
  allOffers = $state.raw<Offer[]>([])
  /** The values open to overrides, as last requested; null before. */
  amendable = $state.raw<Editable[] | null>(null)
  mine = $state(false)
  /** The number of undone moves that this seat can redo at once. */
  redo = $state(0)
  /** The moves that an undo would take back, as last requested; null before. */
  undoCount = $state.raw<UndoCount | null>(null)
  /** The log, oldest entry first. */
  story = $state.raw<Entry[]>([])
  moreStory = $state(false)
  /** A lesson's table: the control to press is highlighted, so it must be there. */
  readonly isLesson: boolean = false
  /** The game's odds, for seats that may see them; otherwise null. */
  odds = $state.raw<unknown>(null)
  /** New links from the server, by seat. */
  links = $state.raw<Record<string, string>>({})

  /** The server's page script, if newer than this page's; otherwise empty. */
  newerPage = $state('')
  /** Several attempts to reach the server failed, and this page has never joined. */
  unreached = $state(false)
  /** The last change came from an action on this page. */
  answeredHere = false
  /** The latest reactions. */
  thrown = $state.raw<readonly Thrown[]>([])

  /** This page's part in the deals; null if the table isn't live. */
  readonly fair: Fair | null = null

  /** Called before a change is shown, while the page still shows the old state. */
  beforeChange: (() => void) | null = null
  /** Called before any message is shown. */
  beforeNews: (() => void) | null = null

  readonly #id: string
  /** The secret of the seat's link. */
  readonly token: string
  #socket: WebSocket | null = null
  #closed = false
  #tries = 0
  /** An extra delay, in milliseconds, that the server asked for. */
  #later = 0
  /** Milliseconds from this page's clock to the server's time. */
  #ahead = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #ping: ReturnType<typeof setInterval> | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
  #connecting = 0
  #owed: Owed[] = []
  /** Frames that may not have arrived: sent again on the next connection. */
  #again: ClientFrame[] = []
  #watchers = 0
  #pending = new Map<string, Pending>()
  #was: Was[] = []

  /** Played live, not a replay. */
  live: boolean

  /** The game or the table is over; a table that can't be played on doesn't count. */
  get isOver(): boolean {
    return Boolean(this.table?.ended) || (this.doc?.asks.kind === 'over' && !this.table?.read_only)
  }

  constructor(id: string, token: string, live = true) {
    this.#id = id
    this.token = token
    this.live = live
    if (!live) return
    this.fair = new Fair((frame) => this.say(frame), token)
    this.#connect()
    for (const event of WAKING) addEventListener(event, this.#wake)
    addEventListener('offline', this.#lost)
    for (const event of WAKING_DOCUMENT) document.addEventListener(event, this.#wake)
  }

  close() {
    this.#closed = true
    this.fair?.close()
    clearTimeout(this.#retry)
    clearTimeout(this.#deadline)
    clearInterval(this.#ping)
    this.#forgive()
    this.#socket?.close()
    for (const event of WAKING) removeEventListener(event, this.#wake)
    removeEventListener('offline', this.#lost)
    for (const event of WAKING_DOCUMENT) document.removeEventListener(event, this.#wake)
  }

  /** A problem not caused by one control. */
  get problem(): string | null {
    return this.#problem?.text ?? null
  }
  set problem(text: string | null) {
    this.#problem = text === null ? null : { text }
  }
  /** A new object each time, even if the text is the same. */
  get problemAgain(): unknown {
    return this.#problem
  }

  get isGm() {
    return this.you === 'gm'
  }

  /** The offers open to this seat. In a lesson there is no one else to host. */
  get offers(): Offer[] {
    const hosts = this.isGm || this.isLesson || Boolean(this.botOf('gm'))
    return hosts ? this.#offers : this.#offers.filter((offer) => !offer.host)
  }
  set offers(offers: Offer[]) {
    this.#offers = offers
  }

  /** Only the host may act, and this seat isn't the host. */
  get isLeftToHost(): boolean {
    return this.#offers.length > 0 && !this.offers.length
  }

  /** The table screen can't act. */
  get isScreen() {
    return this.you === SCREEN
  }

  /** All seats of players, the game master's first. */
  get players() {
    return this.seats.filter(({ seat }) => seat !== SCREEN)
  }

  /** The game has had an event; joins and devices don't count. */
  get hasBegun() {
    return this.moreStory || this.story.some((entry) => entry.events.some((event) => event.rule !== 'table'))
  }

  get seesOdds() {
    return this.table?.odds === 'all' || (this.table?.odds === 'gm' && this.isGm)
  }

  /** Return the server's time in Unix milliseconds, independent of this device's clock. */
  now(): number {
    return performance.now() + this.#ahead
  }

  /** Return the name of a seat's player; empty if unnamed. */
  nameOf(seat: string): string {
    return this.seats.find((s) => s.seat === seat)?.name ?? ''
  }

  #notesWhoLeft(seats: readonly Seat[]) {
    const was = new Set(this.seats.filter(({ here }) => here).map(({ seat }) => seat))
    for (const { seat, here } of seats) {
      if (here) this.awaySince.delete(seat)
      else if (was.has(seat)) this.awaySince.set(seat, performance.now())
    }
  }

  /** Return the bot playing a seat; empty if none. */
  botOf(seat: string): string {
    return this.seats.find((s) => s.seat === seat)?.bot ?? ''
  }

  // Sending.

  /**
   * Submit an action. Resolves with null once it is saved, or with the error; the error is empty if it is shown at a
   * field. Survives a lost connection.
   */
  answer(answer: Answer, atField: AtField = () => false): Promise<string | null> {
    if (this.ignores(answer)) return Promise.resolve(t('changed_as_pressed'))
    const id = newId()
    const frame = JSON.stringify({ t: 'answer', id, at: this.n, answer: $state.snapshot(answer) })
    return new Promise((done) => {
      this.#pending.set(id, { frame, done, atField })
      if (this.status !== 'here') return
      this.#socket?.send(frame)
      this.#probe()
    })
  }

  /** Whether to ignore an action because its meaning changed just before the press. */
  ignores(answer: Answer): boolean {
    const ignored = this.#isNew(answer)
    if (ignored) ignorePress()
    return ignored
  }

  /** Whether its meaning differs from that when the press began, or could last be seen. */
  #isNew(answer: Answer): boolean {
    const began = pressBegan()
    if (began === null || !this.doc || performance.now() - began > PRESS_MS) return false
    const now = meaning(answer, this.doc.asks, this.offers, this.#lastAnswer)
    return now !== null && this.#was.some((was) => was.until > began - SETTLING_MS && meaningThen(answer, was) !== now)
  }

  /** The last entry that an undo would take back; 0 for none. */
  get #lastAnswer(): number {
    return this.story.findLast(counts)?.n ?? 0
  }

  #remember() {
    if (!this.doc) return
    const was = { asks: this.doc.asks, offers: this.offers, undo: this.#lastAnswer, until: performance.now() }
    this.#was = [...this.#was, was].slice(-MOST_WAS)
  }

  /** An action is not confirmed as saved yet. */
  get isSending(): boolean {
    return this.#pending.size > 0
  }

  say(frame: ClientFrame) {
    if (frame.t === 'let_bot' && this.ignores({ ...frame })) {
      this.problem = t('changed_as_pressed')
      return
    }
    const asked = ASKED.includes(frame.t)
    if (this.status === 'here') {
      this.#socket?.send(JSON.stringify(frame))
      if (asked) this.#probe(frame)
    } else if (asked && this.live) {
      this.#again.push(frame)
    }
  }

  name(name: string) {
    this.say({ t: 'name', name })
  }

  /** Choose the portrait of a name at the table; 0 is the first. */
  setFace(name: string, face: number) {
    this.say({ t: 'face', name, face })
  }

  setOdds(odds: OddsFor) {
    this.say({ t: 'set', odds })
  }

  /** Schedule the end of the table, or cancel it. */
  setEnd(on: boolean) {
    this.say({ t: 'end', on })
  }

  setBot(seat: string, bot: string) {
    this.say({ t: 'bot', seat, bot: bot || null })
  }

  /** Show a reaction to everyone for a moment. */
  throw(sign: Sign) {
    this.say({ t: 'throw', sign })
  }

  olderStory() {
    const first = this.story[0]
    if (first) this.say({ t: 'story', before: first.n })
  }

  /** Keep `allOffers` up to date until the returned function is called. */
  watchOffers(): () => void {
    if (this.#watchers++ === 0) this.say({ t: 'offers' })
    return () => void this.#watchers--
  }

  // Connection.

  /** Reconnect immediately. */
  connectNow = () => {
    if (this.#closed || document.visibilityState === 'hidden') return
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return
    clearTimeout(this.#retry)
    this.#connect()
  }

  /** The page is visible again: check whether the connection died silently. */
  #wake = () => {
    if (this.#closed || document.visibilityState === 'hidden' || this.status === 'refused') return
    if (this.status === 'here') return this.#probe()
    if (performance.now() - this.#connecting > PONG_MS) this.#hangUp()
    this.connectNow()
  }

  #connect() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}${at('/ws')}`)
    this.#socket = socket
    this.#connecting = performance.now()
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(this.#lost, Math.min(CONNECT_MS * (this.#tries + 1), CONNECT_MOST_MS))
    socket.onopen = () => {
      socket.send(
        JSON.stringify({ t: 'sit', table: this.#id, token: this.token, ...(this.table ? { since: this.n } : {}) }),
      )
      clearInterval(this.#ping)
      this.#ping = setInterval(() => this.#probe(), PING_MS)
    }
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return
      clearTimeout(this.#deadline)
      this.#hear(JSON.parse(event.data as string) as ServerFrame)
    }
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.#socket) return
      if (code === RESTARTS) this.#sentAway(Number(reason) || 0)
      this.#lost()
    }
  }

  /** Check the connection with a ping. Its pong confirms that the frame sent before it arrived. */
  #probe(frame: ClientFrame | null = null) {
    if (this.status !== 'here' || this.#socket?.readyState !== WebSocket.OPEN) return
    this.#socket.send(JSON.stringify({ t: 'ping' }))
    // Timers of a hidden page may fire long after the pong arrived; the page checks again when it is shown.
    const timer = setTimeout(() => document.visibilityState === 'hidden' || this.#lost(), PONG_MS)
    this.#owed.push({ timer, frame })
  }

  #ponged() {
    clearTimeout(this.#owed.shift()?.timer)
  }

  /** Stop waiting for pongs; frames that may not have arrived are sent again on the next connection. */
  #forgive() {
    for (const { timer, frame } of this.#owed) {
      clearTimeout(timer)
      if (frame) this.#again.push(frame)
    }
    this.#owed = []
  }

  /**
   * Reconnect after a random delay of up to this many seconds, so that the clients of a restarting server don't all
   * return at once.
   */
  #sentAway(within: number) {
    this.renewing = true
    this.#later = within * 1000 * Math.random()
  }

  #lost = () => {
    if (this.#closed || this.status === 'refused') return
    if (this.status === 'here') this.status = 'away'
    if (this.status === 'joining') this.unreached = this.#tries >= TRIES_UNREACHED
    this.#hangUp()
    clearTimeout(this.#retry)
    const wait = RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)]!
    if (this.#tries >= RETRY_MS.length) this.renewing = false // too long for a restart
    this.#retry = setTimeout(() => this.#connect(), this.#later + wait * (0.5 + Math.random()))
    this.#later = 0
  }

  #hangUp() {
    clearInterval(this.#ping)
    clearTimeout(this.#deadline)
    this.#forgive()
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }

  // Receiving.

  #hear(told: ServerFrame) {
    if (!QUIET.includes(told.t)) this.beforeNews?.()
    switch (told.t) {
      case 'table':
        return this.#sat(told)
      case 'change':
        return this.#changed(told)
      case 'ack':
        return this.#settle(told.id, null)
      case 'offers':
        this.allOffers = told.offers
        return
      case 'amendable':
        this.amendable = told.amendable
        return
      case 'undo_count':
        this.undoCount = told
        return
      case 'odds':
        if (this.seesOdds) this.odds = told.odds
        return
      case 'story':
        this.story = [...told.entries.filter((entry) => !this.story.some((s) => s.n === entry.n)), ...this.story]
        this.moreStory = told.more
        return
      case 'seats':
        this.#notesWhoLeft(told.seats)
        this.seats = told.seats
        return
      case 'settings':
        if (this.table)
          this.table = {
            ...{ ...this.table, odds: told.odds, ends_at: told.ends_at ?? null },
            ...{ door: told.door ?? '', next: told.next ?? '', kept_until: told.kept_until ?? null },
            faces: told.faces ?? {},
          }
        this.#askForOdds()
        return
      case 'link':
        this.links = { ...this.links, [told.seat]: told.token }
        return
      case 'trouble':
        this.trouble = told.message
        return
      case 'notice':
        this.notice = told.message
        return
      case 'house':
        announcement.message = told.message ?? ''
        return
      case 'thrown':
        return this.#seen(told)
      case 'device':
        return this.fair?.numbered(told)
      case 'round':
        return this.fair?.asked(told)
      case 'error':
        return this.#refusedBy(told)
      case 'pong':
        return this.#ponged()
    }
  }

  #sat(told: Extract<ServerFrame, { t: 'table' }>) {
    this.beforeChange?.()
    this.#remember()
    const back = this.table !== null
    if (!back) announcement.message = '' // a notice, if any, comes next
    const before = this.n
    this.#tries = 0
    this.renewing = false
    this.n = told.n
    this.#ahead = told.now - performance.now()
    this.you = told.you
    this.table = told.table
    this.seats = told.seats
    this.doc = told.doc
    this.offers = told.offers
    this.mine = told.mine
    this.redo = told.redo ?? 0
    this.trouble = null
    this.notice = null
    this.problem = null
    this.sittings++
    this.unreached = false
    this.answeredHere = false
    this.newerPage = isOther(told.page) ? told.page : ''
    const seen = this.story.at(-1)?.n ?? 0
    const follows = back && (told.story.length === 0 ? told.n === seen : told.story[0]!.n <= seen + 1)
    if (!follows) {
      this.story = []
      this.moreStory = told.more
    }
    this.#tell(told.story)
    this.status = 'here'
    this.fair?.sat(told, before)
    for (const { frame } of this.#pending.values()) this.#socket?.send(frame)
    if (this.#pending.size) this.#probe()
    for (const frame of this.#again.splice(0)) this.say(frame)
    this.#askForOdds()
    if (this.#watchers) this.say({ t: 'offers' })
  }

  #changed(told: Extract<ServerFrame, { t: 'change' }>) {
    this.beforeChange?.()
    this.#remember()
    this.n = told.n
    this.answeredHere = Boolean(told.ack)
    if (told.doc) this.doc = apply(this.doc, told.doc) as Doc
    if (told.offers) this.offers = told.offers
    if (typeof told.mine === 'boolean') this.mine = told.mine
    if (typeof told.redo === 'number') this.redo = told.redo
    if (told.story) this.#tell(told.story)
    if (this.table && this.doc?.asks.key === 'ended' && !this.table.ended) this.table = { ...this.table, ended: true }
    this.problem = null
    this.fair?.changed(told, this.table?.ended ?? false)
    if (told.ack) this.#settle(told.ack, null)
    if (this.#watchers) this.say({ t: 'offers' })
  }

  /** Add entries to the log, and apply their undos and redos. */
  #tell(entries: Entry[]) {
    if (!entries.length) return
    const known = new Set(entries.map((entry) => entry.n))
    const undone = new Map<number, boolean>()
    for (const { undo = [], redo = [] } of entries) {
      for (const n of undo) undone.set(n, true)
      for (const n of redo) undone.set(n, false)
    }
    this.story = [...this.story.filter((entry) => !known.has(entry.n)), ...entries]
      .sort((a, b) => a.n - b.n)
      .map((entry) => {
        const is = undone.get(entry.n) ?? Boolean(entry.undone)
        return is === Boolean(entry.undone) ? entry : { ...entry, undone: is }
      })
  }

  #seen(thrown: Thrown) {
    this.thrown = [...this.thrown, thrown].slice(-MOST_THROWN)
    setTimeout(() => (this.thrown = this.thrown.filter((one) => one !== thrown)), THROWN_MS)
  }

  #askForOdds() {
    if (this.seesOdds) this.say({ t: 'odds', on: true })
    else this.odds = null
  }

  #refusedBy(told: Extract<ServerFrame, { t: 'error' }>) {
    if (typeof told.id === 'string' && this.#pending.has(told.id)) {
      const { field, fault = '' } = told
      const isSaid = field && this.#pending.get(told.id)?.atField(field, fault)
      this.#settle(told.id, isSaid ? '' : (told.problem ?? told.message))
    } else if (told.code === 'too_many') {
      this.#ponged() // the frame that came too fast arrived, and may have been a ping
      this.problem = told.message
    } else if (told.code === 'closing') {
      this.renewing = true
    } else if (told.code === 'no_such_device') {
      this.fair?.unknown()
    } else if (this.#isFatal(told.code)) {
      this.status = 'refused'
      this.wrongPlace = WRONG_PLACE.includes(told.code)
      this.refused = told.message
      this.#socket?.close()
    } else {
      this.problem = told.message
    }
  }

  #isFatal(code: Code): boolean {
    if (code === 'old_link' || WRONG_PLACE.includes(code)) return true
    return this.status !== 'here' && FATAL.includes(code)
  }

  #settle(id: string, problem: string | null) {
    this.#pending.get(id)?.done(problem)
    this.#pending.delete(id)
  }
}

/**
 * Return an action's meaning: the question it answers or, for undo and redo, the last action in effect. Null if it
 * isn't an offer of the current question, as for offers open at any time.
 */
function meaning(answer: Answer, asks: Asks, offers: readonly Offer[], undo: number): string | null {
  if ('undo' in answer || 'redo' in answer) return `after ${undo}`
  const bot = answer.t === 'let_bot'
  if (!bot && !offers.some((offer) => !offer.anytime && fits(answer, offer))) return null
  // If everyone answers separately, another player's answer only changes lists of who has answered.
  const about = Object.entries(asks.with).filter(([, value]) => !asks.together || typeof value !== 'object')
  return JSON.stringify([asks.key, about])
}
const meaningThen = (answer: Answer, { asks, offers, undo }: Was) => meaning(answer, asks, offers, undo)

/** Whether an action fits this offer: the same name and the same constants. */
const fits = (answer: Answer, offer: Offer): boolean =>
  offer.do === answer.do &&
  offer.draw === answer.draw &&
  offer.roll === answer.roll &&
  Object.entries(offer.fields).every(
    ([field, schema]) => !('const' in schema) || !(field in answer) || schema.const === answer[field],
  )

/** Whether the server's page uses another script than this page; a development page has no built script. */
function isOther(script: string): boolean {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src') ?? ''
  return Boolean(script) && own.startsWith(at('/assets/')) && own !== at(script)
}

/** Return 128 random bits in base64url: an action's id, and half of what its cards are drawn from. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22)
}

/** The state of one control's submission: whether it is pending, and its error, shown next to the control. */
export class Sending {
  busy = $state(false)
  problem = $state<string | null>(null)
  readonly #client: TableClient

  constructor(client: TableClient) {
    this.#client = client
  }

  /** Submit an action; true once it is saved. */
  async send(answer: Answer): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.problem = null
    const form = submittedForm()
    this.problem = await this.#client.answer(answer, (field, fault) => showAt(form, field, fault))
    this.busy = false
    return this.problem === null
  }
}
