/** A draw from the seed (docs/transcript.md, the fair deal). */
import { keyed } from './hash.ts'

const RANGE = 1n << 256n

/** Return the index of the outcome drawn, from 0; values above the last whole multiple are rejected and drawn again. */
export function pick(seed: string, number: number, id: string, outcomes: number): number {
  const limit = RANGE - (RANGE % BigInt(outcomes))
  for (let attempt = 0; ; attempt++) {
    const value = BigInt(`0x${keyed(seed, `${number}:${id}:${attempt}`)}`)
    if (value < limit) return Number(value % BigInt(outcomes))
  }
}

const RANKS = 'A 2 3 4 5 6 7 8 9 10 J Q K'.split(' ')
const STANDARD = [...'CDHS'].flatMap((suit) => RANKS.map((rank) => suit + rank))
const PLACES = new Map([...STANDARD, 'RJ', 'BJ', ...STANDARD.map((card) => `${card}b`)].map((card, at) => [card, at]))
const place = (card: string) => PLACES.get(card) ?? PLACES.size

/** Whether cards are in canonical order without repetition; other decks' cards come last, by name. */
export function inOrder(cards: string[]): boolean {
  return cards.every((card, at) => at === 0 || comesBefore(cards[at - 1]!, card))
}

function comesBefore(one: string, other: string): boolean {
  if (place(one) !== place(other)) return place(one) < place(other)
  return place(one) === PLACES.size && byCharacter(one, other)
}

/** Order by Unicode code points, as Python does. */
function byCharacter(one: string, other: string): boolean {
  const [first, second] = [[...one], [...other]]
  const at = first.findIndex((character, at) => character !== second[at])
  if (at < 0) return first.length < second.length
  return second[at] !== undefined && first[at]!.codePointAt(0)! < second[at]!.codePointAt(0)!
}
