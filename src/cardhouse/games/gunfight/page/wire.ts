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
 * Both games' odds, each by name.
 */
export interface GunfightOdds {
fight: {
[k: string]: FighterOdds
}
order: {
[k: string]: TurnOdds
}
}
