/** What whoever keeps the house does with its tables, by the administrator's key. */
import { ask, fetched, pathOf, saveText, sentBy, withToken } from './http.ts'
import type { HouseOverview, LinkResponse } from './wire.ts'

const tablePath = (table: string, ...what: string[]) => pathOf('house', 'tables', table, ...what)

/** The house, and some of its tables: behind so many, those with a text in their names. */
export const houseAt = (key: string, find: string, after: number) =>
  ask<HouseOverview>(`${pathOf('house', 'tables')}?find=${encodeURIComponent(find)}&after=${after}`, withToken(key))
export const renewLink = (key: string, table: string, seat: string) =>
  ask<LinkResponse>(tablePath(table, 'link'), sentBy(key, { seat }))
export const endTable = (key: string, table: string) => fetched(tablePath(table, 'end'), sentBy(key, {}))
export const deleteTable = (key: string, table: string) =>
  fetched(tablePath(table), { ...withToken(key), method: 'DELETE' })
export const exportTable = (key: string, table: string) =>
  saveText(tablePath(table, 'transcript'), key, `${table}.jsonl`)
/** Say something to all, or take back what was said. */
export const sayToAll = (key: string, message: string) =>
  fetched(pathOf('house', 'message'), { ...sentBy(key, { message }), method: 'PUT' })
