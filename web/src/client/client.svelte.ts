import { at } from '../lib/base.ts'
import { counts } from './context.svelte.ts'
import { apply } from '../api/delta.ts'
import { Fair } from '../fairness/fair.svelte.ts'
import { t } from '../i18n/index.ts'
import { submitted, tellAt } from '../lib/invalid.ts'
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
  Said,
  Seat,
  Sign,
  TableInfo,
  Thrown,
  Told,
  UndoCount,
} from '../api/protocol.ts'
import { said } from '../stores/announcement.svelte.ts'
import { SCREEN } from '../lib/seats.ts'

/** How the connection stands: `joining` before the first word, `refused` when the link opens nothing. */
export type Status = 'joining' | 'here' | 'away' | 'refused'

const RETRY_MS = [200, 500, 1000, 2000, 4000, 8000]
/** A server that is about to be renewed closes its sockets with this code. */
const RESTARTS = 1012
/** So many tries are made before it is said that the house can't be reached. */
const TRIES_UNREACHED = 2
const PING_MS = 10_000
/** A line that carries nothing back within that is dead, though it looks open: the page says so and connects anew. */
const PONG_MS = 4000
/** For so long a new connection may take until the first word, and as much longer with each try. */
const CONNECT_MS = 8000
const CONNECT_MOST_MS = 30_000
/** On any of these a device may have slept, and its line with it. */
const WAKING = ['online', 'focus', 'pageshow'] as const
const WAKING_DOCUMENT = ['visibilitychange', 'resume'] as const
/** What somebody asks for by a press. It has no id, and does no harm when it is said twice. */
const ASKED: Said['t'][] = ['name', 'set', 'end', 'keep', 'bot', 'let_bot', 'reissue', 'close_door']
/** For so long a sign that was thrown is seen, and so many of them at once. */
const THROWN_MS = 3200
const MOST_THROWN = 8
/** Errors which say that this link will never open the table. */
const FATAL: Code[] = ['no_such_seat', 'old_link', 'malformed']
/** Errors which say that no link will open a table here: the house isn't known by this address. */
const WRONG_PLACE: Code[] = ['wrong_origin', 'wrong_host']

interface Pending {
  frame: string
  done: (problem: string | null) => void
  atField: AtField
}

/** Says at a field what is wrong with it, as the rest of a sentence; false where there is no such field. */
type AtField = (field: string, fault: string) => boolean

/** A ping that waits for its pong, and what was said just before it: the pong proves that it was heard. */
interface Owed {
  timer: ReturnType<typeof setTimeout>
  said: Said | null
}

/** What could be answered, until something else could; `until` by `performance.now()`. */
interface Was {
  asks: Asks
  offers: Offer[]
  undo: number
  until: number
}
/** So many are remembered, and a press that began longer ago is not held against an answer. */
const MOST_WAS = 50
const PRESS_MS = 5000
/** News that change nothing one could press. */
const QUIET: Told['t'][] = ['ack', 'pong', 'odds', 'thrown', 'device', 'round', 'house', 'error', 'trouble', 'notice']

/** One seat at one table: what it sees, and what it says. Reconnects and catches up by itself. */
export class TableClient {
  status = $state<Status>('joining')
  /** Why the link was refused, in the server's words. */
  refused = $state('')
  /** It was not the link that was refused, but this page: the house isn't known by this address. */
  wrongPlace = $state(false)
  /** The server can't save at present, in its words. */
  trouble = $state<string | null>(null)
  /** What is wrong with the game's files, for the author who is changing them. */
  notice = $state<string | null>(null)
  /** How often this page has sat down: each time the game may have been loaded anew. */
  sittings = $state(0)
  /** The connection was not lost: the house said that it is about to be renewed, and when to come again. */
  renewing = $state(false)
  #problem = $state.raw<{ text: string } | null>(null)

  n = $state(0)
  you = $state('')
  table = $state.raw<TableInfo | null>(null)
  seats = $state.raw<Seat[]>([])
  /** When somebody left a seat, by `performance.now()`, as far as this page has seen them go. */
  readonly awaySince = new Map<string, number>()
  doc = $state.raw<Doc | null>(null)
  #offers = $state.raw<Offer[]>([])
  /** All offers, those included that hold at any time; kept while somebody watches them. */
  allOffers = $state.raw<Offer[]>([])
  /** What may be put right, as it was when it was asked for; null before. */
  amendable = $state.raw<Editable[] | null>(null)
  mine = $state(false)
  /** How many undone moves this seat can redo at once. */
  redo = $state(0)
  /** What an undo takes back, as it was when it was asked for; null before. */
  undoCount = $state.raw<UndoCount | null>(null)
  /** What has happened, oldest first. */
  story = $state.raw<Entry[]>([])
  moreStory = $state(false)
  /** It is a lesson's table: what is to be touched is lit, and must be there. */
  readonly isLesson: boolean = false
  /** The game's own odds, for those who may see them and have been told; null for all others. */
  odds = $state.raw<unknown>(null)
  /** New links, by seat, as the server tells them. */
  links = $state.raw<Record<string, string>>({})

  /** Which page the house has now, if it is newer than this one; empty else. */
  newerPage = $state('')
  /** The house was not to be reached, several times, by a page that has never sat down. */
  unreached = $state(false)
  /** What the page shows now has come of an answer that was given here. */
  answeredHere = false
  /** What was thrown on the table just now. */
  thrown = $state.raw<readonly Thrown[]>([])

  /** What this page does about the deals; null where it is not played at. */
  readonly fair: Fair | null = null

  /** Called before a change is shown, while the page still shows what was. */
  beforeChange: (() => void) | null = null
  /** Called before anything that was heard is shown. */
  beforeNews: (() => void) | null = null

  readonly #id: string
  /** The secret of the seat's link. */
  readonly token: string
  #socket: WebSocket | null = null
  #closed = false
  #tries = 0
  /** So many milliseconds longer the house had this page wait. */
  #later = 0
  /** How far the server's time of day is ahead of what this page counts. */
  #ahead = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #ping: ReturnType<typeof setInterval> | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
  #connecting = 0
  #owed: Owed[] = []
  /** What was asked for and may not have been heard: said again on the next line. */
  #again: Said[] = []
  #watchers = 0
  #pending = new Map<string, Pending>()
  #was: Was[] = []

  /** It is played at, not looked back at. */
  live: boolean

  /** The game has come to its end, or its table was ended; one that can't be played on is not over. */
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

  /** Something went wrong that no one control caused. */
  get problem(): string | null {
    return this.#problem?.text ?? null
  }
  set problem(text: string | null) {
    this.#problem = text === null ? null : { text }
  }
  /** Another one each time, though its text be the same. */
  get problemAgain(): unknown {
    return this.#problem
  }

  get isGm() {
    return this.you === 'gm'
  }

  /** The offers that this seat may answer now. In a lesson nobody else is there to host. */
  get offers(): Offer[] {
    const hosts = this.isGm || this.isLesson || Boolean(this.botOf('gm'))
    return hosts ? this.#offers : this.#offers.filter((offer) => !offer.host)
  }
  set offers(offers: Offer[]) {
    this.#offers = offers
  }

  /** All that is asked of this seat is the host's alone to answer. */
  get isLeftToHost(): boolean {
    return this.#offers.length > 0 && !this.offers.length
  }

  /** The table screen looks on, and answers nothing. */
  get isScreen() {
    return this.you === SCREEN
  }

  /** All seats that somebody plays from, the game master's first. */
  get players() {
    return this.seats.filter(({ seat }) => seat !== SCREEN)
  }

  /** Something of the game has happened; devices and seats may come before. */
  get hasBegun() {
    return this.moreStory || this.story.some((entry) => entry.events.some((event) => event.rule !== 'table'))
  }

  get seesOdds() {
    return this.table?.odds === 'all' || (this.table?.odds === 'gm' && this.isGm)
  }

  /** What time it is for the server, in Unix milliseconds, whatever the clock of this device says. */
  now(): number {
    return performance.now() + this.#ahead
  }

  /** What somebody in a seat is called, or nothing yet. */
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

  /** Which bot plays a seat, if one does. */
  botOf(seat: string): string {
    return this.seats.find((s) => s.seat === seat)?.bot ?? ''
  }

  // Saying.

  /**
   * Give an answer. Resolves with null once it is saved, or with what was wrong with it, which is empty if it was said
   * at a field; survives a lost line.
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

  /** Whether an answer doesn't count, for what it means had only just changed when it was pressed. */
  ignores(answer: Answer): boolean {
    const ignored = this.#isNew(answer)
    if (ignored) ignorePress()
    return ignored
  }

  /** Whether it means something else than it did when the press began that gives it, or could be seen just before. */
  #isNew(answer: Answer): boolean {
    const began = pressBegan()
    if (began === null || !this.doc || performance.now() - began > PRESS_MS) return false
    const now = meaning(answer, this.doc.asks, this.offers, this.#lastAnswer)
    return now !== null && this.#was.some((was) => was.until > began - SETTLING_MS && meaningThen(answer, was) !== now)
  }

  /** The last entry that an undo would take back; 0 if there is none. */
  get #lastAnswer(): number {
    return this.story.findLast(counts)?.n ?? 0
  }

  #remember() {
    if (!this.doc) return
    const was = { asks: this.doc.asks, offers: this.offers, undo: this.#lastAnswer, until: performance.now() }
    this.#was = [...this.#was, was].slice(-MOST_WAS)
  }

  /** An answer is on its way, and not yet known to be saved. */
  get isSending(): boolean {
    return this.#pending.size > 0
  }

  say(frame: Said) {
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

  /** Which of a dozen faces somebody at the table has; 0 for the first. */
  setFace(name: string, face: number) {
    this.say({ t: 'face', name, face })
  }

  setOdds(odds: OddsFor) {
    this.say({ t: 'set', odds })
  }

  /** The table is to end in a while, or to go on after all. */
  setEnd(on: boolean) {
    this.say({ t: 'end', on })
  }

  setBot(seat: string, bot: string) {
    this.say({ t: 'bot', seat, bot: bot || null })
  }

  /** For all to see, for a moment. */
  throw(sign: Sign) {
    this.say({ t: 'throw', sign })
  }

  olderStory() {
    const first = this.story[0]
    if (first) this.say({ t: 'story', before: first.n })
  }

  /** Keep `allOffers` up to date until the function returned is called. */
  watchOffers(): () => void {
    if (this.#watchers++ === 0) this.say({ t: 'offers' })
    return () => void this.#watchers--
  }

  // The line.

  /** Try again at once. */
  connectNow = () => {
    if (this.#closed || document.visibilityState === 'hidden') return
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return
    clearTimeout(this.#retry)
    this.#connect()
  }

  /** Somebody looks at the page again: a line may have died meanwhile without a word. */
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
      this.#hear(JSON.parse(event.data as string) as Told)
    }
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.#socket) return
      if (code === RESTARTS) this.#sentAway(Number(reason) || 0)
      this.#lost()
    }
  }

  /** Ask whether the line still carries anything. What was said before the ping was heard if its pong comes. */
  #probe(said: Said | null = null) {
    if (this.status !== 'here' || this.#socket?.readyState !== WebSocket.OPEN) return
    this.#socket.send(JSON.stringify({ t: 'ping' }))
    // The timers of a page that nobody looks at may go off long after the pong has come: it asks again when it wakes.
    const timer = setTimeout(() => document.visibilityState === 'hidden' || this.#lost(), PONG_MS)
    this.#owed.push({ timer, said })
  }

  #ponged() {
    clearTimeout(this.#owed.shift()?.timer)
  }

  /** Nothing is expected of the line any more; what may not have been heard is said again on the next. */
  #forgive() {
    for (const { timer, said } of this.#owed) {
      clearTimeout(timer)
      if (said) this.#again.push(said)
    }
    this.#owed = []
  }

  /** Those who are sent away together choose a moment of their own within so many seconds, not to come all at once. */
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
    if (this.#tries >= RETRY_MS.length) this.renewing = false // it takes too long for that
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

  // Hearing.

  #hear(told: Told) {
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
        said.message = told.message ?? ''
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

  #sat(told: Extract<Told, { t: 'table' }>) {
    this.beforeChange?.()
    this.#remember()
    const back = this.table !== null
    if (!back) said.message = '' // if anything is said, it comes next
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

  #changed(told: Extract<Told, { t: 'change' }>) {
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

  /** Add entries to the story, striking out what they undid, and not what they redid. */
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

  #refusedBy(told: Extract<Told, { t: 'error' }>) {
    if (typeof told.id === 'string' && this.#pending.has(told.id)) {
      const { field, fault = '' } = told
      const isSaid = field && this.#pending.get(told.id)?.atField(field, fault)
      this.#settle(told.id, isSaid ? '' : (told.problem ?? told.message))
    } else if (told.code === 'too_many') {
      this.#ponged() // what came too fast, maybe a ping, was heard
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
 * What an answer means: the question that it answers, or, of an undo and a redo, the last answer that stands. Null if it
 * is none that is offered now, as what is open at any time is not.
 */
function meaning(answer: Answer, asks: Asks, offers: readonly Offer[], undo: number): string | null {
  if ('undo' in answer || 'redo' in answer) return `after ${undo}`
  const bot = answer.t === 'let_bot'
  if (!bot && !offers.some((offer) => !offer.anytime && fits(answer, offer))) return null
  // Where each answers for themselves, the others' answers change nothing but lists of who has.
  const about = Object.entries(asks.with).filter(([, value]) => !asks.together || typeof value !== 'object')
  return JSON.stringify([asks.key, about])
}
const meaningThen = (answer: Answer, { asks, offers, undo }: Was) => meaning(answer, asks, offers, undo)

/** Whether an answer gives this offer: the same word, and what leaves no choice. */
const fits = (answer: Answer, offer: Offer): boolean =>
  offer.do === answer.do &&
  offer.draw === answer.draw &&
  offer.roll === answer.roll &&
  Object.entries(offer.fields).every(
    ([field, schema]) => !('const' in schema) || !(field in answer) || schema.const === answer[field],
  )

/** Whether the house's page is made of another script than this one, which was built. */
function isOther(script: string): boolean {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src') ?? ''
  return Boolean(script) && own.startsWith(at('/assets/')) && own !== at(script)
}

/** 128 random bits, base64url: what an answer is known by, and half of what its cards are drawn from. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22)
}

/** Sending from one control: whether it is on its way, and what was wrong with it, to be shown beside that control. */
export class Sending {
  busy = $state(false)
  problem = $state<string | null>(null)
  readonly #client: TableClient

  constructor(client: TableClient) {
    this.#client = client
  }

  /** Send an answer; true once it is saved. */
  async send(answer: Answer): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.problem = null
    const form = submitted()
    this.problem = await this.#client.answer(answer, (field, fault) => tellAt(form, field, fault))
    this.busy = false
    return this.problem === null
  }
}
