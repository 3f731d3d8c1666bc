/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

/**
 * The table.
 *
 * A character with `down_at` HP or fewer left goes down (HJ-1); massive damage begins at `massive_from` (HJ-8);
 * `outright_from` points below 0 HP kill without a card (HJ-3). `hitting` is the character suffering a wound now.
 * `unseen` are the cards still in the deck, in no order: counting makes them public (HJ-21). `next_card` is the top
 * card, for seats that have seen it (HJ-25); every seat knows which these are, `seen_by`.
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
 * The last damage: the character hit, and the cards drawn, in order.
 */
export interface LastHitView {
name: string
cards: string[]
}

/**
 * A character's sheet.
 *
 * `rolls`, `to_hit` and `ranged` are the changes to all rolls, to hit, and to hit at range, with their cards. `idle`
 * is why the character can't act now: dead, unconscious, or helpless from a wound.
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
 * A wound on a character's sheet. `check` is the state of its d20.
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
 * The outcome of a roll made for a wound: `what` was rolled for, and what the result means.
 */
export interface FoundView {
what: string
means: string
}

/**
 * The permanent effect of a wound that has ended.
 */
export interface MarkView {
card: string
text: string
}

/**
 * An ability score before and after the changes in `because`.
 *
 * `base` and `now` are null if the group records none.
 */
export interface ScoreView {
ability: ("CHA" | "CON" | "DEX" | "INT" | "STR" | "WIS")
base: (number | null)
now: (number | null)
because: ChangeView[]
}

/**
 * A change to a number, and the card that causes it. `half` halves the number.
 */
export interface ChangeView {
card: string
change: (number | "half")
}

/**
 * The recovery time, and whether it is running (HJ-16).
 */
export interface RecoveryView {
amount: number
unit: ("days" | "months" | "weeks")
runs: boolean
}

/**
 * The effect of the next hit on a character, with and without preventing blood loss (HJ-11).
 *
 * `massive` has an entry for each amount of massive damage up to the least that kills even with blood loss prevented,
 * at most `MOST_AMOUNTS` of them.
 */
export interface FighterOdds {
massive: {
[k: string]: MassiveChances
}
not_preventing: HitChances
preventing: HitChances
}

/**
 * The effect of an amount of massive damage (HJ-8), with and without preventing blood loss (HJ-11).
 */
export interface MassiveChances {
not_preventing: Chances
preventing: Chances
}

/**
 * The chances that a hit leaves the total above the limit, or exactly at it (HJ-6).
 */
export interface Chances {
dies: number
exactly_21: number
}

/**
 * These chances and that of each death-score: 0 at exactly the limit, and for the dead the total.
 */
export interface HitChances {
death_score: {
[k: string]: number
}
dies: number
exactly_21: number
}

/**
 * The effect of the next card on a death-score: it adds its value, or `instead` if that is a number, and `more`.
 *
 * If it adds at least `kills`, the character dies; if it adds exactly `saves`, the death-score returns to 0 (HJ-6).
 */
export interface CardCounts {
instead: (number | null)
kills: number
more: number
saves: number
}

/**
 * The wound of one card.
 *
 * `name` is two or three words; `text` is all that a player needs to read. `blood` is a number or dice (HJ-9),
 * `trauma` 0 to 6 (HJ-14). These apply while the wound lasts: `conditions`, `abilities`, `rolls` (a change to all
 * rolls) and `to_hit` (a change to rolls to hit). `drops` lowers abilities by dice at once; rest restores them.
 * `wears` lowers each ability by its amount in every round in which the character faces the cause (HJ-18). `max_hp` is
 * lost from the maximum for good.
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
 * A d20 roll over the death-score. Failing it causes `failed`.
 *
 * With `each_round` the character may roll again every round.
 */
export interface Check {
failed: ("arm_useless" | "arms_useless" | "blind" | "confused" | "dazed" | "drops_held" | "eye_lost" | "fear" | "finger_lost" | "helpless" | "knocked_back" | "leg_useless" | "legs_useless" | "limb_lost" | "limps" | "marked" | "mute" | "no_food" | "no_peaceful_rest" | "no_smell" | "prone" | "scar" | "slow" | "staggers" | "unconscious" | "unless_masked" | "woozy")
each_round?: boolean
}

/**
 * A roll made when the wound is suffered: what it decides, and the meaning of each face.
 *
 * Without `means` the number itself counts (hours, for example).
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
 * The permanent effects that a wound leaves when it ends (HJ-19).
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
 * A wound that a character has.
 *
 * `found` holds the rolls for its details, in the wound's order, `drops` the amount each ability fell by, `check` the
 * state of its d20. `let` says that its Trauma counted (HJ-18). `worn` is the number of rounds it has worn the
 * character down, and `faced` says whether this round is among them.
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
 * The permanent effect of a wound that has ended (HJ-19).
 */
export interface Mark {
card: string
lasting: Lasting
}

/**
 * A recovery time (HJ-16).
 *
 * `trauma` is the Trauma it counts for. `rolled_for` is the Trauma it was rolled for, if that was another: an earlier
 * roll that was longer.
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
