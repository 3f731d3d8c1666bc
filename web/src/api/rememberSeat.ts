import { MOMENT, continueLesson, type StartedTable } from './http.ts'
import { saveSeat } from '../stores/saved.ts'

/** Save the links of a new table on this device, and return the path of the player's seat. */
export function rememberSeat({ table, links, sit }: StartedTable, game: string, name = ''): string {
  const saved = { table, game, name, seen: Date.now() }
  const { gm, ...others } = links
  saveSeat({ ...saved, seat: 'gm', token: gm!, links: others })
  if (sit !== 'gm') saveSeat({ ...saved, seat: sit, token: links[sit]!, seen: saved.seen + 1 })
  return `/t/${table}#${links[sit]}`
}

/** Start a game's scene alone among bots, one of them the game master, and return the path of the player's seat. */
export async function playAlone(game: string): Promise<string> {
  const { table, links, sit, about } = await continueLesson(game, MOMENT)
  const token = links[sit]!
  saveSeat({ table, seat: sit, token, game, scene: about ?? '', seen: Date.now() })
  return `/t/${table}#${token}`
}
