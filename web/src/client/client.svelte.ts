import { at } from '../lib/base.ts'
import { apply } from '../api/delta.ts'
import { FairDeal } from '../fairness/fair.svelte.ts'
import { t } from '../i18n/index.ts'
import { markCode } from '../lib/links.ts'
import { newId } from '../lib/newId.ts'
import { ignorePress } from '../lib/presses.ts'
import type { Answer, ClientFrame, Code, Doc, OddsFor, Pace, Reaction, ServerFrame } from '../api/protocol.ts'
import { forgetLink } from '../stores/saved.ts'
import { announcement } from '../stores/announcement.svelte.ts'
import { Connection, type Status } from './connection.svelte.ts'
import { RecentQuestions, type Question } from './recentQuestions.ts'
import { TableState } from './tableState.svelte.ts'

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
export class TableClient extends TableState {
  /** The server's reason for refusing the link. */
  refused = $state('')
  /** Not the link was refused but this page: its address isn't the server's. */
  wrongPlace = $state(false)
  /** The number of joins; after each, the game may have been reloaded. */
  sittings = $state(0)

  /** The server's page script, if newer than this page's; otherwise empty. */
  newerPage = $state('')
  /** This page's part in the deals; null if the table isn't live. */
  readonly fair: FairDeal | null = null

  /** Called before a change is shown, while the page still shows the old state. */
  beforeChange: (() => void) | null = null
  /** Called before any message is shown. */
  beforeNews: (() => void) | null = null

  /** The secret of the seat's link. */
  readonly token: string
  /** Milliseconds from this page's clock, which stands still while the device sleeps, to the server's time. */
  #ahead = $state(Date.now() - performance.now())
  readonly #connection: Connection
  #watchers = 0
  #pending = new Map<string, Pending>()
  readonly #questions = new RecentQuestions()

  /** Played live, not a replay. */
  live: boolean

  constructor(id: string, token: string, live = true) {
    super()
    this.token = token
    this.live = live
    this.#connection = new Connection(
      () => ({ t: 'sit', table: id, token, ...(this.table ? { since: this.n } : {}) }),
      (frame) => this.#receive(frame),
    )
    if (!live) return
    this.fair = new FairDeal((frame) => this.send(frame), token)
    this.#connection.open()
  }

  close() {
    this.fair?.close()
    this.#connection.close()
  }

  get status(): Status {
    return this.#connection.status
  }
  set status(status: Status) {
    this.#connection.status = status
  }
  /** The server announced a restart, and when to reconnect. */
  get renewing(): boolean {
    return this.#connection.renewing
  }
  /** Several attempts to reach the server failed, and this page has never joined. */
  get unreached(): boolean {
    return this.#connection.unreached
  }
  connectNow = () => this.#connection.connectNow()

  /**
   * Return the server's time in Unix milliseconds, independent of this device's clock. Reactive: what counts down to a
   * time is updated when the time is corrected.
   */
  now(): number {
    return performance.now() + this.#ahead
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
      this.#connection.sendText(frame)
      this.#connection.probe()
    })
  }

  /** Whether to ignore an action because its meaning changed just before the press. */
  ignores(answer: Answer): boolean {
    const ignored = this.doc !== null && this.#questions.isNew(answer, this.#question(this.doc))
    if (ignored) ignorePress()
    return ignored
  }

  #question({ asks }: Doc): Question {
    return { asks, offers: this.offers, undo: this.lastAnswer }
  }

  #remember() {
    if (this.doc) this.#questions.remember(this.#question(this.doc))
  }

  /** An action is not confirmed as saved yet. */
  get isSending(): boolean {
    return this.#pending.size > 0
  }

  send(frame: ClientFrame) {
    if (frame.t === 'let_bot' && this.ignores({ ...frame })) {
      this.problem = t('changed_as_pressed')
      return
    }
    this.#connection.send(frame)
  }

  name(name: string) {
    this.send({ t: 'name', name })
  }

  /** Choose the portrait of a name at the table; 0 is the first. */
  setFace(name: string, face: number) {
    this.send({ t: 'face', name, face })
  }

  setOdds(odds: OddsFor) {
    this.send({ t: 'set', odds })
  }

  /** Schedule the end of the table, or cancel it. */
  setEnd(on: boolean) {
    this.send({ t: 'end', on })
  }

  /** Set how fast bots are; those that wait answer one question after each `go`. */
  setPace(pace: Pace, go = false) {
    this.send({ t: 'pace', pace, go })
  }

  setBot(seat: string, bot: string) {
    this.send({ t: 'bot', seat, bot: bot || null })
  }

  /** Show a reaction to everyone for a moment. */
  react(sign: Reaction) {
    this.send({ t: 'throw', sign })
  }

  olderStory() {
    const first = this.story[0]
    if (first) this.send({ t: 'story', before: first.n })
  }

  /** Keep `allOffers` up to date until the returned function is called. */
  watchOffers(): () => void {
    if (this.#watchers++ === 0) this.send({ t: 'offers' })
    return () => void this.#watchers--
  }

  // Receiving.

  #receive(frame: ServerFrame) {
    if (!QUIET.includes(frame.t)) this.beforeNews?.()
    switch (frame.t) {
      case 'table':
        return this.#sat(frame)
      case 'change':
        return this.#changed(frame)
      case 'ack':
        return this.#finish(frame.id, null)
      case 'offers':
        this.allOffers = frame.offers
        return
      case 'amendable':
        this.editable = frame.amendable
        return
      case 'undo_count':
        this.undoCount = frame
        return
      case 'odds':
        if (this.seesOdds) this.odds = frame.odds
        return
      case 'story':
        this.story = [...frame.entries.filter((entry) => !this.story.some((s) => s.n === entry.n)), ...this.story]
        this.moreStory = frame.more
        return
      case 'seats':
        this.noteDepartures(frame.seats, this.now())
        this.seats = frame.seats
        return
      case 'settings':
        if (this.table)
          this.table = {
            ...{ ...this.table, odds: frame.odds, ends_at: frame.ends_at ?? null },
            ...{ door: frame.door ?? '', next: frame.next ?? '', kept_until: frame.kept_until ?? null },
            faces: frame.faces ?? {},
          }
        this.#askForOdds()
        return
      case 'link':
        this.links = { ...this.links, [frame.seat]: markCode(frame.token, frame.mark) }
        return
      case 'trouble':
        this.trouble = frame.message
        return
      case 'notice':
        this.notice = frame.message
        return
      case 'house':
        announcement.message = frame.message ?? ''
        return
      case 'thrown':
        return this.showReaction(frame)
      case 'device':
        return this.fair?.numbered(frame)
      case 'round':
        return this.fair?.asked(frame)
      case 'error':
        return this.#refusedBy(frame)
      case 'pong':
        return this.#correctTime(frame.now ?? 0, this.#connection.ponged())
    }
  }

  /**
   * A pong had the server's time `now`, and its ping was sent `delay` milliseconds ago: the time now lies between `now`
   * and that much later. An older server says no time (0).
   */
  #correctTime(now: number, delay: number) {
    if (!now) return
    const least = now - performance.now()
    this.#ahead = Math.min(Math.max(this.#ahead, least), least + delay)
  }

  #sat(frame: Extract<ServerFrame, { t: 'table' }>) {
    this.beforeChange?.()
    this.#remember()
    const back = this.table !== null
    if (!back) announcement.message = '' // a notice, if any, comes next
    const before = this.n
    this.n = frame.n
    this.#ahead = frame.now - performance.now()
    this.you = frame.you
    this.table = frame.table
    this.seats = frame.seats
    this.doc = frame.doc
    this.offers = frame.offers
    this.mine = frame.mine
    this.redo = frame.redo ?? 0
    this.trouble = null
    this.notice = null
    this.problem = null
    this.sittings++
    this.answeredHere = false
    this.newerPage = isOther(frame.page) ? frame.page : ''
    const seen = this.story.at(-1)?.n ?? 0
    const follows = back && (frame.story.length === 0 ? frame.n === seen : frame.story[0]!.n <= seen + 1)
    if (!follows) {
      this.story = []
      this.moreStory = frame.more
    }
    this.addEntries(frame.story)
    this.#connection.joined()
    this.fair?.sat(frame, before)
    for (const { frame } of this.#pending.values()) this.#connection.sendText(frame)
    if (this.#pending.size) this.#connection.probe()
    for (const frame of this.#connection.takeUnsent()) this.send(frame)
    this.#askForOdds()
    if (this.#watchers) this.send({ t: 'offers' })
  }

  #changed(frame: Extract<ServerFrame, { t: 'change' }>) {
    this.beforeChange?.()
    this.#remember()
    this.n = frame.n
    this.answeredHere = Boolean(frame.ack)
    if (frame.doc) this.doc = apply(this.doc, frame.doc) as Doc
    if (frame.offers) this.offers = frame.offers
    if (typeof frame.mine === 'boolean') this.mine = frame.mine
    if (typeof frame.redo === 'number') this.redo = frame.redo
    if (frame.story) this.addEntries(frame.story)
    if (this.table && this.doc?.asks.key === 'ended' && !this.table.ended) this.table = { ...this.table, ended: true }
    this.problem = null
    this.fair?.changed(frame, this.table?.ended ?? false)
    if (frame.ack) this.#finish(frame.ack, null)
    if (this.#watchers) this.send({ t: 'offers' })
  }

  #askForOdds() {
    if (this.seesOdds) this.send({ t: 'odds', on: true })
    else this.odds = null
  }

  #refusedBy(frame: Extract<ServerFrame, { t: 'error' }>) {
    if (typeof frame.id === 'string' && this.#pending.has(frame.id)) {
      const { field, fault = '' } = frame
      const isShown = field && this.#pending.get(frame.id)?.atField(field, fault)
      this.#finish(frame.id, isShown ? '' : (frame.problem ?? frame.message))
    } else if (frame.code === 'too_many') {
      this.#connection.ponged() // the frame that came too fast arrived, and may have been a ping
      this.problem = frame.message
    } else if (frame.code === 'closing') {
      this.#connection.renewing = true
    } else if (frame.code === 'no_such_device') {
      this.fair?.unknown()
    } else if (this.#isFatal(frame.code)) {
      if (frame.code === 'old_link') forgetLink(this.token)
      this.wrongPlace = WRONG_PLACE.includes(frame.code)
      this.refused = frame.message
      this.#connection.refused()
    } else {
      this.problem = frame.message
    }
  }

  #isFatal(code: Code): boolean {
    if (code === 'old_link' || WRONG_PLACE.includes(code)) return true
    return this.status !== 'here' && FATAL.includes(code)
  }

  #finish(id: string, problem: string | null) {
    this.#pending.get(id)?.done(problem)
    this.#pending.delete(id)
  }
}

/** Whether the server's page uses another script than this page; a development page has no built script. */
function isOther(script: string): boolean {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src') ?? ''
  return Boolean(script) && own.startsWith(at('/assets/')) && own !== at(script)
}
