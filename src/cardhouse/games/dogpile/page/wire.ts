/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

import type { Placed } from '$page/api/wire.ts'

/**
 * The view of an audience.
 *
 * `hands` has the cards of the audience's own hand and the number of cards in the others', and all cards once the game
 * is over. `laid` is in the order of laying. After the reveal of a pack that strayed, `best` is the largest pack that
 * the Pack Leader and the cards laid could have made. `to_lay` are the players still to lay after `turn`. `dogpile`,
 * `strays` and `draft` are counts; every player has seen the cards of the first two. `ends_at` is when the timer
 * rings, in Unix seconds; `last` says that no round follows this one.
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
 * A card on the grid: its player, its cell and, if the seat may know it, the card.
 */
export interface LaidView {
seat: string
x: number
y: number
card: (string | null)
}

/**
 * The judge's verdict: legal if the layout is one piece without illegal contacts.
 */
export interface Verdict {
legal: boolean
pieces: number
illegal: Illegal[]
jokers: Stands[]
}

/**
 * Two cells whose cards may not touch, with the rule broken and the reason in words.
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
 * The value of a wild card: a card of the deck, or attribute values if no card has exactly these.
 */
export interface Stands {
x: number
y: number
as: (string | {
[k: string]: number | string | (number | string)[]
})
}

/**
 * The largest possible pack of these cards; `proven` if none can be larger.
 */
export interface BestView {
size: number
proven: boolean
layout: Placed[]
}

/**
 * A round that has been judged; `size` counts the Pack Leader, `rule` decided.
 *
 * Once the game is over, `could_have` is the largest possible pack from its Pack Leader and all hands.
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
