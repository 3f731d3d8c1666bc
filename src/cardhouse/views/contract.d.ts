/**
 * The page contract, version 1: what a game's own view is to the table's page, and the page to it.
 *
 * docs/page-contract.md tells it as a story. A view is an ES module, `page/index.js` in the game's folder, whose default
 * export is a `View`. Types only: this file needs nothing, and nothing of it is there when the page runs. In a module of
 * plain JavaScript, `@satisfies {import('./cardhouse').View}` has an editor check it.
 */

/**
 * A game's own view of its table: what it puts into the page's slots. One that is left out is the plain view's; one that
 * is null stays empty.
 */
export interface View {
  /** The version of this contract that the view was written for. */
  contract: 1
  /** False: it uses none of the page's elements (`<ch-card>` ...), which then need not be fetched. */
  elements?: boolean
  /** The table itself, in the middle. Left out: the state as readable rows. */
  middle?: Slot | null
  /** What this seat must know before all else: above what is asked. */
  first?: Slot | null
  /** Who is there: beside the table on a desk, below it on a phone. The page lists the seats above it. */
  side?: Slot | null
  /** What this seat holds: along the bottom of a phone, below the middle on a desk. */
  hand?: Slot | null
  /** What is asked, where the view asks it in its own way: above the plain buttons, which leave out what `asked` names. */
  answers?: Slot | null
  /** The words (`do`) of the offers that this view's own parts let one give. */
  asked?: string[]
  /** What the game master may do at any time. Left out: each offer that is open at any time, as a form behind its name. */
  tools?: Slot | null
  /** A few words beside the table's name. */
  summary?: Slot | null
  /** How it ended: above the table, when the game is over. Without it the recap stands in place of the table. */
  end?: Slot | null
  /** On a table screen, all between the headline and the foot. Left out: `side` on the left, and `middle`. */
  screen?: Slot | null
  /**
   * On a desk, what can be done with the person who was tapped on the table (`Table.chosen`), beside the answers. With
   * it, `screen` and `foot` fill a desk's table, too, in place of `middle` and `side`.
   */
  desk?: Slot | null
  /** On a desk, whether there are people for `screen` to show; until then `middle` is shown. Left out: there are. */
  peopled?: (table: Table) => boolean
  /** On a table screen, what stands along its lower edge: the order of the round, or counts. Left out: `summary`. */
  foot?: Slot | null
  /** On a table screen, the headline above what is asked: the stakes, for example. Left out or empty: what is asked is the headline. */
  headline?: (table: Table) => string
  /** Whether play has begun: until then a table screen shows who is there and a large join code. Left out: since the first event. */
  begun?: (table: Table) => boolean
  /** Everybody's hands, for one who looks back at a table with nothing hidden. */
  open?: Slot | null
  /** On a desk the middle shows the hand by itself. */
  handInMiddle?: boolean | undefined
  /** On a desk, what is asked stands below the table, where one's own hand lies. */
  handBelow?: boolean | undefined
  /** How many cards a deck of paper should hold now; left out: the state's `deck_left`. */
  left?: (table: Table, deck: string) => number
  /** What the cards of a deck of paper do if they come now, and where the others are. Left out: none is marked. */
  marks?: (table: Table, deck: string) => DrawMarks | null
  /** What the answers of the plain buttons lead to, in small letters; null where nothing is told. It goes by `odds`. */
  chances?: (table: Table) => Chances | null
  /** How cards look and what they are called, where they are not of an ordinary deck. */
  cards?: Cards
}

/** What each answer leads to, in a few short lines under its button, and below all of them how that is meant. */
export interface Chances {
  of: (answer: Answer) => readonly string[]
  note?: string
}

/** What the picker of a real deck says of its cards. */
export interface DrawMarks {
  /** Where cards are that can't come: the name of whoever holds it, or a word. */
  gone?: Readonly<Record<string, string>>
  /** What a card does if it comes now; null if there is nothing to say. */
  of?: (card: string) => CardMark | null
  /** For whom the card is drawn: on a phone it stands above the cards, with the question. */
  who?: {
    name: string
    state?: 'up' | 'down' | 'dead'
    /** What matters of it now, and the most that it may be: "16 of 21". */
    number?: number
    limit?: number
    /** A few words below the question. */
    note?: string
  }
}

export interface CardMark {
  /** A red edge, or a gold ring, which the legend explains; without either, the text stands on the card. */
  tone: 'loss' | 'win' | ''
  text: string
}

/**
 * Fills a place of the page, which is empty and this slot's alone, and stays there until `destroy`.
 *
 * What it returns is told of changes; a slot that never changes returns nothing. Whatever it throws, now or in
 * `update`, is named on the page and in the server's log, and the plain view takes the place.
 */
export type Slot = (place: HTMLElement, table: Table, help: Help) => Shown | void

export interface Shown {
  /** Something the slot was given has changed: the state, what is asked, odds, seats, settings. `table` has it all. */
  update?: () => void
  /** The place is needed no longer: stop timers, take listeners off. The page empties it. */
  destroy?: () => void
}

export interface Help {
  /** Something went wrong after the slot had returned, in a listener or a promise: the plain view takes the place. */
  fail: (error: unknown) => void
}

/**
 * How a game's table looks, and its poster on the home page: what `page/world/world.json` says. The drawings and the
 * typeface lie beside it, each under its own name, and are left out at will: then the neutral table's are shown.
 *
 * | file | what it is |
 * | --- | --- |
 * | `horizon.svg` | what lies behind the table, 1200 by 240; its middle and its lower edge are always seen |
 * | `texture.svg` | a pattern over the cloth's colours, which repeats |
 * | `poster.svg` | the game on the home page, 260 by 330 |
 * | `back.svg` | the back of its cards, 100 by 140 |
 * | `title.woff2` | of that typeface only the letters of the title, for the poster: 2 kB or so |
 * | `face.woff2` | the typeface of names, titles and call-outs: a subset of Latin letters, 16 kB at most |
 */
export interface World {
  /** The cloth: where the lamp lights it, between, and at its edge; each `#rrggbb`. */
  cloth: readonly [string, string, string]
  /** Text on it, at 4.5:1 on each of the three. */
  ink: string
  /** Quiet text on it, at 4.5:1 as well. */
  quiet: string
  /** The cloth is pale, and its text dark. */
  pale?: boolean
  /** How the card of a call-out comes: `click`, `drip`, `wag`, `dust` or `sweep`. */
  motion?: string
}

/** One seat's table: what it may know, what is said here, and what can be done. The same object as long as it is open. */
export interface Table {
  // What there is. Everything here is what this seat may know, and is replaced, not changed, when something happens.

  /** The game's texts and facts. */
  readonly game: Game
  /** The state as this seat may see it: what the game's `view()` gives. */
  readonly view: any
  /** How many entries the table's log has. */
  readonly number: number
  /** What is asked now, whoever is to answer. */
  readonly asks: Asks
  /** What this seat may answer now. */
  readonly offers: readonly Offer[]
  /** What may be done at any time as well; empty until `watchOffers`. */
  readonly allOffers: readonly Offer[]
  /** What the game's `odds()` gives, if this seat sees them and they have been worked out; else null. */
  readonly odds: any
  /** All that somebody plays from, the game master's first. */
  readonly seats: readonly Seat[]
  /** This seat's own name: `gm`, `screen`, or a player's. */
  readonly you: string
  readonly isGm: boolean
  /** The television: it shows what all may see, and answers nothing. */
  readonly isScreen: boolean
  /** Answers are taken: the table is played at, has not ended, and can be saved. */
  readonly isOpen: boolean
  /** This seat is one that is being waited for. */
  readonly isAsked: boolean
  /** On a desk, the person who was tapped on the table; null if none. A view may set it. */
  chosen: string | null
  /** What has happened, oldest first, as far as it has been fetched. */
  readonly story: readonly Entry[]
  /** The game's options as they were chosen for this table, where they differ from what is usual. */
  readonly options: Readonly<Record<string, unknown>>
  /** The table's own settings. */
  readonly settings: Settings
  /** Now, for the server, in Unix milliseconds: for what ends at a time. */
  now(): number

  // How things are said here. Texts come from the game's words, so that a view has none of its own.

  /** A text of the words with its blanks filled in: `{name}`, `{card:card}`, `{seat:seat}`, `{n:count:one|# many}`. */
  say(text: string, about?: Record<string, unknown>): string
  /** One of the texts under `[page]` in the words, its blanks filled in. */
  word(key: string, about?: Record<string, unknown>): string
  /** What is asked, in the words for whoever is asked it or for those who wait. */
  question(asks: Asks): { text: string; about: Record<string, unknown>; mine: boolean }
  /** What these offers' buttons are called, each told from the others. */
  labels(offers: readonly Offer[]): string[]
  /** Who sits in a seat, within a sentence: the name they gave, or what the seat is called ("the game master"). */
  seatName(seat: string): string
  /** The colour and the sign of a seat, which it keeps all evening: beside its name, or at what is its own. */
  seatMark(seat: string): SeatMark
  cardName(card: string): string
  fieldName(field: string): string
  /** A field's value in words. */
  valueName(field: string, value: unknown): string
  /** What an entry of the story says. */
  entryText(entry: Entry): string

  // What can be done.

  /** Give an answer. Resolves when it is saved, with null, or when it is refused, with the sentence to show. */
  answer(answer: Answer): Promise<string | null>
  /**
   * Undo this seat's last move; the game master undoes anybody's. Where it is more than that, the page has it confirmed
   * first. Resolves as `answer` does, and with null if it was not confirmed.
   */
  undo(): Promise<string | null>
  /** Whether this seat may undo its last move. */
  readonly mayUndo: boolean
  /** Apply again what the last undo took back. Resolves as `answer` does. */
  redo(): Promise<string | null>
  /** Whether this seat may redo what was undone: nothing else has followed. */
  readonly mayRedo: boolean
  /** Have a bot answer what this seat is asked, this once. */
  askBot(bot: string): void
  /** Open the text of a rule by its id. */
  openRule(rule: string): void
  /** Have a screen reader say something, when it has said what it is saying. */
  announce(text: string): void
  /** Let something fly from where something else is to its own place. Resolves when it is there; at once if motion is reduced. */
  fly(what: HTMLElement, from: Element): Promise<void>
  /** What was being put together in this tab under this name, over a reload; null if nothing was. */
  recall<T = unknown>(name: string): T | null
  /** Keep what is being put together; null forgets it. It must be writable as JSON. */
  remember(name: string, what: unknown): void
  /** Keep `allOffers` up to date until the function that is returned is called. */
  watchOffers(): () => void
}

/** A game's texts, and what is the same at each of its tables. */
export interface Game {
  readonly name: string
  /** The titles of its rules. */
  readonly rules: Readonly<Record<string, string>>
  readonly words: Words
  /** What the game's `facts()` gives. */
  readonly facts: Readonly<Record<string, any>>
  readonly decks: readonly string[]
  /** A JSON Schema for each option, with its default. */
  readonly options: { readonly properties?: Readonly<Record<string, Schema & { default?: unknown }>> }
}

export interface Titled {
  title: string
  text: string
}

export interface Words {
  title: string
  tagline: string
  /** By whom the rules are; empty if the game doesn't say. */
  original: string
  asks: Record<string, { you: string; others: string; screen?: string }>
  events: Record<string, string>
  /** Shorter texts of events for a screen reader; one that is empty is left out. */
  spoken: Record<string, string>
  /** Events that have the whole table for a moment, by their keys. */
  moments: Record<string, MomentWords>
  actions: Record<string, string>
  fields: Record<string, string>
  values: Record<string, string>
  options: Record<string, Titled>
  steps: Record<string, Titled>
  decks: Record<string, Titled>
  bots: Record<string, Titled>
  /** What is told of an evening that is over. */
  evening: Record<string, string>
  /** The texts that only the game's own view needs. */
  page: Record<string, string>
}

/** How an event is told that has the whole table for a moment. */
export interface MomentWords {
  title: string
  /** The title, for whom it befalls. */
  you: string
  /** A line below, left out where one of its blanks has nothing. */
  text: string
  /** What of the event, or of those before it in the entry, is the card that is shown; or a card, such as `RJ`; of a list, two. */
  card: string
  tone: '' | 'loss' | 'win'
  /** The look on the portrait: its own, or stern. */
  mood: '' | 'stern'
}

/** What is asked. `with` is what it is about, by name. */
export interface Asks {
  key: string
  kind: 'ask' | 'draw' | 'roll' | 'step' | 'over'
  rule?: string
  seats: string[]
  /** Each of the seats answers for themselves. */
  together?: boolean
  /** They choose in secret: nobody is told what before all have, and whoever has may choose anew. */
  secret?: boolean
  waits_for?: string[]
  with: Record<string, unknown>
  /** Of a card of a real deck: the words in which it is asked for, and what they speak of. */
  prompt?: { key: string; with: Record<string, unknown> }
}

/** Something that may be answered: an action (`do`), a card of a paper deck (`draw`), or dice (`roll`). */
export interface Offer {
  do?: string
  draw?: string
  roll?: string
  /** What may stand in each of its fields, as a JSON Schema: `enum`, `const`, `minimum` ... */
  fields: Record<string, Schema>
  optional?: string[]
  /** It is open at any time. */
  anytime?: boolean
  /** It may be answered in the place of whoever sits there, who is waited for. */
  for?: string
  /** Only the host can give it: the game master, or any player where a bot plays the game master's seat. */
  host?: boolean
  /** Whatever is rolled for it comes to the same. */
  certain?: boolean
}

/** A JSON Schema, as far as offers and options use it. */
export interface Schema {
  const?: unknown
  enum?: unknown[]
  /** What is meant where it is left out. */
  default?: unknown
  type?: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  not?: { enum: unknown[] }
  items?: Schema
  /** Of an object: its fields. */
  properties?: Record<string, Schema>
  minItems?: number
  maxItems?: number
  /** Of an object: some that fit. */
  examples?: unknown[]
  anyOf?: Schema[]
  /** Of an option that comes from a file: what kind of file. */
  contentMediaType?: string
  /** Of an option: the one that it takes the place of. */
  insteadOf?: string
}

/** What one answers: `{ do: 'take' }`, with the action's fields beside it. */
export type Answer = Record<string, unknown>

export interface Seat {
  seat: string
  /** The name somebody gave; empty as long as nobody has. */
  name: string
  here: boolean
  /** The bot that plays it, if one does. */
  bot?: string | undefined
}

/** By what a seat is known: never by its colour alone. */
export interface SeatMark {
  /** A colour for CSS, dark and light by itself: `var(--seat-2)`. */
  colour: string
  /** The sign's name: `disc`, `square`, `triangle`, `star`, `cross`, `moon`, `hourglass`, `roof`. */
  sign: string
  /** The sign's outline, for a `<path>` in an SVG whose `viewBox` is `0 0 16 16`. */
  path: string
}

/** An entry of the log, as this seat is told of it. */
export interface Entry {
  n: number
  by: string
  events: StoryEvent[]
  /** The entries that it took back. */
  undo?: number[]
  /** The entries that it applied again. */
  redo?: number[]
  /** It was taken back, and not applied again. */
  undone?: boolean
  /** Somebody said which card was turned over, or what was rolled. */
  named?: boolean
}

/** Something that happened, by its key in the words, with the rule that it comes from and what it is about. */
export interface StoryEvent {
  rule: string
  key: string
  [about: string]: unknown
}

export interface Settings {
  readonly id: string
  readonly name: string
  readonly ended: boolean
  /** Which decks are of paper: `physical`, else `virtual`. */
  readonly decks: Readonly<Record<string, string>>
  /** The steps that are done by hand. */
  readonly by_hand: readonly string[]
}

/** Cards that are not of an ordinary deck. */
export interface Cards {
  /** Draw a card's face, or its back: into a place that is as wide as the card is to be, and 7 to 5 as high. */
  face: (place: HTMLElement, card: DrawnCard, game: GameTexts, help: Help) => Shown | void
  /** What there is to say of a card; null if it is an ordinary one. */
  about: (card: string, game: GameTexts) => { name: string; has: string; words: string[] } | null
}

export interface DrawnCard {
  card: string | null
  /** It lies face down. */
  turned: boolean
  /** As small as an icon. */
  mini: boolean
  /** The rule of the event that the card illustrates, in a call-out or a recap: a game may play with several decks. */
  rule?: string
}

/** A game's texts and how they are said, with or without a table. */
export interface GameTexts {
  readonly game: Game
  readonly options: Readonly<Record<string, unknown>>
  say(text: string, about?: Record<string, unknown>): string
  word(key: string, about?: Record<string, unknown>): string
  cardName(card: string): string
}

/**
 * The page's own parts as elements, for a view that is made of nothing else. They go by the table of the slot whose place
 * they stand in. Every attribute is a property, too (`leave-out` is `leaveOut`): a list of words is an attribute with
 * spaces between them, what is true or false one that is there or not. `/elements` of any house shows each living.
 */
export interface Elements {
  /** A card, or its back. It flies by itself from where it lay. It is as wide as `--card-width`, or its own `width`. */
  'ch-card': {
    /** The card; left out, it is a back. */
    card?: string | null
    /** It lies face down. */
    turned?: boolean
    /** As small as an icon. */
    mini?: boolean
    /** What a screen reader says instead of the card's name. */
    label?: string
  }
  /** Cards side by side. Where one `chooses`, each is a button that tells `choose` with `{ card }`. */
  'ch-hand': {
    /** The cards, in the order in which they lie. */
    cards?: string[]
    /** How many there are, of a hand that is not seen. */
    count?: number
    /** Those that are chosen. */
    chosen?: string[]
    /** Those that can't be chosen now. */
    closed?: string[]
    /** Each is a button, for a finger, a mouse, and a keyboard with its arrows. */
    chooses?: boolean
    /** What a screen reader calls them. */
    label?: string
  }
  /** Cards as one holds them, or the backs of so many. Where one `chooses`, it tells `choose` with `{ card }`. */
  'ch-fan': {
    /** The cards, in the order in which they are held. */
    cards?: string[]
    /** How many there are, of a hand that is not seen. */
    count?: number
    /** Those that are chosen. */
    chosen?: string[]
    /** Those that can't be chosen now. */
    closed?: string[]
    /** Each is a button, for a finger, a mouse, and a keyboard with its arrows. */
    chooses?: boolean
    /** What a screen reader calls them. */
    label?: string
  }
  /** Cards one on the other, the last on top, and how many. */
  'ch-pile': {
    /** The cards, or the last of them. */
    cards?: string[]
    /** How many there are, where `cards` has not all of them. */
    count?: number
    /** What it is called. */
    label?: string
  }
  /** The deck, from which cards come and into which they go. */
  'ch-deck': {
    /** How many cards are left in it. */
    left?: number
    /** What it is called. */
    label?: string
    /** Where a table has several: what belongs to this one stands in elements with the same `data-pack`. */
    pack?: string
  }
  /** A die as it fell. It is as wide as `--die-width`. */
  'ch-die': {
    /** The number it shows. */
    shows?: number
    /** How many sides it has: 6, if it isn't said. */
    sides?: number
  }
  /** Who sits in a seat, with its sign and colour, and whether they are there. */
  'ch-seat': {
    /** The seat: `gm`, `p1` ... */
    seat: string
    /** Only its sign is seen: the name is for screen readers. */
    bare?: boolean
  }
  /** A rule's id, which opens its text. */
  'ch-rule': {
    /** The rule; nothing is shown of one that the game hasn't. */
    rule: string
  }
  /** What may be answered now, as buttons and forms, with the way to take one's answer back. */
  'ch-choices': {
    /** The words (`do`) of offers that stand elsewhere. */
    leaveOut?: string[]
    /** The words of the only offers that stand here. */
    only?: string[]
  }
  /** One of the cards that there can be: it tells `choose` with `{ card }` of one that was tapped or typed. */
  'ch-card-picker': {
    /** The cards that there can be. */
    cards?: string[]
    /** What is asked for, for screen readers. */
    label?: string
    /** What the button beside a typed card says. */
    confirm?: string
    /** Why a card was refused. */
    problem?: string
  }
  /** A chance as a bar and in percent. */
  'ch-odds': {
    /** The chance, 0 to 1; nothing is shown as long as it isn't known. */
    share?: number
    /** Of what. */
    label?: string
  }
  /** Cards in columns and rows. Where one `chooses`, each place is a button that tells `choose` with `{ x, y, card }`. */
  'ch-grid': {
    /** The places: a property, no attribute. */
    cells?: Cell[]
    /** Each is a button, for a finger, a mouse, and a keyboard with its arrows. */
    chooses?: boolean
    /** What a screen reader calls it. */
    label?: string
  }
}

/** A place of a grid. */
export interface Cell {
  /** Its column and its row: any whole numbers, the lowest are those at the left and at the top. */
  x: number
  y: number
  card?: string | null
  turned?: boolean
  /** What a screen reader says of it; else its card's name, and its column and row. */
  label?: string
  /** It can't be chosen now. */
  closed?: boolean
}

/** What `choose` tells, as its event's `detail`: the card, and of a grid the place. It bubbles. */
export interface Chosen {
  card: string | null
  x?: number
  y?: number
}

declare global {
  interface HTMLElementTagNameMap extends ElementsAsHtml {}
  interface HTMLElementEventMap {
    choose: CustomEvent<Chosen>
  }
}
type ElementsAsHtml = { [Name in keyof Elements]: HTMLElement & Elements[Name] }

/**
 * `page/judge.js`, default export: a page of the game's own at no table, where something that lies on a real one is
 * judged. It is linked to from the home page.
 */
export type Judge = (place: HTMLElement, page: JudgePage, help: Help) => Shown | void

export interface JudgePage extends GameTexts {
  /** Go to another page of the house. */
  goto: (path: string) => void
  /** What the game's `judge()` says of a layout; throws an Error with the sentence to show. */
  judge: (cards: unknown[], options: Record<string, unknown>, signal?: AbortSignal) => Promise<any>
}

/**
 * `page/minute.js`, default export: how the game is played, in a few pictures. Under each stands a sentence of the words,
 * `minute_1`, `minute_2` ... under `[page]`.
 */
export interface Minute {
  contract: 1
  /** Each fills a place that is twice as wide as it is high, and scales with it (`cqw`). */
  pictures: readonly ((place: HTMLElement, page: GameTexts, help: Help) => Shown | void)[]
}

/**
 * `page/characters.js`, default export: how a character is told of between two sessions, on its campaign's page. It is
 * given as the answer that will bring it to the next table, one of the game's `come_again()`.
 */
export interface KeptCharacters {
  contract: 1
  /** How its portrait shows it, and a few words below its name; both are plain text. */
  about: (answer: any, page: GameTexts) => { state: 'up' | 'down' | 'dead'; line: string }
  /** What it carries along: its wounds, its card. */
  carries?: (place: HTMLElement, answer: any, page: GameTexts, help: Help) => Shown | void
}

/** `page/options.js`, default export: what a game adds to *How we play*, before a table is made. */
export interface HowWePlay {
  contract: 1
  /** A sentence on what was chosen; empty if there is nothing to say. `players` are those beside the game master. */
  hint?: (game: Game, players: number, options: Record<string, unknown>) => string
  /** Options that are chosen in the game's own way, above the plain ones, which leave out what `chosen` names. */
  choose?: (place: HTMLElement, choosing: Choosing, help: Help) => Shown | void
  chosen?: string[]
}

export interface Choosing extends GameTexts {
  /** How many are to play beside the game master. */
  readonly players: number
  choose: (option: string, value: unknown) => void
}
