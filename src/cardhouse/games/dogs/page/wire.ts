/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

/**
 * The table. `outcomes` are those of the last conflict; `prizes` are for whoever starts a follow-up (DV-24).
 */
export interface DogsView {
deck_left: number
discard: number
town: number
floats_left: string[]
prizes: string[]
characters: DogsCharacterView[]
conflict: (ConflictView | null)
outcomes: {
[k: string]: Outcome
}
}

/**
 * A sheet. `kept` are cards for a follow-up, null where they are hidden; `kept_count` is how many.
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
 * `thing` is a new troublesome trait's name, or the thing that counts troublesome.
 */
export interface Later {
effect: ("counts_troublesome" | "fewer_cards" | "troublesome_trait")
thing?: string
}

/**
 * A line of a sheet's history: in which conflict, by its stakes, and what was told of it then.
 *
 * Of a `healing` conflict the stakes are who was to be healed.
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
 * A conflict. `go` is whose Raise it is; hands are sorted by worth, or numbers of cards where they are hidden.
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
 * How strong Demonic Influence is, in dice of the dice game, and the side it strengthens, 0 the first (DV-31).
 *
 * In a healing conflict that is the fallout's unless it says otherwise.
 */
export interface Demonic {
dice: number
side?: (number | null)
}

/**
 * Somebody in the conflict. `used` are the things drawn for, `unused` those that could still be brought.
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
 * The Raise in the middle, and who has yet to See it, in order.
 */
export interface RaiseView {
by: string
card: string
sideways: boolean
helps: Help[]
value: number
arena: string
to_see: string[]
}

/**
 * A card handed over, turned sideways, and by whom (DV-21).
 */
export interface Help {
name: string
card: string
}

/**
 * How somebody could See: the cards that reverse, those that only block, and the fewest that take the blow.
 *
 * `blow` is null if no two cards or more do; it is also how many cards of fallout that is (DV-17 to DV-19).
 */
export interface SeesView {
reverse: string[]
block: string[]
blow: (number | null)
}

/**
 * What became of somebody's fallout (DV-26 to DV-29). `body` are the cards of the Body draw.
 */
export interface Outcome {
experience: string[]
fallout: string[]
severity: ("dying" | "injured" | "long_term" | "mortally_wounded" | "short_term")
gains_experience?: boolean
body?: string[]
}

/**
 * Each side's chance, in order; of how many trials; and the policy of all who played them. Or nothing of that.
 *
 * Of two, `choices` is what comes of each answer, both playing as well as can be.
 */
export interface ConflictOdds {
choices?: ConflictChoices
policy?: string
sides?: SideOdds[]
trials?: number
}

/**
 * What comes of each answer of `name`, who is to act.
 *
 * With `things` what both can still bring is weighed, whatever cards that draws; else it is so if nobody draws more.
 * `more` is whether either may still improvise or enter another arena, which is never weighed.
 */
export interface ConflictChoices {
chances: AnswerChances
more: boolean
name: string
things: boolean
}

/**
 * How likely who is to act wins, 0 to 1, by each Raise, each See and each thing it may bring before that.
 *
 * `raising` is by what the card is worth; `seeing` by what the cards are worth that are played, the best first,
 * "12+5"; `reversing` is to reverse, with whichever card. `bringing` is by the thing's name.
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
 * Those of a side, the share of the trials that it wins, and the standard error of that.
 */
export interface SideOdds {
error: number
names: string[]
wins: number
}
