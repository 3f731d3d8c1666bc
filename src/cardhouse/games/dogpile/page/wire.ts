/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

import type { Placed } from '$page/api/wire.ts'

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
[k: string]: number | string | (number | string)[]
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
