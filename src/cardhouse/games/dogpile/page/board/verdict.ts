import type { Table } from '$contract'
import type { DogpileView } from '../wire.ts'
import { outcome } from './board.ts'

/** Return the fate of the pack; empty until it is judged. */
export function verdictOf(table: Pick<Table, 'view' | 'game' | 'say'>): string {
  const { verdict, rounds } = table.view as DogpileView
  const round = rounds.at(-1)
  if (!verdict || !round) return ''
  const { key, about } = outcome(round, verdict)
  return table.say(table.game.words.events[key] ?? '', about)
}
