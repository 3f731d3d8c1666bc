/** The round's order on the table screen. */
import { suitAndRank } from '$page/lib/cards.ts'
import type { TableContext } from '$page/client/context.svelte.ts'
import type { PortraitState } from '$page/art/portraits.ts'
import type { BenchPerson, BenchSide } from '$page/table/screen/bench.ts'
import { bySide, holder, isUp, stateOf, viewOf } from '../initiative.svelte.ts'
import type { InitiativeCharacterView } from '../wire.ts'

type Face = (name: string) => PortraitState

/** The states of a character, those who act next first. */
const NEXT = [
  'acting',
  'chooses',
  'drawn',
  'waiting',
  'to_come',
  'out',
  'later',
  'again',
  'again_last',
  'lost',
  'acted',
]

/** Return a character as it is shown on a bench. */
export function personOf(table: TableContext, character: InitiativeCharacterView): BenchPerson {
  const state = stateOf(character, table.asks)
  return {
    name: character.name,
    card: character.card,
    spent: state === 'acted' || state === 'lost',
    acts: isUp(state),
    status: table.word(`is_${state}`),
    rank: NEXT.indexOf(state),
  }
}

/** Return the sides as benches, each with its suit if all its cards have the same. */
export function sidesOf<T extends { side: string | null }>(
  table: TableContext,
  characters: T[],
  person: (character: T) => BenchPerson,
  note: (members: T[]) => string = (members) => String(members.length),
): BenchSide[] {
  const sides = bySide(characters)
  return sides.map(({ side, members }) => {
    const people = members.map(person)
    const suits = new Set(people.map(({ card }) => (card && suitAndRank(card)?.suit) || undefined))
    const named = sides.length > 1 || side
    return {
      title: named ? (side ?? table.word('no_side')) : '',
      suit: suits.size === 1 && people.length > 1 ? [...suits][0] : undefined,
      note: note(members),
      people,
    }
  })
}

/** Return the card that is up, with its character. */
export function upOf(table: TableContext, face: Face = () => 'up') {
  const view = viewOf(table)
  const card = view.acting ?? view.drawn
  const name = holder(view, card)?.name
  return card ? { card, name, state: name ? face(name) : 'up' } : null
}

/** Return the card that waits, with its character. */
export function waitingOf(table: TableContext, face: Face = () => 'up') {
  const view = viewOf(table)
  const name = holder(view, view.waiting)?.name
  return view.waiting ? { card: view.waiting, name, state: name ? face(name) : 'up' } : null
}

/** Return the foot's groups: those who have acted, the one who does, the one who waits, and those still to come. */
export function groupsOf(table: TableContext, face: Face = () => 'up') {
  const view = viewOf(table)
  const place = ({ card, name }: InitiativeCharacterView) => ({ card, name, state: face(name) })
  const inState = (...states: string[]) =>
    view.characters.filter((one) => states.includes(stateOf(one, table.asks))).map(place)
  const at = (card: string) => view.order.indexOf(card)
  if (!view.under_way)
    return [{ label: table.word('screen_ready', { n: view.characters.length }), places: view.characters.map(place) }]
  const up = upOf(table, face)
  const waiting = waitingOf(table, face)
  const chooses = up && inState('chooses').some(({ card }) => card === up.card)
  const loose = view.deck_left - view.bottom.length
  return [
    {
      label: table.word('screen_acted'),
      places: inState('acted', 'lost').sort((a, b) => at(a.card) - at(b.card)),
      past: true,
    },
    {
      label: table.word(view.acting ? 'screen_acts' : chooses ? 'screen_chooses' : 'screen_drawn'),
      places: up ? [up] : [],
      now: true,
    },
    { label: table.word('screen_waits'), places: waiting ? [waiting] : [] },
    {
      label: table.word('screen_to_come', { n: loose }),
      places: [...inState('to_come', 'again'), ...view.jokers.map((card) => ({ card }))],
    },
    { label: table.word('screen_last'), places: inState('again_last') },
  ]
}
