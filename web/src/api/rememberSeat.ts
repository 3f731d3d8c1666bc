import { MOMENT, playOn, type Begun } from './http.ts'
import { saveSeat } from '../stores/saved.ts'

/** Remember the seat that is one's own at a new table, and the game master's; returns where it is. */
export function settle({ table, links, sit }: Begun, game: string, name = ''): string {
  const known = { table, game, name, seen: Date.now() }
  const { gm, ...others } = links
  saveSeat({ ...known, seat: 'gm', token: gm!, links: others })
  if (sit !== 'gm') saveSeat({ ...known, seat: sit, token: links[sit]!, seen: known.seen + 1 })
  return `/t/${table}#${links[sit]}`
}

/** Begin a game's scene, alone among bots, of which one is the game master; returns where one's seat is. */
export async function playAlone(game: string): Promise<string> {
  const { table, links, sit, about } = await playOn(game, MOMENT)
  const token = links[sit]!
  saveSeat({ table, seat: sit, token, game, scene: about ?? '', seen: Date.now() })
  return `/t/${table}#${token}`
}
