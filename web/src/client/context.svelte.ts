import { getContext, setContext } from 'svelte'
import type { Cards, GameTexts, SeatMark, Settings, Table } from '$contract'
import { t } from '../i18n/index.ts'
import type { Game } from '../api/http.ts'
import { cardInText, cardName } from '../lib/cards.ts'
import type { TableClient } from './client.svelte.ts'
import { hashOf } from '../fairness/hash.ts'
import { flown } from '../lib/flight.ts'
import type { Answer, Asks, Entry, Offer, Schema, Seat, StoryEvent } from '../api/protocol.ts'
import { markOf } from '../art/seatMarks.ts'
import { Draft } from '../stores/draft.svelte.ts'
import { halfDone, saveHalfDone } from '../stores/saved.ts'
import { seatTitle } from '../lib/seats.ts'
import { Picking } from './picking.svelte.ts'
import { pieces, plain, readable } from '../i18n/text.ts'

/** What a page about a game goes by, with or without a table: the game's texts, and what its cards are. */
export class GameContext implements GameTexts {
  /** The rule whose "why?" is open. */
  why = $state<string | null>(null)

  #game = $state.raw() as Game
  #cards = $state.raw<Cards | null>(null)

  constructor(game: Game, cards: Cards | null = null) {
    this.#game = game
    this.#cards = cards
  }

  get game(): Game {
    return this.#game
  }
  get cards(): Cards | null {
    return this.#cards
  }

  /** The game has been loaded anew, by an author who changes it. */
  renew(game: Game, cards: Cards | null = null) {
    this.#game = game
    this.#cards = cards
  }

  /** What was chosen when the table was made, where it differs from the usual. */
  get options(): Record<string, unknown> {
    return {}
  }

  /** What a card is called. */
  cardName = (card: string): string => this.aboutCard(card)?.name ?? cardName(card)

  /** What a card is called in running text, with its article. */
  cardInText = (card: string): string => (this.aboutCard(card) ? this.cardName(card) : cardInText(card))

  /** What there is to say of a card, if it is not one of an ordinary deck. */
  aboutCard(card: string): ReturnType<Cards['about']> {
    return this.cards?.about(card, this) ?? null
  }

  /** Who sits in a seat, where there are seats. */
  seatName = (seat: string): string => seat

  /** A text of the game's as plain words. */
  say(text: string, about: Record<string, unknown> = {}): string {
    return plain(pieces(text, about, this.game.words.values, this.game.words.fields), this.cardInText, this.seatName)
  }

  /** One of the texts that only the game's own view needs; its blanks are filled in with what it is `about`. */
  word(key: string, about?: Record<string, unknown>): string {
    const text = this.game.words.page[key] ?? readable(key)
    return about ? this.say(text, about) : text
  }

  /** Whether the text of a rule is known. */
  hasRule(rule: string | undefined): rule is string {
    return rule !== undefined && rule in this.game.rules
  }

  fieldName(field: string): string {
    return this.game.words.fields[field] ?? readable(field)
  }

  /** One of a field's values in words. */
  valueName(field: string, value: unknown, schema?: Schema): string {
    const words = this.game.words.values[`${field}.${value}`]
    if (typeof value === 'boolean') return words ?? t(value ? 'yes' : 'no')
    if (value === null || value === undefined) return t('none')
    if (typeof value === 'object') return nameOf(value) ?? t(Object.keys(value).length ? 'option_own' : 'option_usual')
    const text = String(value)
    if (schema?.format === 'card') return this.cardName(text)
    if (field === 'step') return this.game.words.steps[text]?.title ?? readable(text)
    return words ?? text
  }
}

/** What an object calls itself, as a deck does. */
const nameOf = (value: object): string | null => ('name' in value && typeof value.name === 'string' ? value.name : null)

/** What every part of a table's page goes by: the client, the game's texts, and how things are said here. */
export class TableContext extends GameContext implements Table {
  /** Whether the plain view is wanted instead of the game's own. */
  plainView = $state(false)
  /** What the game's view had screen readers say last. */
  announced = $state.raw({ text: '' })
  /** What is to be undone, once that is confirmed: all moves from this entry on. */
  undoing = $state.raw<{ entry: Entry; done: (problem: string | null) => void } | null>(null)
  /** What lies in one's hand where cards of it are chosen by a tap, and what was chosen. */
  readonly picking = new Picking()

  constructor(
    readonly client: TableClient,
    game: Game,
    cards: Cards | null = null,
    /** The secret of the table's door, if this device has it. */
    readonly door = '',
  ) {
    super(game, cards)
  }

  override get options(): Record<string, unknown> {
    return this.client.table?.options ?? {}
  }

  // What there is, as a view is given it.

  get view(): unknown {
    return this.client.doc!.view
  }
  get number(): number {
    return this.client.n
  }
  get asks(): Asks {
    return this.client.doc!.asks
  }
  get offers(): Offer[] {
    return this.client.offers
  }
  get allOffers(): Offer[] {
    return this.client.allOffers
  }
  get odds(): unknown {
    return this.client.odds
  }
  get seats(): Seat[] {
    return this.client.players
  }
  get you(): string {
    return this.client.you
  }
  get isGm(): boolean {
    return this.client.isGm
  }
  get isScreen(): boolean {
    return this.client.isScreen
  }
  get isOpen(): boolean {
    return this.client.live && !this.client.table!.ended && !this.client.table!.read_only
  }
  get isAsked(): boolean {
    return isAsked(this.asks, this.you)
  }
  get story(): Entry[] {
    return this.client.story
  }
  get settings(): Settings {
    return this.client.table!
  }
  now(): number {
    return this.client.now()
  }

  /** Depend on all that a view is given. */
  changes = () => {
    const { doc, offers, allOffers, odds, seats, story, table, mine, redo } = this.client
    return [doc, offers, allOffers, odds, seats, story, table, mine, redo]
  }

  // What can be done by a view.

  answer(answer: Answer): Promise<string | null> {
    return this.client.answer(answer)
  }
  /** Undo all moves from an entry on, or the last one. More than one's own last move is to be confirmed first. */
  undo(from?: Entry): Promise<string | null> {
    if (this.client.ignores({ undo: 1 })) return Promise.resolve(t('changed_as_pressed'))
    const last = this.story.findLast(counts)
    const entry = from ?? last
    if (!entry || !this.isGm || !this.client.fair || (this.client.mine && entry.n === last?.n))
      return this.client.answer({ undo: 1 })
    this.undoing?.done(null)
    return new Promise((done) => {
      this.undoing = { entry, done }
    })
  }
  get mayUndo(): boolean {
    return this.isOpen && (this.isGm ? this.story.some(counts) : this.client.mine)
  }
  redo(): Promise<string | null> {
    return this.client.answer({ redo: Math.max(this.client.redo, 1) })
  }
  get mayRedo(): boolean {
    return this.isOpen && this.client.redo > 0
  }
  askBot(bot: string) {
    this.client.say({ t: 'let_bot', bot, at: this.number })
  }
  openRule(rule: string) {
    this.why = rule
  }
  announce(text: string) {
    this.announced = { text }
  }
  fly(what: HTMLElement, from: Element): Promise<void> {
    return flown(what, from)
  }
  recall<T>(name: string): T | null {
    return halfDone<T>(this.client.table!.id, `${this.you}.${name}`)
  }
  remember(name: string, what: unknown) {
    saveHalfDone(this.client.table!.id, `${this.you}.${name}`, what)
  }
  /** The draft of one of this seat's forms; see `Draft`. */
  draft<T extends object>(form: string, begin: () => T): Draft<T> {
    return new Draft(this.client.table!.id, `${this.you}.${form}`, begin)
  }
  watchOffers(): () => void {
    return this.client.watchOffers()
  }

  // How things are said.

  /** Who sits in a seat: the name they gave, or what the seat is called. */
  override seatName = (seat: string): string => {
    const name = this.client.nameOf(seat)
    const bot = this.client.botOf(seat)
    if (bot) return t('bot_named', { name: name || this.unnamed(seat), bot: this.botTitle(bot) })
    return name || this.unnamed(seat)
  }

  botTitle(bot: string): string {
    return this.game.words.bots[bot]?.title ?? bot
  }

  /** By what a seat is known all evening: it goes by its place, and seats only come in after the others. */
  seatMark = (seat: string): SeatMark => markOf(this.seats.findIndex((one) => one.seat === seat))

  /** Whether nobody is to tell the others anything now. */
  get isSilent(): boolean {
    return this.game.silent_at.includes(this.asks.key)
  }

  /** What a seat is called in which nobody has given a name. */
  unnamed(seat: string): string {
    return seat === 'clock' ? t('the_clock') : seatTitle(seat)
  }

  /** The players' seats that whoever has the table's code can take. */
  get freeSeats(): Seat[] {
    return this.client.players.filter(({ seat, name, here, bot }) => seat !== 'gm' && !name && !here && !bot)
  }

  /** Whether this is the secret of the table's door as it is now; none is while it is closed. */
  isDoor(secret: string): boolean {
    const mark = this.client.table?.door
    return Boolean(secret && mark && hashOf(secret).startsWith(mark))
  }

  /** Whether this page is the screen, and shows the code by which free seats are taken. */
  get showsDoor(): boolean {
    const { isScreen, table } = this.client
    const open = isScreen && table && !table.ended && !table.read_only
    return Boolean(open) && this.freeSeats.length > 0 && this.isDoor(this.door)
  }

  /** The open question as it is put to this seat, or as the others hear it. */
  question(asks: Asks): { text: string; about: Record<string, unknown>; mine: boolean } {
    const mine = isAsked(asks, this.client.you)
    const step = asks.with.step
    const title = typeof step === 'string' ? this.game.words.steps[step]?.title : undefined
    const prompt = asks.prompt ?? asks
    const words = this.game.words.asks[prompt.key]
    return {
      text: words ? words[mine ? 'you' : 'others'] : readable(prompt.key),
      about: title ? { ...prompt.with, step: title } : prompt.with,
      mine,
    }
  }

  /** The words for an event, by its key. */
  eventText(event: StoryEvent): string {
    return this.game.words.events[event.key] ?? readable(event.key)
  }

  /** An entry of the story as plain words. */
  entryText(entry: Entry): string {
    return entry.events.map((event) => this.say(this.eventText(event), event)).join(' ')
  }

  override valueName(field: string, value: unknown, schema?: Schema): string {
    return schema?.format === 'seat' ? this.seatName(String(value)) : super.valueName(field, value, schema)
  }

  /** Whether anything can come of an offer that nothing waits for: not if it is rolled for in vain. */
  isToBeShown = ({ do: action, certain }: Offer): boolean => !certain || `${action}.certain` in this.game.words.actions

  /** What each of these offers is called; of those that would be called the same, each says how it differs. */
  labels(offers: readonly Offer[]): string[] {
    const labels = offers.map((offer) => this.#label(offer))
    return offers.map((offer, place) => {
      const label = labels[place]!
      const alike = offers.filter((_, other) => labels[other] === label)
      if (alike.length === 1) return label
      const about = Object.keys(offer.fields)
        .map((field) => this.#field(offer, field))
        .filter(
          (text) => !alike.every((other) => Object.keys(other.fields).some((f) => this.#field(other, f) === text)),
        )
      return about.length ? `${label} (${about.join(', ')})` : label
    })
  }

  /** What the button says that gives this offer with these values, after what the offer is called without them. */
  filled(offer: Offer, values: Answer, label: string): string {
    const said = this.#label(offer, { ...fixed(offer), ...values })
    return said === this.#label(offer) ? label : said
  }

  /** A field of an offer, with its value if there is no choice. */
  #field(offer: Offer, field: string): string {
    const schema = offer.fields[field]!
    const name = this.fieldName(field)
    return 'const' in schema ? `${name}: ${this.valueName(field, schema.const, schema)}` : name
  }

  /** What an offer is called once its fields have these values. */
  #label(offer: Offer, chosen: Answer = fixed(offer)): string {
    const values = { ...blank(offer), ...chosen }
    const action = offer.do ?? (offer.draw ? 'draw' : 'roll')
    const asks = this.client.doc?.asks
    const here = asks && this.game.words.actions[`${action}.${asks.key}`]
    if (here) return this.say(here, { ...values, ...asks.with })
    const certain = offer.certain && this.game.words.actions[`${action}.certain`]
    if (certain) return this.say(certain, values)
    const yesOrNo = Object.entries(values).find(
      ([field, value]) => typeof value === 'boolean' && this.game.words.values[`${field}.${value}`],
    )
    if (yesOrNo) return this.valueName(...yesOrNo)
    return this.say(this.game.words.actions[action] ?? readable(action), values)
  }
}

/** The seats that are being waited for: the first, where one is to answer; a step, a draw or a roll may be anybody's. */
export function waitedFor(asks: Asks): string[] {
  if (asks.waits_for) return asks.waits_for
  return asks.kind === 'ask' && !asks.together ? asks.seats.slice(0, 1) : asks.seats
}

/** Whether a seat is one that is being waited for. */
export const isAsked = (asks: Asks, seat: string): boolean => waitedFor(asks).includes(seat)

/** Whether an undo can take an entry back: it stands, and is an answer of the game. */
export function counts(entry: Entry): boolean {
  return !entry.undone && !entry.undo && !entry.redo && !entry.events.some((event) => event.rule === 'table')
}

/** The values a field may have, where they are listed. */
export const valuesOf = (schema: Schema | undefined): unknown[] =>
  schema?.enum ?? (schema && 'const' in schema ? [schema.const] : [])

/** The first of these offers that is this action and may be done to somebody: one whose `name`, or `target`, it lists. */
export function offerAbout(offers: Offer[], action: string, name: string): Offer | undefined {
  return offers.find(({ do: word, fields }) => word === action && valuesOf(fields.name ?? fields.target).includes(name))
}

/** What stands in a button's words for each field as long as nothing has been chosen there. */
const blank = (offer: Offer): Answer => Object.fromEntries(Object.keys(offer.fields).map((field) => [field, '…']))

/** The fields of an offer that leave no choice. */
export function fixed(offer: Offer): Answer {
  const values: Answer = {}
  for (const [field, schema] of Object.entries(offer.fields))
    if ('const' in schema && !offer.optional?.includes(field)) values[field] = schema.const
  return values
}

/** The answer an offer leads to. */
export function answerTo(offer: Offer, values: Answer = {}): Answer {
  const head = offer.do ? { do: offer.do } : offer.draw ? { draw: offer.draw } : { roll: offer.roll }
  return { ...head, ...fixed(offer), ...values }
}

/** Whether an offer is one press of a button: nothing is left to say. */
export function isButton(offer: Offer): boolean {
  if (offer.roll) return false
  const optional = offer.optional ?? []
  return Object.entries(offer.fields).every(([field, schema]) => 'const' in schema && !optional.includes(field))
}

const KEY = Symbol('game')

/** For parts that are mounted by themselves. */
export const contextOf = (game: GameContext) => new Map<unknown, unknown>([[KEY, game]])
/** Also of a page that is about a game, and at no table. */
export const provideGame = <Context extends GameContext>(game: Context): Context => setContext(KEY, game)
export const useGame = (): GameContext => getContext<GameContext>(KEY)
export const provideTable: (table: TableContext) => TableContext = provideGame
export const useTable = (): TableContext => getContext<TableContext>(KEY)
