import type { DrawMarks, Table } from '$contract'
import type { TableContext } from '$page/client/context.svelte.ts'
import { isJoker } from '$page/lib/cards.ts'
import { fighterOf, fightOf, worth } from './hackjack.svelte.ts'
import type { CardCounts } from './wire.ts'
import { wounds } from './wounds/wounds.ts'

/** Return what each card of a real wound deck does to the character that draws, and who has the others. */
export function marks(given: Table): DrawMarks {
  const table = given as TableContext
  const { characters, discard, limit, unseen } = fightOf(table)
  const gone = Object.fromEntries([
    ...discard.map((card) => [card, table.word('card_discarded')]),
    ...characters.flatMap(({ name, pile, beside }) => [...pile, ...beside].map((card) => [card, name])),
  ]) as Record<string, string>
  const { name, counts } = (table.asks.prompt?.with ?? {}) as { name?: string; counts?: CardCounts | null }
  const fighter = name === undefined ? undefined : fighterOf(table, name)
  if (!fighter) return { gone }
  const adds = (card: string) => (counts && !isJoker(card) ? (counts.instead ?? worth(card)) + counts.more : 0)
  const of = (card: string) => {
    if (!counts || isJoker(card)) return null
    if (adds(card) >= counts.kills) return { tone: 'loss', text: table.word('card_kills') } as const
    const saves = adds(card) === counts.saves && !goesOn(table, card)
    return saves ? ({ tone: 'win', text: table.word('card_saves', { limit }) } as const) : null
  }
  const kills = unseen.filter((card) => of(card)?.tone === 'loss').length
  return {
    gone,
    of,
    who: {
      name: fighter.name,
      state: !fighter.alive ? 'dead' : fighter.down ? 'down' : 'up',
      number: fighter.death_score,
      limit,
      note: kills && table.odds ? table.word('cards_kill', { n: kills, of: unseen.length }) : '',
    },
  }
}

/** Whether the score isn't judged after this card: its wound draws another, which counts as well (HJ-6, HJ-24). */
const goesOn = (table: TableContext, card: string) =>
  table.options.judged !== 'each_step' && wounds(table)[card]?.special === 'another'
