import { startScene, type StartedTable } from './http.ts'
import { connectEarly } from './socket.ts'
import { saveSeat, savedSeats } from '../stores/saved.ts'

/** Save the links of a new table on this device, and return the path of the player's seat. */
export function rememberSeat({ table, links, sit }: StartedTable, game: string, name = ''): string {
  const saved = { table, game, name, seen: Date.now() }
  const { gm, ...others } = links
  saveSeat({ ...saved, seat: 'gm', token: gm!, links: others })
  if (sit !== 'gm') saveSeat({ ...saved, seat: sit, token: links[sit]!, seen: saved.seen + 1 })
  return `/t/${table}#${links[sit]}`
}

/** The links of no player's seat. */
const NOBODYS = ['gm', 'screen', 'door']

/**
 * Start a scene of a game alone among bots, one of them the game master, and return the path of the player's seat. By
 * default it is another scene than the last one on this device.
 */
export async function playAlone(game: string, scene?: string): Promise<string> {
  connectEarly()
  const last = savedSeats().find((seat) => seat.game === game && seat.sceneKey)?.sceneKey
  const { table, links, sit, about, scene: sceneKey } = await startScene(game, scene ? { scene } : { but: last })
  const token = links[sit]!
  const others = Object.fromEntries(Object.entries(links).filter(([seat]) => !NOBODYS.includes(seat) && seat !== sit))
  saveSeat({ table, seat: sit, token, game, links: others, scene: about ?? '', sceneKey, seen: Date.now() })
  return `/t/${table}#${token}`
}
