/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

/**
 * Which table, and the secret of one seat's link.
 */
export interface Sit {
t: "sit"
table: string
token: string
since?: (number | null)
}
/**
 * A line of the transcript without `by` and `id`.
 */
export interface Answer {
t: "answer"
id: string
at: number
answer: unknown
}
/**
 * Everything I may do now.
 */
export interface Offers {
t: "offers"
}
/**
 * Keep me told of the odds, or don't.
 */
export interface OddsOn {
t: "odds"
on: boolean
}
/**
 * What happened before an entry.
 */
export interface Story {
t: "story"
before: number
}
/**
 * What I am called.
 */
export interface Name {
t: "name"
name: string
}
/**
 * Who sees the odds.
 */
export interface Set {
t: "set"
odds: ("all" | "gm" | "off")
}
/**
 * A new link for a seat.
 */
export interface Reissue {
t: "reissue"
seat: string
}
/**
 * Are you there?
 */
export interface Ping {
t: "ping"
}
/**
 * All that a seat may know.
 */
export interface Table {
t: "table"
n: number
you: string
table: About
seats: Seated[]
doc: unknown
offers: {
[k: string]: unknown
}[]
mine: boolean
story: {
[k: string]: unknown
}[]
more: boolean
}
/**
 * What is known of a table beside its game.
 */
export interface About {
id: string
name: string
game: string
options: {
[k: string]: unknown
}
decks: {
[k: string]: string
}
by_hand: string[]
odds: string
commitment: string
ended: boolean
read_only: (string | null)
}
/**
 * A seat, what the one in it is called, and whether somebody is there now.
 */
export interface Seated {
seat: string
name: string
here: boolean
}
/**
 * A new entry; what is None has not changed.
 */
export interface Change {
t: "change"
n: number
ack?: (string | null)
doc?: unknown
offers?: unknown
mine?: (boolean | null)
story?: unknown
}
/**
 * An answer that had been saved before.
 */
export interface Ack {
t: "ack"
id: string
n: number
}
/**
 * Every offer of the seat.
 */
export interface OffersNow {
t: "offers"
n: number
offers: {
[k: string]: unknown
}[]
}
/**
 * The game's own odds.
 */
export interface OddsNow {
t: "odds"
n: number
odds: unknown
}
/**
 * Earlier entries; `more` says that there are still earlier ones.
 */
export interface StoryBefore {
t: "story"
entries: {
[k: string]: unknown
}[]
more: boolean
}
/**
 * Who is there.
 */
export interface Seats {
t: "seats"
seats: Seated[]
}
/**
 * Who sees the odds.
 */
export interface Settings {
t: "settings"
odds: string
}
/**
 * The secret of a seat's new link.
 */
export interface Link {
t: "link"
seat: string
token: string
}
/**
 * Here.
 */
export interface Pong {
t: "pong"
}
/**
 * The table cannot save at present, or (None) can again.
 */
export interface Trouble {
t: "trouble"
message: (string | null)
}
/**
 * What was wrong, where, and what would be right; `problem` leaves the last of these out.
 */
export interface Error {
t: "error"
code: string
message: string
id?: (string | null)
offers?: {
[k: string]: unknown
}[]
problem?: (string | null)
}
/**
 * The table.
 *
 * `drawn` is the card that is up for a choice; `bottom` are the cards known to lie at the bottom of the deck, the
 * last one last (IN-20); `jokers` are those still in the deck; `hidden` counts characters that hide from this
 * audience (IN-21); `order` are the cards that have acted this round, in order.
 */
export interface InitiativeView {
round: number
under_way: boolean
acting: (string | null)
drawn: (string | null)
waiting: (string | null)
deck_left: number
bottom: string[]
jokers: string[]
discard: string[]
order: string[]
hidden: number
characters: CharacterView[]
gone: GoneView[]
}
/**
 * A character in the roster. `where` its card is: `later` joins in the next round, `out` between rounds.
 *
 * `hidden` is true only for the game master; nobody else gets the entry.
 */
export interface CharacterView {
name: string
card: string
side: (string | null)
acted: number
tier: string
controller: string
where: ("acting" | "bottom" | "deck" | "discard" | "drawn" | "later" | "out" | "waiting")
hidden: boolean
}
/**
 * A character that was taken out, in which round.
 */
export interface GoneView {
name: string
card: string
side: (string | null)
round: number
}

/** IN-4: the tiers, each with its ranks from the best down. */
export const TIERS: Record<string, string[]> = {
  "elite": [
    "A"
  ],
  "leader": [
    "K",
    "Q",
    "J",
    "10"
  ],
  "experienced": [
    "9",
    "8",
    "7",
    "6"
  ],
  "inexperienced": [
    "5",
    "4",
    "3",
    "2"
  ]
}
