/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

/**
 * The table.
 *
 * With `down_at` hit points left one goes down (HJ-1); massive damage begins at `massive_from` (HJ-8), and
 * `outright_from` below 0 HP kills without a card (HJ-3).
 * `hitting` is who is suffering a wound just now. `unseen` are the cards still in the deck, in no order: what is left
 * is public by counting (HJ-21). `next_card` is the one on top, for those who have seen it (HJ-25); that these seats
 * have, `seen_by`, is for all to know.
 */
export interface HackjackView {
round: number
limit: number
massive_damage: number
down_at: number
massive_from: number
outright_from: number
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
 * What the next hit does to somebody, holding the blood back or not (HJ-11).
 *
 * `massive` tells it for each amount of massive damage up to the least that kills even one who holds it back, and at
 * most `MOST_AMOUNTS` of them.
 */
export interface FighterOdds {
massive: {
[k: string]: MassiveChances
}
not_preventing: HitChances
preventing: HitChances
}

/**
 * What an amount of massive damage does (HJ-8) to one who holds the blood back, and to one who doesn't (HJ-11).
 */
export interface MassiveChances {
not_preventing: Chances
preventing: Chances
}

/**
 * The chances that a hit leaves the total above the limit, and that it is the limit (HJ-6).
 */
export interface Chances {
dies: number
exactly_21: number
}

/**
 * The same, and the chance of each death-score there may be: 0 at exactly the limit, of one who dies the total.
 */
export interface HitChances {
death_score: {
[k: string]: number
}
dies: number
exactly_21: number
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
