/** The cards on the board, and their descriptions. */
import { lookUp } from '$page/lib/lookUp.ts'
import type { TableContext } from '$page/client/context.svelte.ts'
import { standsFor } from '../cards/deck.ts'
import { ownersOf, placeName, viewOf, type Owner, type Play } from '../dogpile.svelte.ts'
import type { Stands } from '../wire.ts'
import { around, isSame, MIDDLE, pieceWith, keyOf, type Cell } from './board.ts'

/** A card on the board. `nth` is its position in the order of laying, 0 for one not laid. */
export interface Lying {
  cell: Cell
  card: string | null
  lies: 'leader' | 'laid' | 'held'
  owner: Owner | null
  nth: number
  /** The value of a wild card, once judged. */
  as: Stands['as'] | null
  /** Whether it was judged not to be connected to the Pack Leader. */
  loose: boolean
}

export function cardsLying(table: TableContext, play: Play): Lying[] {
  const { leader, laid, verdict } = viewOf(table)
  if (!leader) return []
  const owners = ownersOf(table)
  const piece = verdict && pieceWith(MIDDLE, [MIDDLE, ...laid])
  const about = ({ x, y }: Cell) => ({
    cell: { x, y },
    as: verdict?.jokers.find((joker) => joker.x === x && joker.y === y)?.as ?? null,
    loose: piece !== null && !piece.has(keyOf({ x, y })),
  })
  return [
    { ...about(MIDDLE), card: leader, lies: 'leader', owner: null, nth: 0 },
    ...laid.map((one, place) => ({
      ...about(one),
      card: one.card,
      lies: 'laid' as const,
      owner: lookUp(owners, one.seat) ?? null,
      nth: place + 1,
    })),
    ...play.placed.map(({ card, x, y }) => ({
      ...about({ x, y }),
      card,
      lies: 'held' as const,
      owner: null,
      nth: 0,
      loose: play.laying.loose.some((one) => one.card === card),
    })),
  ]
}

const SIDES = ['beside_left', 'beside_right', 'beside_above', 'beside_below']

/** Return the cards that touch a cell in words, for those who don't see them; empty if none does. */
export function neighbours(table: TableContext, cell: Cell, lying: Lying[]): string {
  return around(cell)
    .map((there, side) => {
      const one = lying.find(({ cell }) => isSame(cell, there))
      const card = one && (one.card ? table.cardInText(one.card) : table.word('beside_down'))
      return card && table.say(table.word(SIDES[side]!), { card })
    })
    .filter(Boolean)
    .join(', ')
}

/** Return a card on the board in words: which one, whose, where, and its value if wild. */
export function describe(table: TableContext, { cell, card, lies, owner, nth, as, loose }: Lying): string {
  const about = {
    card: card && lies === 'held' ? table.cardName(card) : (card ?? ''),
    seat: owner?.seat ?? '',
    n: nth,
    where: placeName(table, cell),
  }
  const key = lies === 'laid' ? (card ? 'lies_open' : 'lies_down') : lies === 'leader' ? 'lies_leader' : 'lies_held'
  const more = [
    as ? table.say(table.word('stands_for'), { as: standsFor(table, as) }) : '',
    loose ? table.word(lies === 'held' ? 'touches_nothing' : 'not_connected') : '',
  ]
  return [table.say(table.word(key), about), ...more].filter(Boolean).join(' ')
}
