/** Requests of the admin page, authorised by the admin key. */
import { ask, fetched, pathOf, saveText, sentBy, withToken } from './http.ts'
import type { HouseOverview, LinkResponse } from './wire.ts'

const tablePath = (table: string, ...what: string[]) => pathOf('house', 'tables', table, ...what)

/**
 * Fetch the server's state and the tables after row `after`, only those with `find` in their names if it isn't empty.
 */
export const houseAt = (key: string, find: string, after: number) =>
  ask<HouseOverview>(`${pathOf('house', 'tables')}?find=${encodeURIComponent(find)}&after=${after}`, withToken(key))
export const renewLink = (key: string, table: string, seat: string) =>
  ask<LinkResponse>(tablePath(table, 'link'), sentBy(key, { seat }))
export const endTable = (key: string, table: string) => fetched(tablePath(table, 'end'), sentBy(key, {}))
export const deleteTable = (key: string, table: string) =>
  fetched(tablePath(table), { ...withToken(key), method: 'DELETE' })
export const exportTable = (key: string, table: string) =>
  saveText(tablePath(table, 'transcript'), key, `${table}.jsonl`)
/** Set the server notice, or remove it if `message` is empty. */
export const sayToAll = (key: string, message: string) =>
  fetched(pathOf('house', 'message'), { ...sentBy(key, { message }), method: 'PUT' })
