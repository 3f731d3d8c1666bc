import { getContext, setContext } from 'svelte'
import type { Cards, GameTexts, SeatMark, Settings, Table } from '$contract'
import { t } from '../i18n/index.ts'
import type { Game } from '../api/http.ts'
import { cardInText, cardName } from '../lib/cards.ts'
import type { TableClient } from './client.svelte.ts'
import { flown } from '../lib/flight.ts'
import type { Answer, Asks, Entry, Offer, Schema, Seat, StoryEvent } from '../api/protocol.ts'
import { markOf } from '../art/seatMarks.ts'
import { Draft } from '../stores/draft.svelte.ts'
import { tabDraft, saveTabDraft } from '../stores/saved.ts'
import { speech } from '../stores/speech.svelte.ts'
import { seatTitle } from '../lib/seats.ts'
import { CardSelection } from './cardSelection.svelte.ts'
import { pieces, plainText, readable } from '../i18n/text.ts'

/** The texts and cards of a game, for pages with or without a table. */
export class GameContext implements GameTexts {
  /** The rule whose text is open. */
  openedRule = $state<string | null>(null)

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

  /** The author changed the game's files: use the reloaded game. */
  renew(game: Game, cards: Cards | null = null) {
    this.#game = game
    this.#cards = cards
  }

  /** The table's options that differ from their defaults. */
  get options(): Record<string, unknown> {
    return {}
  }

  /** Return a card's name. */
  cardName = (card: string): string => this.aboutCard(card)?.name ?? cardName(card)

  /** Return a card's name for running text, with its article. */
  cardInText = (card: string): string => (this.aboutCard(card) ? this.cardName(card) : cardInText(card))

  /** Describe a card; null for one of an ordinary deck. */
  aboutCard(card: string): ReturnType<Cards['about']> {
    return this.cards?.about(card, this) ?? null
  }

  /** Return the name of a seat's player. */
  seatName = (seat: string): string => seat

  /** Return one of the game's texts as plain text. */
  say(text: string, about: Record<string, unknown> = {}, seatName = this.seatName): string {
    return plainText(pieces(text, about, this.game.words.values, this.game.words.fields), this.cardInText, seatName)
  }

  /** Return one of the texts of the game's own view; `about` fills in its placeholders. */
  word(key: string, about?: Record<string, unknown>): string {
    const text = this.game.words.page[key] ?? readable(key)
    return about ? this.say(text, about) : text
  }

  /** Whether a rule's text is known. */
  hasRule(rule: string | undefined): rule is string {
    return rule !== undefined && rule in this.game.rules
  }

  fieldName(field: string): string {
    return this.game.words.fields[field] ?? readable(field)
  }

  /** Return a field's value in words. */
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

/** Return the name that an object, such as a deck, contains. */
const nameOf = (value: object): string | null => ('name' in value && typeof value.name === 'string' ? value.name : null)

/** The context of all parts of a table's page: the client, the game's texts, and names. */
export class TableContext extends GameContext implements Table {
  /** Whether to show the basic view instead of the game's own. */
  basicView = $state(false)
  /** The entry from which to undo, while a confirmation is open. */
  undoing = $state.raw<{ entry: Entry; done: (problem: string | null) => void } | null>(null)
  /** The table's layout is a desk's: everyone is on the cloth once, and can be tapped. */
  onDesk = $state(false)
  chosen = $state<string | null>(null)
  /** The cards in the hand that can be selected, and those selected. */
  readonly picking = new CardSelection()

  constructor(
    readonly client: TableClient,
    game: Game,
    cards: Cards | null = null,
    /** The secret of the table's join code, if this device has it. */
    readonly joinSecret = '',
  ) {
    super(game, cards)
  }

  override get options(): Record<string, unknown> {
    return this.client.table?.options ?? {}
  }

  // Data for a view.

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
    return mustAct(this.asks, this.you)
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

  /** Depend on all data for a view. */
  changes = () => {
    const { doc, offers, allOffers, odds, seats, story, table, mine, redo } = this.client
    return [doc, offers, allOffers, odds, seats, story, table, mine, redo, this.chosen]
  }

  // Functions for a view.

  answer(answer: Answer): Promise<string | null> {
    return this.client.answer(answer)
  }
  /** Undo all moves from an entry on, or the last one. Anything but one's own last move needs a confirmation. */
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
    this.client.send({ t: 'let_bot', bot, at: this.number })
  }
  openRule(rule: string) {
    this.openedRule = rule
  }
  announce(text: string) {
    speech.say(text)
  }
  fly(what: HTMLElement, from: Element): Promise<void> {
    return flown(what, from)
  }
  recall<T>(name: string): T | null {
    return tabDraft<T>(this.client.table!.id, `${this.you}.${name}`)
  }
  remember(name: string, what: unknown) {
    saveTabDraft(this.client.table!.id, `${this.you}.${name}`, what)
  }
  /** Return the draft of one of this seat's forms. */
  draft<T extends object>(form: string, begin: () => T): Draft<T> {
    return new Draft(this.client.table!.id, `${this.you}.${form}`, begin)
  }
  watchOffers(): () => void {
    return this.client.watchOffers()
  }

  // Names.

  /** Return the player's name, or the seat's default name, with a bot's kind unless it is to be `brief`. */
  override seatName = (seat: string, brief = false): string => {
    const name = this.client.nameOf(seat) || this.unnamed(seat)
    const bot = this.client.botOf(seat)
    return bot && !brief ? t('bot_named', { name, bot: this.botTitle(bot) }) : name
  }

  botTitle(bot: string): string {
    return this.game.words.bots[bot]?.title ?? bot
  }

  /**
   * Return a seat's colour and symbol for the whole session: they depend on its position, and new seats are added at
   * the end.
   */
  seatMark = (seat: string): SeatMark => markOf(this.seats.findIndex((one) => one.seat === seat))

  /** Whether reactions are off. */
  get isSilent(): boolean {
    return this.game.silent_at.includes(this.asks.key)
  }

  /** Return a seat's name without a player. */
  unnamed(seat: string): string {
    return seat === 'clock' ? t('the_clock') : seatTitle(seat)
  }

  /** The players' seats that can be taken with the join code. */
  get freeSeats(): Seat[] {
    return this.client.players.filter(({ seat, name, here, bot }) => seat !== 'gm' && !name && !here && !bot)
  }

  /** Whether this is the table's current join code, by its mark; always false while joining by code is off. */
  isJoinSecret(secret: string): boolean {
    const mark = this.client.table?.door
    return Boolean(mark) && secret.endsWith(`.${mark}`)
  }

  /** Whether this page is the table screen and shows the join code. */
  get showsJoinCode(): boolean {
    const { isScreen, table } = this.client
    const open = isScreen && table && !table.ended && !table.read_only
    return Boolean(open) && this.freeSeats.length > 0 && this.isJoinSecret(this.joinSecret)
  }

  /** Return the open question, in this seat's or the others' words. */
  question(asks: Asks): { text: string; about: Record<string, unknown>; mine: boolean } {
    const mine = mustAct(asks, this.client.you)
    const step = asks.with.step
    const title = typeof step === 'string' ? this.game.words.steps[step]?.title : undefined
    const prompt = asks.prompt ?? asks
    const words = this.game.words.asks[prompt.key]
    return {
      text: words ? (this.isScreen && words.screen) || words[mine ? 'you' : 'others'] : readable(prompt.key),
      about: title ? { ...prompt.with, step: title } : prompt.with,
      mine,
    }
  }

  /** Return the text of an event. */
  eventText(event: StoryEvent): string {
    return this.game.words.events[event.key] ?? readable(event.key)
  }

  /** Return an entry of the log as plain text. */
  entryText(entry: Entry, seatName = this.seatName): string {
    return entry.events.map((event) => this.say(this.eventText(event), event, seatName)).join(' ')
  }

  /** Return an entry as a screen reader says it during play: call-outs first, in fewer words, without the bots' kinds. */
  spokenText(entry: Entry): string {
    const { moments, spoken } = this.game.words
    const later = ({ key }: StoryEvent) => Number(!(key in moments))
    const briefly = (seat: string) => this.seatName(seat, true)
    const said = [...entry.events]
      .sort((a, b) => later(a) - later(b))
      .map((event) => this.say(spoken[event.key] ?? this.eventText(event), event, briefly))
    return said.filter(Boolean).join(' ') || this.entryText(entry, briefly)
  }

  override valueName(field: string, value: unknown, schema?: Schema): string {
    return schema?.format === 'seat' ? this.seatName(String(value)) : super.valueName(field, value, schema)
  }

  /**
   * Whether an offer open at any time can have an effect: one with a certain result can only if it has words for that.
   */
  isToBeShown = ({ do: action, certain }: Offer): boolean => !certain || `${action}.certain` in this.game.words.actions

  /** Return the labels of these offers; equal labels are extended by the differences. */
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

  /** Return a button's label for an offer with these values; `label` is its label without them. */
  filled(offer: Offer, values: Answer, label: string): string {
    const filledLabel = this.#label(offer, { ...fixed(offer), ...values })
    return filledLabel === this.#label(offer) ? label : filledLabel
  }

  /** Return a field's name, with its value if it is constant. */
  #field(offer: Offer, field: string): string {
    const schema = offer.fields[field]!
    const name = this.fieldName(field)
    return 'const' in schema ? `${name}: ${this.valueName(field, schema.const, schema)}` : name
  }

  /** Return an offer's label with these values. */
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

/** Return the seats that must act: the first one for a question, all for a step, draw or roll. */
export function waitedFor(asks: Asks): string[] {
  if (asks.waits_for) return asks.waits_for
  return asks.kind === 'ask' && !asks.together ? asks.seats.slice(0, 1) : asks.seats
}

/** Whether a seat must act. */
export const mustAct = (asks: Asks, seat: string): boolean => waitedFor(asks).includes(seat)

/** Whether an undo can take an entry back: a move of the game, not undone. */
export function counts(entry: Entry): boolean {
  return !entry.undone && !entry.undo && !entry.redo && !entry.events.some((event) => event.rule === 'table')
}

/** Return the listed values of a field. */
export const valuesOf = (schema: Schema | undefined): unknown[] =>
  schema?.enum ?? (schema && 'const' in schema ? [schema.const] : [])

/** Return the first offer of this action whose `name` or `target` may be this name. */
export function offerAbout(offers: Offer[], action: string, name: string): Offer | undefined {
  return offers.find(({ do: word, fields }) => word === action && valuesOf(fields.name ?? fields.target).includes(name))
}

/** Return the characters that these offers let a seat strike. */
export const targetsOf = (offers: Offer[]): unknown[] =>
  offers.filter((offer) => offer.do === 'strike').map((offer) => fixed(offer).target)

/** The placeholder in a button's label for each field without a value. */
const blank = (offer: Offer): Answer => Object.fromEntries(Object.keys(offer.fields).map((field) => [field, '…']))

/** Return the constant fields of an offer. */
export function fixed(offer: Offer): Answer {
  const values: Answer = {}
  for (const [field, schema] of Object.entries(offer.fields))
    if ('const' in schema && !offer.optional?.includes(field)) values[field] = schema.const
  return values
}

/** Return the answer for an offer with these values. */
export function answerTo(offer: Offer, values: Answer = {}): Answer {
  const head = offer.do ? { do: offer.do } : offer.draw ? { draw: offer.draw } : { roll: offer.roll }
  return { ...head, ...fixed(offer), ...values }
}

/** Whether an offer has nothing to fill in, so that a button suffices. */
export function isButton(offer: Offer): boolean {
  if (offer.roll) return false
  const optional = offer.optional ?? []
  return Object.entries(offer.fields).every(([field, schema]) => 'const' in schema && !optional.includes(field))
}

const KEY = Symbol('game')

/** Create the context for a component that is mounted on its own. */
export const contextOf = (game: GameContext) => new Map<unknown, unknown>([[KEY, game]])
/** Set the context, also for a page about a game without a table. */
export const provideGame = <Context extends GameContext>(game: Context): Context => setContext(KEY, game)
export const useGame = (): GameContext => getContext<GameContext>(KEY)
export const provideTable: (table: TableContext) => TableContext = provideGame
export const useTable = (): TableContext => getContext<TableContext>(KEY)
