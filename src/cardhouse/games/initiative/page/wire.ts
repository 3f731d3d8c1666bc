/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

/**
 * The table.
 *
 * `drawn` is the card with an open choice; `bottom` lists the cards known to be at the bottom of the deck, the last
 * one last (IN-20); `jokers` are those still in the deck; `hidden` counts characters hidden from this audience
 * (IN-21); `order` lists the cards that have acted this round, in order.
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
 * `hidden` is true only for the game master; others don't get the entry.
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
 * A character that was removed, with the round.
 */
export interface GoneView {
name: string
card: string
side: (string | null)
round: number
}

/**
 * The odds of a character still to come in this round.
 *
 * `next` is the chance that its card is the next one off the deck, `acts` that it acts (again) this round, and
 * `turns_before` the mean number of turns before its own, if it acts; None if it can't. For the character who may act
 * or wait now, `choices` has the chances of either.
 */
export interface TurnOdds {
acts?: number
choices?: Choices
next: number
turns_before?: (number | null)
}

/**
 * The chances of either answer.
 */
export interface Choices {
act: ChoiceOdds
wait: ChoiceOdds
}

/**
 * The chances to act `before` any foe acts again, right `after` a foe, and `last` of the round.
 *
 * Chances that take too long are left out, as are those about foes if there are none.
 */
export interface ChoiceOdds {
after?: number
before?: number
last?: number
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
