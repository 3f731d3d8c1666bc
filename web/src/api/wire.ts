/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

/**
 * Join a table with the secret of a seat's link.
 */
export interface Sit {
t: "sit"
table: string
token: string
since?: (number | null)
}

/**
 * An answer: a line of the transcript without `by` and `id`.
 */
export interface Answer {
t: "answer"
id: string
at: number
answer: unknown
}

/**
 * Request all offers of this seat.
 */
export interface Offers {
t: "offers"
}

/**
 * Request the values that can be edited by hand now.
 */
export interface EditableQuery {
t: "amendable"
}

/**
 * Request how many moves an undo from this log entry on would take back.
 */
export interface UndoCount {
t: "undo_count"
entry: number
}

/**
 * Subscribe to the odds, or unsubscribe.
 */
export interface OddsOn {
t: "odds"
on: boolean
}

/**
 * Request the log before an entry.
 */
export interface Story {
t: "story"
before: number
}

/**
 * Set this client's name.
 */
export interface Name {
t: "name"
name: string
}

/**
 * Set a player's portrait: one of a dozen, where 0 means the one that follows from the name.
 */
export interface Face {
t: "face"
name: string
face: number
}

/**
 * Set who sees the odds.
 */
export interface Set {
t: "set"
odds: ("all" | "gm" | "off")
}

/**
 * Announce the end of the table, or cancel it.
 */
export interface End {
t: "end"
on: boolean
}

/**
 * Keep the table, though it hasn't been used for long.
 */
export interface Keep {
t: "keep"
}

/**
 * Create a new link for a seat, or a new invite (`door`).
 */
export interface Reissue {
t: "reissue"
seat: string
}

/**
 * Close the invite: open seats can't be taken with it until there is a new one.
 */
export interface CloseDoor {
t: "close_door"
}

/**
 * Let a bot play a seat; None gives it back to a person.
 */
export interface Bot {
t: "bot"
seat: string
bot: (string | null)
}

/**
 * Set how long bots pause before they answer, while the server keeps the table in memory.
 *
 * With `wait` they pause until the same frame comes with `go`: then the bot that is asked answers.
 */
export interface SetPace {
t: "pace"
pace: ("fast" | "normal" | "slow" | "wait")
go?: boolean
}

/**
 * Let this bot answer in my place, once; `at` is the last entry I had seen.
 */
export interface LetBot {
t: "let_bot"
bot: string
at?: (number | null)
}

/**
 * Register this device for the shared deal: as a new device, with the end of its hash chain, or by its number.
 *
 * A device with a number proves its identity by `anchor`: the last link it gave, or the end of its chain. `round` is
 * the last one in which it was asked for a link.
 */
export interface Device {
t: "device"
anchor?: (string | null)
number?: (number | null)
round?: number
}

/**
 * This device's link for a round.
 */
export interface Link {
t: "link"
round: number
link: string
}

/**
 * Show a reaction to everyone at the table, for a moment.
 */
export interface Throw {
t: "throw"
sign: ("fire" | "gasp" | "hat" | "laugh" | "luck" | "tear")
}

/**
 * Report for the server's log that the game's own view failed in a part of this page.
 */
export interface ViewFailed {
t: "view_failed"
slot: string
error: string
}

/**
 * A liveness check.
 */
export interface Ping {
t: "ping"
}

/**
 * The full state that a seat may know. `now` is the server's time in Unix milliseconds.
 *
 * `redo` is how many undone moves this seat can redo at once.
 *
 * `head` is the head of the log's hash chain, empty if no seed was committed to; `rounds` are the rounds in which the
 * entries of `story` drew. `page` is the path of the page's main script, empty if the page isn't built: a page that
 * was left open can tell whether there is a newer one.
 */
export interface Table {
t: "table"
n: number
now: number
you: string
table: About
seats: Seated[]
doc: unknown
offers: unknown
mine: boolean
story: {
[k: string]: unknown
}[]
more: boolean
head: string
page: string
redo: number
rounds?: Drawn[]
}

/**
 * Facts about a table that are independent of its game.
 *
 * `ends_at` is the announced end, in Unix milliseconds, while it can still be cancelled. `door` identifies the current
 * invite (`records.TableRecord.door_mark`); it is empty while the invite is closed. `next` and `last` are the tables
 * at which the same people play on or played before; `campaign` is the one it belongs to. `kept_until` is when the
 * table will be deleted, in Unix milliseconds, unless it is used or kept. `faces` are the chosen portraits, by the
 * name in lower case.
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
door?: string
next?: string
last?: string
campaign?: string
kept_until?: (number | null)
faces?: {
[k: string]: number
}
}

/**
 * A seat: the player's name, whether they are connected, and the bot that plays it, if one does.
 */
export interface Seated {
seat: string
name: string
here: boolean
bot?: string
}

/**
 * A round of links, as logged with entry `n`; `withheld` has the devices that gave none, each with its seat.
 */
export interface Drawn {
n: number
round: number
links: {
[k: string]: string
}
fixed?: string
withheld?: {
[k: string]: string
}
}

/**
 * A new entry; None means unchanged.
 *
 * `head` is the head of the log's hash chain, `rounds` those in which it drew.
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
redo?: (number | null)
}

/**
 * Acknowledgement of an answer that was saved before.
 */
export interface Ack {
t: "ack"
id: string
n: number
}

/**
 * All offers of the seat.
 */
export interface OffersNow {
t: "offers"
n: number
offers: OfferDoc[]
}

/**
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "OfferDoc".
 */
export interface OfferDoc {
anytime?: boolean
certain?: boolean
do?: string
draw?: string
examples?: {
[k: string]: unknown
}[]
fields: {
[k: string]: {
[k: string]: unknown
}
}
for?: string
host?: boolean
optional?: string[]
roll?: string
}

/**
 * All values that the game master can edit by hand.
 */
export interface EditableNow {
t: "amendable"
n: number
amendable: Editable[]
}

/**
 * A value that can be edited by hand: `what` of whom (empty: of the table), its value now, and its schema.
 */
export interface Editable {
what: string
now: unknown
schema: {
[k: string]: unknown
}
of?: string
}

/**
 * How many moves an undo from `entry` on takes back while entry `n` is the last; 0 if there is nothing to undo.
 */
export interface UndoCountNow {
t: "undo_count"
n: number
entry: number
count: number
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
 * The seats and who is connected.
 */
export interface Seats {
t: "seats"
seats: Seated[]
}

/**
 * The settings that can change: who sees the odds, the end, invite, next table, retention, portraits.
 *
 * All as in `About`.
 */
export interface Settings {
t: "settings"
odds: string
ends_at?: (number | null)
door?: string
next?: string
kept_until?: (number | null)
faces?: {
[k: string]: number
}
}

/**
 * The number by which this device takes part in the deals, in all rounds above `round`.
 *
 * It is 0 if another device of the same seat has replaced it.
 */
export interface DeviceNow {
t: "device"
number: number
round?: number
}

/**
 * An answer is about to draw: this device's link for the round is needed.
 *
 * `id` is a digest of the answer's id, and `by` the seat that gave it. `devices` lists the numbers of all devices that
 * are asked, and `fixed` commits to them, the answer, and the log before it. `number` is this device's.
 */
export interface Round {
t: "round"
round: number
id: string
by: string
fixed: string
devices: number[]
number: number
}

/**
 * The secret of a seat's new link; a new join code (`door`) comes with its mark, which is `About.door`.
 */
export interface NewLink {
t: "link"
seat: string
token: string
mark?: string
}

/**
 * A reaction from this seat. It isn't logged, and disappears after a moment.
 */
export interface Thrown {
t: "thrown"
seat: string
sign: ("fire" | "gasp" | "hat" | "laugh" | "luck" | "tear")
}

/**
 * The reply to a ping. `now` is the server's time in Unix milliseconds.
 */
export interface Pong {
t: "pong"
now: number
}

/**
 * The table can't save at present, or (None) can again.
 */
export interface Trouble {
t: "trouble"
message: (string | null)
}

/**
 * An announcement from the administrator to everyone, or (None) its withdrawal.
 */
export interface HouseSays {
t: "house"
message: (string | null)
}

/**
 * For the author of a game under development: the errors in its files as they are now.
 */
export interface Notice {
t: "notice"
message: string
}

/**
 * An error: the mistake, its place, and the correction; `problem` is the message without the correction.
 *
 * If one field of an answer is wrong, `fault` is the rest of a sentence that begins with the `field`.
 */
export interface Error {
t: "error"
code: ("bad_game" | "closing" | "ended" | "full" | "gone" | "malformed" | "newer" | "no_commitment" | "no_key" | "no_roster" | "no_such_device" | "no_such_seat" | "no_such_table" | "not_allowed" | "not_ended" | "not_found" | "not_installed" | "not_offered" | "not_saved" | "not_yours" | "nothing_to_redo" | "nothing_to_undo" | "old_link" | "our_error" | "read_only" | "sit_first" | "stale" | "taken" | "too_large" | "too_long" | "too_many" | "unfair" | "unknown_frame" | "wrong_host" | "wrong_origin")
message: string
id?: (string | null)
offers?: OfferDoc[]
problem?: (string | null)
field?: string
fault?: string
}

/**
 * The answer to a holder of the join link: the game, the table's name, and its players' seats.
 *
 * `gm` is the game master's name, and `gm_here` whether they are connected; `round` is the current round, 0 for none
 * or for a game without rounds. `faces` are the chosen portraits, by the name in lower case. `mark` is the join code's
 * (`About.door`).
 */
export interface PlayerSeats {
game: string
name: string
seats: PlayerSeat[]
gm?: string
gm_here?: boolean
round?: number
faces?: {
[k: string]: number
}
mark?: string
}

/**
 * A player's seat: the player's name, the bot that plays it, if one does, and whether it can be taken.
 *
 * A player who takes a bot's seat takes over from the bot. `here`: a device is connected. `characters` are those
 * played from the seat that everyone may see.
 */
export interface PlayerSeat {
seat: string
name: string
free: boolean
bot?: string
here?: boolean
characters?: string[]
}

/**
 * Take an open seat, under this name.
 */
export interface SeatRequest {
seat: string
name: string
}

/**
 * A seat taken with the invite, and the secret of its own link.
 */
export interface SeatTaken {
seat: string
token: string
}

/**
 * Create a table for one person that goes on from another one after entry `at`, in the seat `seat`.
 */
export interface ForkRequest {
seat: string
at: number
name?: string
}

/**
 * Everything in a campaign, with the latest session first. Its secret opens the game master's seat at each session.
 *
 * `form` describes the form for an NPC in the last session's game; null if that game has none. `faces` are the
 * portraits chosen there, by the name in lower case.
 */
export interface Campaign {
name: string
notes: string
evenings: SessionSummary[]
encounters: Encounter[]
form: (FoeForm | null)
faces: {
[k: string]: number
}
}

/**
 * A session: its table, the table's name and game, when it began (Unix seconds), and its players.
 *
 * `entries` is the length of its log; `goes_on` means that no other table follows it.
 */
export interface SessionSummary {
table: string
name: string
game: string
at: number
people: string[]
entries: number
goes_on: boolean
}

/**
 * A prepared group of NPCs: its name, its members, and whether they are hidden at first.
 */
export interface Encounter {
name: string
foes: Foe[]
hidden?: boolean
}

/**
 * An NPC of an encounter: its `join` action without `do`, player and hiding, and how many of them.
 */
export interface Foe {
line: {
[k: string]: unknown
}
count?: number
}

/**
 * The form for an NPC: each field's JSON Schema, the optional fields, and whether NPCs can hide (`hides`).
 *
 * `start` is a valid NPC to begin with; empty if none was found.
 */
export interface FoeForm {
fields: {
[k: string]: {
[k: string]: unknown
}
}
optional: string[]
hides?: boolean
start?: {
[k: string]: unknown
}
}

/**
 * All characters that continue in the next session, as they were left, and the options of their table.
 */
export interface Characters {
options: {
[k: string]: unknown
}
characters: SavedCharacter[]
}

/**
 * A character as it was left: the answer that adds it to the next session, and the seat that plays it.
 *
 * `player` is the name given in that seat, `bot` the bot that plays it; both may be empty.
 */
export interface SavedCharacter {
answer: {
[k: string]: unknown
}
seat: string
player: string
bot: string
}

/**
 * A restored campaign: as `CreateCampaignResponse`, and the last of its tables with all its links and its mark.
 */
export interface CampaignBack {
campaign: string
token: string
table: string
links: {
[k: string]: string
}
mark?: string
}

/**
 * A new campaign: its id, and the secret of its link, `/c/{campaign}#{token}`.
 */
export interface CreateCampaignResponse {
campaign: string
token: string
}

/**
 * The names of the NPCs that joined, and a sentence for each problem with the others.
 */
export interface Brought {
names: string[]
problems: string[]
}

/**
 * The server: number and size of its tables, connected devices, and the announcement.
 *
 * `keep_days` is for how many days unused tables are kept, 0 for forever. `packages` are those with games, Cardhouse
 * first. `found` is a page of tables, and `more` says that others follow.
 */
export interface HouseOverview {
version: string
tables: number
bytes: number
here: number
message: string
keep_days: number
packages: PackageOverview[]
found: TableOverview[]
more: boolean
}

/**
 * An installed package with games: whether browsers run `scripts` of it, which may do everything the page does.
 */
export interface PackageOverview {
name: string
version: string
games: string[]
scripts: boolean
}

/**
 * A table, without anything hidden. Times are Unix seconds; `bytes` is the approximate size of its log.
 *
 * `used_at` is when it was last opened, to about a day, or answered; `kept_until` is when it will be deleted unless it
 * is used.
 */
export interface TableOverview {
table: string
game: string
name: string
made_at: number
used_at: number
answers: number
bytes: number
seats: SeatOverview[]
campaign?: string
kept_until?: number
}

/**
 * A seat: its player's name, the bot that plays it, and how many devices are connected by its link.
 *
 * The table screen and the invite (`door`) are included.
 */
export interface SeatOverview {
seat: string
name?: string
bot?: string
here?: number
}

/**
 * The secret of a seat's new link, or of the new invite.
 */
export interface LinkResponse {
seat: string
token: string
}

/**
 * A table's transcript, and each dealt card and die in it with the possible outcomes.
 */
export interface Deal {
transcript: string
dealt: Dealt[]
}

/**
 * A card or die that the dealer gave, and its possible outcomes, in order.
 *
 * `line` is its line in the transcript, 1 for the header; `die` the index of a die in a roll, from 0. It was drawn
 * from `number` and `id`: the answer's, with any links of devices after a colon. `taken_back_by` is the seat that
 * undid it, empty if it is in effect.
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
 * A table's totals and highlights. `look` is the secret of the replay link; the table screen doesn't get it.
 *
 * `problem` is the error in the game's own recap, which the generic one then replaces.
 */
export interface RecapResponse {
figures: Figure[]
moments: Highlight[]
look: string
problem?: string
headline?: (Highlight | null)
people?: CharacterOutcome[]
verdict?: (GameVerdict | null)
}

/**
 * A number of the recap. `key` is its text under `[evening]` in the words, filled in from `n` and `about`.
 */
export interface Figure {
key: string
n: number
about?: {
[k: string]: unknown
}
}

/**
 * A highlight. `key` is its text under `[evening]` in the words, `rule` the rule that caused it.
 *
 * The text `"key.title"` is its heading. If it is `about` a `name` or `seat`, the page shows that portrait, and `card`
 * as a card.
 */
export interface Highlight {
key: string
about?: {
[k: string]: unknown
}
rule?: string
}

/**
 * The fate of a character, by its `name`, or of the player in a `seat`.
 *
 * `state` decides how the portrait looks. `key` is a short text under `[evening]` in the words, or empty.
 */
export interface CharacterOutcome {
name?: string
seat?: string
state?: ("dead" | "down" | "up")
key?: string
about?: {
[k: string]: unknown
}
}

/**
 * Who won, and why. A seat in neither list neither won nor lost.
 *
 * A person who plays alone reads the text `you_won` or `you_lost` in place of the recap's headline. `reason` is one
 * sentence; `turning_point` is what decided the game, with its card if there is one. A `score` comes first; `paid`
 * are cards that it cost or brought.
 */
export interface GameVerdict {
winners?: string[]
losers?: string[]
reason?: (Highlight | null)
turning_point?: (Highlight | null)
score?: (Score | null)
paid?: CardsPaid[]
}

/**
 * A score, and what it is held against: `par`, and the `best` possible one, if they are known.
 */
export interface Score {
n: number
par?: (number | null)
best?: (number | null)
}

/**
 * Cards that a verdict shows, such as a price. `key` is their text under `[evening]` in the words.
 */
export interface CardsPaid {
key: string
cards: string[]
about?: {
[k: string]: unknown
}
rule?: string
}

/**
 * A mistake in a file: the line, counted from 1, the field, and a sentence for the file's author.
 *
 * The field is empty if the whole text is meant. The sentence names the field.
 */
export interface Mistake {
line: number
field: string
message: string
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
 * All questions, and the limits of one study.
 */
export interface LabSummary {
games: LabGame[]
most_trials: number
most_cells: number
}

/**
 * A game with its icon as SVG, its questions, and what can be designed for it.
 */
export interface LabGame {
name: string
title: string
sign: string
questions: LabQuestion[]
designs: LabDesign[]
}

/**
 * A question about a game. `trial` is the word for one repetition, `usual_trials` their default number.
 *
 * `advises` means that it is about what to do. `asked` is the question as a sentence, with settings in braces; empty
 * for none. `compared` has the settings of the other variant of a question that compares two; empty for none.
 */
export interface LabQuestion {
name: string
title: string
about: string
trial: string
usual_trials: number
advises: boolean
asked: string
compared: {
[k: string]: string
}
settings: LabSetting[]
}

/**
 * A setting of a question: its type, range and default, in the form in which it is written.
 *
 * The `choices` of a file are the names of built-in ones. `has_form` is whether the game has a form for such a file,
 * under the setting's name.
 */
export interface LabSetting {
name: string
text: string
kind: ("choice" | "file" | "number" | "text" | "whole" | "yes_no")
usual: string
least: (number | null)
most: (number | null)
choices: string[]
has_form: boolean
}

/**
 * Something that can be designed to order: a file for the game's `option`; `has_form` is whether that has a form.
 *
 * `trial` is the word for a step of the search.
 */
export interface LabDesign {
name: string
title: string
about: string
trial: string
option: string
has_form: boolean
settings: LabSetting[]
}

/**
 * Run a question with settings as written on the command line: `4,6,8` and `1-8` are several values.
 *
 * `vs` has the settings in which the compared variant differs. A setting that is a file holds its name, and `files`
 * its content. `trials` are played of each combination; with `until`, only as many of them as it takes to know every
 * share to within this, 0 to 1. `confidence` is the level of the intervals.
 */
export interface StudyRequest {
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
 * Ask which settings matter most for the finding `of`, by key or in words; by default the question's first.
 *
 * Settings and files are as in `StudyRequest`, each with one value. `vary` has setting names, or ranges such as
 * `limit=15..30`; if it is empty, every setting is varied. `trials` are played of each change.
 */
export interface SensitivityRequest {
settings?: {
[k: string]: string
}
files?: {
[k: string]: string
}
vary?: string[]
trials?: (number | null)
confidence?: number
seed?: number
of?: string
}

/**
 * Search for settings that meet `targets` such as `dead by hit 3 = 50%`, varying those in `vary`.
 *
 * `starts` searches try `tries` candidates each; `trials` confirm each finalist. Other fields are as in
 * `SensitivityRequest`.
 */
export interface TuneRequest {
settings?: {
[k: string]: string
}
files?: {
[k: string]: string
}
vary?: string[]
trials?: (number | null)
confidence?: number
seed?: number
targets?: string[]
tries?: number
starts?: number
}

/**
 * Ask which settings of a question can be changed.
 */
export interface ChangeableRequest {
settings?: {
[k: string]: string
}
files?: {
[k: string]: string
}
}

/**
 * The choices for a search over a question's settings: its findings and settings.
 *
 * `trials` is the default for each ranked change, `confirming` that for each finalist.
 */
export interface LabChangeable {
findings: LabFindingKnown[]
settings: LabVaried[]
trials: number
confirming: number
}

/**
 * A finding of a question; `share` means that it is a probability, shown in percent.
 */
export interface LabFindingKnown {
key: string
text: string
series: string
share: boolean
}

/**
 * How a setting may be varied by default: number of its pieces, of nearby values, and of all values.
 */
export interface LabVaried {
name: string
pieces: number
near: number
values: number
}

/**
 * A study: its progress and, by its `way`, its result, the settings that matter most, or those that meet targets.
 *
 * `command`, `link` and `python` repeat it on the command line, on the page and in Python. `done` of `of` trials are
 * played, or steps of the search done. `ahead` is the number of studies before it, `why_stopped` a sentence if it was
 * stopped, by a person or the time limit; `problem` is why it failed. `made` is the result of a design.
 */
export interface LabRun {
id: string
game: string
question: string
trial: string
way: ("design" | "sensitivity" | "study" | "tune")
command: string
link: string
python: string
state: ("over" | "running" | "waiting")
ahead: number
done: number
of: number
until: (number | null)
compiling: (LabCompiling | null)
headline: (LabHeadline | null)
why_stopped: string
problem: string
result: (LabResult | null)
matters: (LabMatters | null)
tuned: (LabTuned | null)
made: (DesignedFile | null)
}

/**
 * Compile progress, on first use on a machine: `done` of about `of` functions of a kernel.
 *
 * The last one takes by far the longest; until then trials are slow. `of` is 0 while unknown.
 */
export interface LabCompiling {
done: number
of: number
}

/**
 * The main finding so far, for the combination of settings that is being played.
 */
export interface LabHeadline {
name: string
text: string
number: LabNumber
}

/**
 * A number with its interval, and formatted: `68.2%` and `±0.1`, or a note that it has no interval.
 */
export interface LabNumber {
value: (number | null)
low: (number | null)
high: (number | null)
shown: string
error: string
}

/**
 * The result of a study: `told` is the key of the main finding, `best` the gap to best play.
 *
 * `line_ups` list who took part, if the settings leave that open. `tale` is the answer for players; None if nothing is
 * known.
 *
 * `looks` are the Vega-Lite settings of the dark and the light theme.
 */
export interface LabResult {
told: string
tale: (Tale | null)
best: string[]
line_ups: string[]
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
 * The answer to a question as a sentence; `line` names its conditions. The picture is optional.
 */
export interface Tale {
sentence: string
line: string
picture?: (Picture | null)
}

/**
 * A hundred trials in columns, or numbers as bars.
 */
export interface Picture {
title: string
caption?: string
columns?: Column[]
bars?: Bar[]
}

/**
 * The number of a hundred trials that ended alike; `bright` marks the column that the sentence is about.
 */
export interface Column {
label: string
count: number
bright?: boolean
shape?: ("card" | "person" | "stone")
}

/**
 * A number to compare with others; `low` and `high` are the ends of its interval, if it was simulated.
 *
 * `key` names its finding.
 */
export interface Bar {
label: string
value: number
shown: string
bright?: boolean
key?: string
low?: (number | null)
high?: (number | null)
}

/**
 * The results for one combination of settings (`name`); `here` and `there` are the two variants.
 */
export interface LabAnswer {
name: string
here: string
there: string
trials: number
found: LabFound[]
}

/**
 * A finding: its text, number, exact value, the other variant's number, and their difference.
 *
 * Findings of the same `series` form a line of a plot. `informative` excludes means near 0, shares near 0 or 1, and
 * what the lab doesn't know.
 */
export interface LabFound {
key: string
text: string
series: string
number: LabNumber
exact: (string | null)
versus: (LabNumber | null)
more: (LabNumber | null)
informative: boolean
}

/**
 * A Vega-Lite plot. `beside` pairs it with the previous one.
 */
export interface LabPlot {
title: string
caption: string
spec: {
[k: string]: unknown
}
beside: boolean
}

/**
 * The most important settings: the finding's number, all changes, the strongest first, and the answer as text.
 *
 * `tale` is the answer as a sentence and a picture.
 */
export interface LabMatters {
finding: string
number: LabNumber
told: string[]
effects: LabEffect[]
together: LabTogether[]
plots: LabPlot[]
looks: {
[k: string]: {
[k: string]: unknown
}
}
trials: number
confidence: number
seconds: number
tale: (Tale | null)
}

/**
 * The effect of a change: the finding's number with it, the difference (`more`), and whether it is clear (`seen`).
 *
 * `settings` are those that differ from the defaults, with the change; None if they include a file without a name.
 */
export interface LabEffect {
text: string
number: LabNumber
more: LabNumber
seen: boolean
settings: ({
[k: string]: string
} | null)
}

/**
 * The combined effect of the most important pieces; other fields as in `LabEffect`.
 */
export interface LabTogether {
text: string
number: LabNumber
more: LabNumber
settings: ({
[k: string]: string
} | null)
}

/**
 * Settings that meet targets: the answer in sentences, and the candidates found, fewest changes first.
 *
 * `met` means that some meet all targets; if none do, the best are those that no other one beats in every target.
 */
export interface LabTuned {
targets: string[]
met: boolean
told: string[]
choices: LabChoice[]
plots: LabPlot[]
looks: {
[k: string]: {
[k: string]: unknown
}
}
confidence: number
seconds: number
tale: (Tale | null)
}

/**
 * Settings that were tried, or the present ones (`now`): each target's number, and how well it is met.
 *
 * `best` are those that meet all targets, otherwise the trade-offs. `settings` are as in `LabEffect`.
 */
export interface LabChoice {
text: string
kind: ("best" | "now" | "rest")
numbers: LabNumber[]
grades: ("met" | "missed" | "perhaps")[]
grade: ("met" | "missed" | "perhaps")
settings: ({
[k: string]: string
} | null)
}

/**
 * The result: the value of the option, its file as text, and its properties.
 *
 * `title` names it, `about` describes what it is made of, and `remarks` are sentences on what was impossible.
 */
export interface DesignedFile {
value: {
[k: string]: unknown
}
file: string
title: string
about: string
claims?: MadeClaim[]
tables?: MadeTable[]
remarks?: string[]
stopped?: boolean
}

/**
 * A requirement in words: its subject, what was asked, what was found, and how that is known.
 *
 * `met` says whether it is fulfilled.
 */
export interface MadeClaim {
text: string
asked: string
found: string
how: string
met: boolean
}

/**
 * A table of further results: its title, its columns, and its rows.
 */
export interface MadeTable {
title: string
columns: string[]
rows: string[][]
}

/**
 * A lab question with settings from a table; `text` says whom it is about.
 */
export interface LabFromHere {
question: string
title: string
text: string
settings: {
[k: string]: string
}
}

/**
 * A printout: its name, the game that provides it (empty for none), title, description and settings.
 */
export interface Print {
name: string
game: string
title: string
about: string
options: PrintOption[]
}

/**
 * A setting of a printout: its description, type, range and default.
 *
 * The `choices` of a file are the names of built-in ones; `needed` is whether it is required.
 */
export interface PrintOption {
name: string
text: string
kind: ("choice" | "file" | "number" | "text" | "whole" | "yes_no")
usual: string
least: (number | null)
most: (number | null)
choices: string[]
needed: boolean
}

/**
 * Print something, with its settings as text and the uploaded files.
 *
 * A setting that is a file holds its name, or the name of one that comes with Cardhouse.
 */
export interface PrintRequest {
settings?: {
[k: string]: string
}
files?: {
[k: string]: string
}
}

/**
 * The form of an option's file.
 *
 * `card` and `whole` are JSON Schemas of a card, and of the file's other fields. The cards are in the field `cards`,
 * or are the whole file if that is empty. `ids` are the cards' fixed ids; empty if people choose their own. With
 * `attributes` a card may have more fields than its schema. `starts` are files to begin with, as values of the option,
 * the usual one first. With `roster` the cards are character sheets, the file is a roster, and `roster` is the action
 * by which a game master adds one to a table. `prints` names the printout of the cards, if there is one: the file is
 * its setting `prints_by`, with the further settings `prints_with`.
 */
export interface FormResponse {
option: string
card: {
[k: string]: unknown
}
whole: {
[k: string]: unknown
}
cards: string
ids: string[]
attributes: boolean
starts: {
[k: string]: {
[k: string]: unknown
}
}
roster: string
prints: string
prints_by: string
prints_with: {
[k: string]: string
}
}

/**
 * A form for an option's file: its content so far, and the card to draw.
 *
 * If `csv`, a table of cards, is given, its cards replace those of the form.
 */
export interface FormFilled {
filled: {
[k: string]: unknown
}
draw?: string
csv?: string
}

/**
 * The evaluation of a filled-in form.
 *
 * `filled` is its content, `file` the same as a TOML file, or JSON for a roster, `csv` its cards as a table. `value`
 * is the option's value, or a roster's sheets, if nothing is wrong. `svg` is the requested card as printed; `undrawn`
 * says why it can't be drawn, or which characters are missing in the font.
 */
export interface FormRead {
filled: {
[k: string]: unknown
}
file: string
csv: string
mistakes: FormMistake[]
value: ({
[k: string]: unknown
} | null)
svg: string
undrawn: string
}

/**
 * A mistake in a filled-in form: the card, its field, and a sentence; card and field may be empty.
 */
export interface FormMistake {
card: string
field: string
message: string
}

/** The number of portraits for each name, numbered from 0. */
export const FACES: number = 12
