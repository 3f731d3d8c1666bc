/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

import type { FighterOdds, HackjackView } from '../../hackjack/page/wire.ts'
import type { InitiativeView, TurnOdds } from '../../initiative/page/wire.ts'

/**
 * Both games' views; their characters have the same names.
 */
export interface GunfightView {
order: InitiativeView
fight: HackjackView
}

/**
 * Somebody to shoot at, and the chance that a hit kills; of one still standing there is none that is known.
 */
export interface TargetOdds {
dies?: number
name: string
}

/**
 * Both games' odds, each by name; and in a turn whom to shoot at, the best first.
 */
export interface GunfightOdds {
aim?: TargetOdds[]
fight: {
[k: string]: FighterOdds
}
order: {
[k: string]: TurnOdds
}
}
