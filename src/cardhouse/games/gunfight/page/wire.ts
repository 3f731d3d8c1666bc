/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

import type { FighterOdds, HackjackView } from '../../hackjack/page/wire.ts'
import type { InitiativeView, TurnOdds } from '../../initiative/page/wire.ts'

/**
 * Both games' views; characters have the same names in both.
 */
export interface GunfightView {
order: InitiativeView
fight: HackjackView
}

/**
 * A target, and the chance that a hit kills it, if known: for a character who isn't down it isn't.
 */
export interface TargetOdds {
dies?: number
name: string
}

/**
 * Both games' odds by name, and on a turn with a shot the targets, best first.
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
