import type { DrawMarks } from '$contract'
import { t } from '../i18n/index.ts'

export const SUITS = ['S', 'H', 'D', 'C'] as const
export const RANKS = ['A', 'K', 'Q', 'J', '10', '9', '8', '7', '6', '5', '4', '3', '2'] as const
export const JOKERS = ['RJ', 'BJ'] as const

export type Suit = (typeof SUITS)[number]

const STANDARD = /^([CDHS])(A|[2-9]|10|[JQK])(b?)$/
const JOKER = /^([RB])J(b?)$/

/** Whether a text is a playing card's short name: `S10`, `HA`, `RJ`. */
export function isCard(text: unknown): text is string {
  return typeof text === 'string' && (STANDARD.test(text) || JOKER.test(text))
}

/** Whether a card is one of the jokers. */
export function isJoker(card: string): boolean {
  return JOKER.test(card)
}

/** A standard card's suit and rank, or null for a joker or another deck's card. */
export function suitAndRank(card: string): { suit: Suit; rank: string } | null {
  const found = STANDARD.exec(card)
  return found ? { suit: found[1] as Suit, rank: found[2]! } : null
}

/** Whether two cards look the same; those of two decks do. */
export function looksLike(a: string, b: string): boolean {
  const [one, other] = [suitAndRank(a), suitAndRank(b)]
  return a === b || (one !== null && one.suit === other?.suit && one.rank === other.rank)
}

/** The most cards that a picker shows without a grid for all of a deck. */
const MOST_ALONE = 20

/** Whether a picker shows these cards in a grid of a whole deck. */
export function isManyCards(cards: readonly string[], marks: DrawMarks | null): boolean {
  const all = [...cards, ...Object.keys(marks?.gone ?? {})].map((card) => card.replace(/b$/, ''))
  return new Set(all).size > MOST_ALONE
}

/** A card's name in words: "king of hearts". */
export function cardName(card: string): string {
  const found = suitAndRank(card)
  if (found) return t('card_name', { rank: t(`rank_${found.rank}`), suit: t(`suit_${found.suit}`) })
  const joker = JOKER.exec(card)
  return joker ? t(joker[1] === 'R' ? 'red_joker' : 'black_joker') : card
}

/** A card in running text: "the king of hearts". */
export function cardInText(card: string): string {
  return suitAndRank(card) ? t('card_in_text', { card: cardName(card) }) : cardName(card)
}

const SIGNS: Record<string, Suit> = { '♠': 'S', '♥': 'H', '♦': 'D', '♣': 'C' }

/** The card somebody typed, in whatever order and case: `QS`, `sq`, `10h`, `1 h`, `rj`, `joker red`; null if none. */
export function typedCard(typed: string): string | null {
  const text = typed.toUpperCase().replace(/[\s\uFE0E\uFE0F.,-]/g, '')
  if (/JOKER/.test(text) || /^(RJ|JR|BJ|JB)$/.test(text)) {
    const colour = text.replace('JOKER', '').replace('J', '')
    if (/^(R|RED)$/.test(colour)) return 'RJ'
    return /^(B|BLACK)$/.test(colour) ? 'BJ' : null
  }
  const named = text.replace(/[♠♥♦♣]/g, (sign) => SIGNS[sign]!)
  const found = /^([CDHS])(A|[1-9]|10|[JQKT])$|^(A|[1-9]|10|[JQKT])([CDHS])$/.exec(named)
  if (!found) return null
  const suit = found[1] ?? found[4]
  const rank = found[2] ?? found[3]!
  return `${suit}${{ T: '10', 1: 'A' }[rank] ?? rank}`
}
