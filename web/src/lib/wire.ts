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
 * The table is to end in a while; or it is to go on after all.
 */
export interface End {
t: "end"
on: boolean
}
/**
 * A new link for a seat.
 */
export interface Reissue {
t: "reissue"
seat: string
}
/**
 * Which bot is to play a seat; None if a person is.
 */
export interface Bot {
t: "bot"
seat: string
bot: (string | null)
}
/**
 * This bot is to answer what is asked in my place, this once; `at` is the last entry I had seen.
 */
export interface LetBot {
t: "let_bot"
bot: string
at?: (number | null)
}
/**
 * My device takes part in the deals: a new one, with the end of its hash chain, or one that has a number already.
 *
 * `round` is the last one in which it was asked for a link.
 */
export interface Device {
t: "device"
anchor?: (string | null)
number?: (number | null)
round?: number
}
/**
 * My device's link for a round.
 */
export interface Link {
t: "link"
round: number
link: string
}
/**
 * Are you there?
 */
export interface Ping {
t: "ping"
}
/**
 * All that a seat may know. `now` is what time it is for the server, in Unix milliseconds.
 *
 * `head` is that of the log, empty where no seed was committed to.
 */
export interface Table {
t: "table"
n: number
now: number
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
head: string
}
/**
 * What is known of a table beside its game.
 *
 * `ends_at` is when it is going to end, in Unix milliseconds, while that can still be taken back.
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
deal: string
ended: boolean
read_only: (string | null)
ends_at?: (number | null)
}
/**
 * A seat, what the one in it is called, whether somebody is there now, and which bot plays it, if one does.
 */
export interface Seated {
seat: string
name: string
here: boolean
bot?: string
}
/**
 * A new entry; what is None has not changed. `head` is that of the log, `rounds` those in which it drew.
 */
export interface Change {
t: "change"
n: number
head?: string
rounds?: Drawn[]
ack?: (string | null)
doc?: unknown
offers?: unknown
mine?: (boolean | null)
story?: unknown
}
/**
 * A round of links as it stands in the log with entry `n`.
 */
export interface Drawn {
n: number
round: number
links: {
[k: string]: string
}
away?: number[]
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
 * Who sees the odds, and when the table is going to end, as `About` says it.
 */
export interface Settings {
t: "settings"
odds: string
ends_at?: (number | null)
}
/**
 * By which number my device takes part in the deals.
 */
export interface DeviceNow {
t: "device"
number: number
}
/**
 * An answer is about to draw: the link of my device is wanted, in this round.
 *
 * `id` is the answer's, `by` the seat that gave it, and `fixed` a hash of it and of the log before it.
 */
export interface Round {
t: "round"
round: number
id: string
by: string
fixed: string
number: number
}
/**
 * The secret of a seat's new link.
 */
export interface NewLink {
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
 * A table's transcript, and each card and die in it with what there was to choose from.
 */
export interface Deal {
transcript: string
dealt: Dealt[]
}
/**
 * A card or die that the dealer gave, and what there was to choose from, in order.
 *
 * `line` is its place in the transcript, 1 for the header's; `die` which die of a roll, from 0. `number` and `id` (of
 * the answer, with the links of devices behind a colon) are what it was drawn by; `taken_back_by` is the seat whose
 * undo took it back, empty if it stands.
 */
export interface Dealt {
line: number
number: number
id: string
outcomes: (string[] | number)
die?: number
taken_back_by?: string
}
/**
 * What is wrong in a file: the line, counted from 1, the field, and a sentence for whoever wrote it.
 *
 * The field is empty where the text as a whole is meant. The sentence names it.
 */
export interface Mistake {
line: number
field: string
message: string
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
characters: InitiativeCharacterView[]
gone: GoneView[]
}
/**
 * A character in the roster. `where` its card is: `later` joins in the next round, `out` between rounds.
 *
 * `hidden` is true only for the game master; nobody else gets the entry.
 */
export interface InitiativeCharacterView {
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
/**
 * The table.
 *
 * `hitting` is who is suffering a wound just now. `unseen` are the cards still in the deck, in no order: what is left
 * is public by counting (HJ-21). `next_card` is the one on top, for those who have seen it (HJ-25); that these seats
 * have, `seen_by`, is for all to know.
 */
export interface HackjackView {
round: number
limit: number
massive_damage: number
deck_left: number
unseen: string[]
discard: string[]
next_card: (string | null)
seen_by: string[]
hitting: (string | null)
last_hit: (LastHitView | null)
characters: HackjackCharacterView[]
}
/**
 * The last damage: whose, and the cards it drew, in order.
 */
export interface LastHitView {
name: string
cards: string[]
}
/**
 * A character's sheet.
 *
 * `rolls`, `to_hit` and `ranged` are the changes to all rolls, to hit, and to hit at range, with their cards.
 * `idle` is why it can do nothing now: it is dead, unconscious, or has a wound that says so.
 */
export interface HackjackCharacterView {
name: string
controller: string
hp: number
max_hp: number
down: boolean
alive: boolean
death_score: number
blood: number
trauma: number
preventing: boolean
declared: boolean
unconscious: boolean
pile: string[]
tokens: number
beside: string[]
wounds: WoundView[]
marks: MarkView[]
conditions: ("arm_useless" | "arms_useless" | "blind" | "confused" | "dazed" | "drops_held" | "eye_lost" | "fear" | "finger_lost" | "helpless" | "knocked_back" | "leg_useless" | "legs_useless" | "limb_lost" | "limps" | "marked" | "mute" | "no_food" | "no_peaceful_rest" | "no_smell" | "prone" | "scar" | "slow" | "staggers" | "unconscious" | "unless_masked" | "woozy")[]
scores: ScoreView[]
rolls: ChangeView[]
to_hit: ChangeView[]
ranged: ChangeView[]
hit_die: (string | null)
to_hit_note: (string | null)
recovery: (string | null)
clock: (RecoveryView | null)
recovering: boolean
idle: (("dead" | "helpless" | "unconscious") | null)
}
/**
 * A wound as it stands on the sheet. `check` is its d20: still `open`, or `failed`.
 */
export interface WoundView {
card: string
name: string
text: string
ends: ("check" | "cleared" | "comfort" | "healed" | "hours" | "permanent" | "recovery" | "rest" | "round" | "week")
trauma: number
found: FoundView[]
check: (("failed" | "open") | null)
}
/**
 * What a roll found for a wound: `what` was rolled for, and what came of it.
 */
export interface FoundView {
what: string
means: string
}
/**
 * What stays for good of a wound that has ended.
 */
export interface MarkView {
card: string
text: string
}
/**
 * An ability score: as it was, as it is now, and why. `base` and `now` are null where the group gives none.
 */
export interface ScoreView {
ability: ("CHA" | "CON" | "DEX" | "INT" | "STR" | "WIS")
base: (number | null)
now: (number | null)
because: ChangeView[]
}
/**
 * A change to a number, and the card it comes from; `half` halves it.
 */
export interface ChangeView {
card: string
change: (number | "half")
}
/**
 * The recovery clock: how long, and whether it runs yet (HJ-16).
 */
export interface RecoveryView {
amount: number
unit: ("days" | "months" | "weeks")
runs: boolean
}
/**
 * Both games' views; their characters have the same names.
 */
export interface GunfightView {
order: InitiativeView
fight: HackjackView
}
/**
 * All that an audience may know.
 *
 * `hands` has the cards of one's own hand and the number of cards in the others', all cards once the game is over.
 * `laid` is in the order in which the cards were laid. `best`, after the reveal, is the largest pack that the Pack
 * Leader and the cards laid could have made. `to_lay` are those still to lay after `turn`. `dogpile`, `strays` and
 * `draft` are counts; what lies in the first two has been seen by all. `ends_at` is when the timer rings, in Unix
 * seconds; `last` says that no round follows this one.
 */
export interface DogpileView {
phase: ("begin" | "judged" | "laying" | "over")
round: number
players: string[]
player_one: string
turn: (string | null)
to_lay: string[]
leader: (string | null)
laid: LaidView[]
hands: {
[k: string]: string[] | number
}
hand_size: number
reach: number
dogpile: number
strays: number
draft: number
dogpile_cards: string[]
stray_cards: string[]
verdict: (Verdict | null)
joined: (boolean | null)
best: (BestView | null)
rounds: RoundView[]
packs_made: number
packs_lost: number
biggest_pack: number
ends_at: (number | null)
rung: boolean
last: boolean
}
/**
 * A card on the grid: whose it is, where it lies, and which it is if this seat may know.
 */
export interface LaidView {
seat: string
x: number
y: number
card: (string | null)
}
/**
 * What the judge says: legal if it is one piece and no contact is illegal.
 */
export interface Verdict {
legal: boolean
pieces: number
illegal: Illegal[]
jokers: Stands[]
}
/**
 * Two cells whose cards may not touch: by which rule, and why in words.
 */
export interface Illegal {
/**
 * @minItems 2
 * @maxItems 2
 */
a: never[]
/**
 * @minItems 2
 * @maxItems 2
 */
b: never[]
rule: string
reason: string
}
/**
 * What a wild card stands for: a card of the deck, or, if it has none that is just so, the values.
 */
export interface Stands {
x: number
y: number
as: (string | {
[k: string]: number | string
})
}
/**
 * The largest pack there was in these cards; `proven` if there can be none that is larger.
 */
export interface BestView {
size: number
proven: boolean
layout: Placed[]
}
/**
 * A card on a cell.
 */
export interface Placed {
card: string
x: number
y: number
}
/**
 * A round that has been judged; `size` counts the Pack Leader, `rule` decided.
 *
 * `could_have`, once the game is over, is the largest pack from its Pack Leader and all hands.
 */
export interface RoundView {
number: number
player_one: string
leader: string
size: number
joined: boolean
rule: string
could_have: (BestView | null)
}
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
 * One card's wound.
 *
 * `name` is two or three words, `text` all that a player needs to be told. `blood` is a number or dice (HJ-9),
 * `trauma` 0 to 6 (HJ-14). While it lasts: `conditions`, `abilities`, a change to all `rolls`, to all rolls `to_hit`.
 * `drops` are abilities that fall by dice at once and come back with rest, `wears` what each falls by in every round
 * that one faces what did this (HJ-18). `max_hp` is lost from the maximum for good.
 */
export interface Wound {
name: string
text: string
ends: ("check" | "cleared" | "comfort" | "healed" | "hours" | "permanent" | "recovery" | "rest" | "round" | "week")
blood?: (number | string)
trauma?: number
special?: (("again" | "another" | "both" | "choose" | "chronic" | "first_card" | "peek" | "red_cards") | null)
conditions?: ("arm_useless" | "arms_useless" | "blind" | "confused" | "dazed" | "drops_held" | "eye_lost" | "fear" | "finger_lost" | "helpless" | "knocked_back" | "leg_useless" | "legs_useless" | "limb_lost" | "limps" | "marked" | "mute" | "no_food" | "no_peaceful_rest" | "no_smell" | "prone" | "scar" | "slow" | "staggers" | "unconscious" | "unless_masked" | "woozy")[]
abilities?: {
[k: string]: number | "half"
}
rolls?: number
to_hit?: number
drops?: {
/**
 * dice such as "2d6", one to nine of 2, 3, 4, 6, 8, 10, 12 or 20 sides
 */
[k: string]: string
}
wears?: {
[k: string]: number
}
max_hp?: (number | string)
check?: (Check | null)
/**
 * @maxItems 4
 */
details?: []|[Detail]|[Detail, Detail]|[Detail, Detail, Detail]|[Detail, Detail, Detail, Detail]
lasting?: (Lasting | null)
}
/**
 * A d20 that must come up over the death-score. `failed` is what happens if it doesn't.
 *
 * With `each_round` it may be tried again every round.
 */
export interface Check {
failed: ("arm_useless" | "arms_useless" | "blind" | "confused" | "dazed" | "drops_held" | "eye_lost" | "fear" | "finger_lost" | "helpless" | "knocked_back" | "leg_useless" | "legs_useless" | "limb_lost" | "limps" | "marked" | "mute" | "no_food" | "no_peaceful_rest" | "no_smell" | "prone" | "scar" | "slow" | "staggers" | "unconscious" | "unless_masked" | "woozy")
each_round?: boolean
}
/**
 * Something that is rolled when the wound is suffered: `what` it is, and what each face means.
 *
 * Without `means` the number itself is meant (hours, say).
 */
export interface Detail {
what: string
/**
 * dice such as "2d6", one to nine of 2, 3, 4, 6, 8, 10, 12 or 20 sides
 */
dice: string
means?: string[]
}
/**
 * What stays for good once the wound itself has ended (HJ-19).
 */
export interface Lasting {
text: string
abilities?: {
[k: string]: number | "half"
}
to_hit?: number
to_hit_ranged?: number
conditions?: ("arm_useless" | "arms_useless" | "blind" | "confused" | "dazed" | "drops_held" | "eye_lost" | "fear" | "finger_lost" | "helpless" | "knocked_back" | "leg_useless" | "legs_useless" | "limb_lost" | "limps" | "marked" | "mute" | "no_food" | "no_peaceful_rest" | "no_smell" | "prone" | "scar" | "slow" | "staggers" | "unconscious" | "unless_masked" | "woozy")[]
}
/**
 * A character as a roster file holds it.
 */
export interface Sheet {
name: string
hp: number
max_hp: number
scores?: {
[k: string]: number
}
hit_die?: (string | null)
to_hit?: (string | null)
death_score?: number
blood?: number
trauma?: number
down?: boolean
alive?: boolean
unconscious?: boolean
wounds?: WoundTaken[]
marks?: Mark[]
recovery?: (Recovery | null)
}
/**
 * A wound somebody has.
 *
 * `found` is what was rolled for its details, in the wound's order, `drops` what each ability fell by, `check` where
 * its d20 stands. `let` says that its Trauma was let through (HJ-18). It has worn one down for so many rounds, `worn`,
 * and for this one already if it has `faced` it.
 */
export interface WoundTaken {
card: string
found?: number[]
drops?: {
[k: string]: number
}
check?: (("failed" | "open") | null)
let?: boolean
worn?: number
faced?: boolean
}
/**
 * What stays for good of a wound that has ended (HJ-19).
 */
export interface Mark {
card: string
lasting: Lasting
}
/**
 * A recovery time (HJ-16): for so much Trauma, so many days, weeks or months.
 *
 * `rolled_for` is the Trauma it was rolled for, if that was another: an earlier roll that came out longer.
 */
export interface Recovery {
trauma: number
amount: number
unit: ("days" | "months" | "weeks")
rolled_for?: (number | null)
}
/**
 * All that can be asked, and how much of it at once.
 */
export interface LabListed {
games: LabGame[]
most_trials: number
most_cells: number
}
/**
 * A game, and what can be asked about it.
 */
export interface LabGame {
name: string
title: string
questions: LabQuestion[]
}
/**
 * A question about a game. `trial` is a word for what is played once, `usual_trials` how often it is played.
 */
export interface LabQuestion {
name: string
title: string
about: string
trial: string
usual_trials: number
settings: LabSetting[]
}
/**
 * A setting of a question: what it may be, and what it usually is, as one writes it.
 */
export interface LabSetting {
name: string
text: string
kind: ("choice" | "file" | "number" | "text" | "whole" | "yes_no")
usual: string
least: (number | null)
most: (number | null)
choices: string[]
}
/**
 * A question with its settings, as they are written on the command line: `4,6,8` and `1-8` are several.
 *
 * `vs` are those in which another variant differs that it is compared with. A setting that is a file is its name, and
 * `files` what is in it. `trials` is how many of each combination; with `until` only as many, if that is enough, as
 * it takes to know every share as exactly as that, 0 to 1. `confidence` is how sure an interval holds the true number.
 */
export interface StudyWanted {
settings?: {
[k: string]: string
}
vs?: {
[k: string]: string
}
files?: {
[k: string]: string
}
trials?: (number | null)
until?: (number | null)
confidence?: number
seed?: number
}
/**
 * A study: how far it is, and what came of it.
 *
 * `command` asks the same on the command line. `ahead` is how many are to be done before it, `why_stopped` a sentence
 * if it was stopped, by somebody or the clock; `problem` why nothing came of it.
 */
export interface LabRun {
id: string
game: string
question: string
trial: string
command: string
state: ("over" | "running" | "waiting")
ahead: number
done: number
of: number
until: (number | null)
headline: (LabHeadline | null)
why_stopped: string
problem: string
result: (LabResult | null)
}
/**
 * What is known so far of what the question is about; of the combination of settings that is played now.
 */
export interface LabHeadline {
name: string
text: string
number: LabNumber
}
/**
 * A number with its interval, and as people read it: `68.2 %` and `±0.1`, or that it has no interval.
 */
export interface LabNumber {
value: (number | null)
low: (number | null)
high: (number | null)
shown: string
error: string
}
/**
 * What came of a study. `looks` are Vega-Lite's settings for the plots by lamp light and by daylight.
 */
export interface LabResult {
answers: LabAnswer[]
plots: LabPlot[]
looks: {
[k: string]: {
[k: string]: unknown
}
}
confidence: number
ready: number
seconds: number
workers: number
}
/**
 * What came of a combination of settings: `name` tells it from the others; `here` and `there` the two variants.
 */
export interface LabAnswer {
name: string
here: string
there: string
trials: number
found: LabFound[]
}
/**
 * A finding: what it is, its number, what it is exactly, what it is for the other variant, and how they differ.
 *
 * Findings of one `series` make a line of a plot.
 */
export interface LabFound {
key: string
text: string
series: string
number: LabNumber
exact: (string | null)
versus: (LabNumber | null)
more: (LabNumber | null)
}
/**
 * A plot, in Vega-Lite's terms. One that is `beside` makes a pair with the one before it.
 */
export interface LabPlot {
title: string
caption: string
spec: {
[k: string]: unknown
}
beside: boolean
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

/** HJ-2: what a card of each rank adds to the death-score. */
export const CARD_VALUES: Record<string, number> = {
  "A": 1,
  "2": 2,
  "3": 3,
  "4": 4,
  "5": 5,
  "6": 6,
  "7": 7,
  "8": 8,
  "9": 9,
  "10": 10,
  "J": 10,
  "Q": 10,
  "K": 10
}

/** The rule that a wound is suffered by, as it bends the flow; `plain` is one that doesn't. */
export const WOUND_RULES: Record<string, string> = {
  "plain": "HJ-18",
  "choose": "HJ-22",
  "both": "HJ-23",
  "another": "HJ-24",
  "peek": "HJ-25",
  "again": "HJ-26",
  "first_card": "HJ-27",
  "red_cards": "HJ-13",
  "chronic": "HJ-12"
}
