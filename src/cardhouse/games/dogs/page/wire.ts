/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

/**
 * The table. `outcomes` are those of the last conflict; `prizes` go to whoever starts a follow-up (DV-24).
 *
 * `notes` are the game master's on the Town, null where hidden (DV-36).
 */
export interface DogsView {
deck_left: number
discard: number
town: number
town_name: string
notes: (string | null)
notes_shown: boolean
floats_left: string[]
prizes: string[]
characters: DogsCharacterView[]
conflict: (ConflictView | null)
outcomes: {
[k: string]: Outcome
}
}

/**
 * A sheet. `kept` holds the cards kept for a follow-up, null where hidden; `kept_count` is their number.
 */
export interface DogsCharacterView {
name: string
controller: string
stats: Stats
things: ThingView[]
kept: (string[] | null)
kept_count: number
condition: ("dead" | "dying" | "injured" | "mortally_wounded" | "well")
wounds: string[]
owed: ("experience" | "long_term" | "short_term")[]
later: Later[]
history: Noted[]
away: boolean
proposed: boolean
npc: boolean
fast: (("A" | "B" | "C" | "D") | null)
members: number
can_act: boolean
}

/**
 * The four Stats (DV-1).
 */
export interface Stats {
acuity: number
body: number
heart: number
will: number
}

/**
 * A trait, relationship or belonging.
 */
export interface ThingView {
name: string
group: ("belonging" | "relationship" | "trait")
kind: ("+" | "-" | "o")
significant: boolean
gun: boolean
}

/**
 * A short-term choice that lasts for the next conflict (DV-32).
 *
 * `thing` names a new troublesome trait, or the thing that counts as troublesome.
 */
export interface Later {
effect: ("counts_troublesome" | "fewer_cards" | "troublesome_trait")
thing?: string
}

/**
 * A line of a sheet's history: an event, and the stakes of its conflict.
 *
 * For a `healing` conflict, `stakes` is the patient's name.
 */
export interface Noted {
stakes: string
rule: string
key: string
about?: {
[k: string]: unknown
}
healing?: boolean
}

/**
 * A conflict. `go` is the name that must Raise; hands are sorted by value, or numbers of cards where hidden.
 */
export interface ConflictView {
kind: ("conflict" | "healing" | "initiation")
stakes: string
sides: string[][]
starter: string
patient: (string | null)
follow_up: boolean
demonic: (Demonic | null)
participants: ParticipantView[]
go: (string | null)
order: string[]
hands: {
[k: string]: string[] | number
}
arenas: {
[k: string]: string[]
}
raise: (RaiseView | null)
helps: Help[]
improvised: boolean
escalated: boolean
sees: {
[k: string]: SeesView
}
fallout: {
[k: string]: {
[k: string]: number
}
}
winner: (string[] | null)
}

/**
 * Demonic Influence: its strength in dice of the dice game, and the index of the side it strengthens (DV-31).
 *
 * In a healing conflict the default is the fallout's side.
 */
export interface Demonic {
dice: number
side?: (number | null)
}

/**
 * A participant. `used` lists the things brought into play, `unused` those that still can be.
 */
export interface ParticipantView {
name: string
side: number
nature: ("character" | "fallout" | "initiation")
controller: string
still_in: boolean
spare: boolean
arena: string
lines: number
used: string[]
unused: string[]
improvised_left: number
owes: number
}

/**
 * The current Raise, with its words if there are any, and the names that must still See it, in order.
 */
export interface RaiseView {
by: string
card: string
sideways: boolean
helps: Help[]
value: number
arena: string
to_see: string[]
words: string
}

/**
 * A card handed over sideways, and the helper's name (DV-21).
 */
export interface Help {
name: string
card: string
}

/**
 * The ways in which a participant could See: cards that reverse, cards that only block, and the Blow.
 *
 * `blow` is the fewest cards that Take the Blow, which is also the number of fallout cards; null if no two or more
 * cards do (DV-17 to DV-19).
 */
export interface SeesView {
reverse: string[]
block: string[]
blow: (number | null)
}

/**
 * The result of a participant's fallout (DV-26 to DV-29). `body` holds the cards of the Body draw.
 */
export interface Outcome {
experience: string[]
fallout: string[]
severity: ("dying" | "injured" | "long_term" | "mortally_wounded" | "short_term")
gains_experience?: boolean
body?: string[]
}

/**
 * Each side's chance, in order, the number of trials, and the policy of the simulated players; may be empty.
 *
 * With two participants, `choices` may hold the chance of each answer under optimal play.
 */
export interface ConflictOdds {
choices?: ConflictChoices
policy?: string
sides?: SideOdds[]
trials?: number
}

/**
 * The win chance of each answer open to `name`, the participant to act.
 *
 * `things` says whether the chances include what both can still bring into play, and every draw for it; otherwise they
 * assume that nobody draws more. `more` says whether either may still improvise or enter another arena, which the
 * chances never include.
 */
export interface ConflictChoices {
chances: AnswerChances
more: boolean
name: string
things: boolean
}

/**
 * The win chance of the participant to act, 0 to 1, for each Raise, each See, and each thing it may bring first.
 *
 * Keys of `raising` are card values; of `seeing`, the values of the cards played, best first, such as "12+5"; of
 * `bringing`, names of things. `reversing` is the chance after reversing the blow, whichever card does it.
 */
export interface AnswerChances {
bringing?: {
[k: string]: number
}
raising?: {
[k: string]: number
}
reversing?: number
seeing?: {
[k: string]: number
}
}

/**
 * A side: its names, the proportion of trials it wins, and that proportion's standard error.
 */
export interface SideOdds {
error: number
names: string[]
wins: number
}
