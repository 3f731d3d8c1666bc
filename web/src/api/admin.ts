/** Requests of the admin page, authorised by the admin key. */
import { requestJson, request, pathOf, saveText, postBy, withToken } from './http.ts'
import type { HouseOverview, LinkResponse } from './wire.ts'

const tablePath = (table: string, ...what: string[]) => pathOf('house', 'tables', table, ...what)

/**
 * Fetch the server's state and the tables after row `after`, only those with `find` in their names if it isn't empty.
 */
export const fetchOverview = (key: string, find: string, after: number) =>
  requestJson<HouseOverview>(
    `${pathOf('house', 'tables')}?find=${encodeURIComponent(find)}&after=${after}`,
    withToken(key),
  )
export const rotateLink = (key: string, table: string, seat: string) =>
  requestJson<LinkResponse>(tablePath(table, 'link'), postBy(key, { seat }))
export const endTable = (key: string, table: string) => request(tablePath(table, 'end'), postBy(key, {}))
export const deleteTable = (key: string, table: string) =>
  request(tablePath(table), { ...withToken(key), method: 'DELETE' })
export const exportTable = (key: string, table: string) =>
  saveText(tablePath(table, 'transcript'), key, `${table}.jsonl`)
/** Set the server notice, or remove it if `message` is empty. */
export const setNotice = (key: string, message: string) =>
  request(pathOf('house', 'message'), { ...postBy(key, { message }), method: 'PUT' })
