import type { Table } from '$contract'
import type { DogsView } from './wire.ts'

/** Return what a conflict is about; empty without one. */
export function stakesOf(table: Pick<Table, 'view' | 'say' | 'word'>): string {
  const { conflict } = table.view as DogsView
  if (!conflict) return ''
  return conflict.patient ? table.say(table.word('life_of'), { name: conflict.patient }) : conflict.stakes
}
