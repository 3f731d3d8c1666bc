/** Taking over a bot's seat, by a link of this device or by the table's join code, which lets anyone take such a seat. */
import { takeSeat } from '../api/http.ts'
import { TableClient } from '../client/client.svelte.ts'
import { charactersOf, livingOf } from '../lib/seats.ts'
import { seatLink } from '../lib/links.ts'
import { savedSeats, saveSeat } from '../stores/saved.ts'

export interface PlayableSeat {
  seat: string
  /** Its first living character. */
  character: string
}

type Part = { characters?: Sided[]; gone?: Sided[] } | null
type Sided = { name: string; side?: string | null }

/** Return the side of a seat's characters, the dead too; null in games without sides. */
function sideOf(seat: string, view: unknown): string | null {
  const names = charactersOf(seat, view)
  const listed = ([view, ...Object.values(view ?? {})] as Part[]).flatMap((part) => [
    ...(part?.characters ?? []),
    ...(part?.gone ?? []),
  ])
  return listed.find(({ name, side }) => side && names.includes(name))?.side ?? null
}

/** Return the secrets of the seats' links, and of the join code (`door`), that this device has for a table. */
const linksTo = (table: string): Record<string, string> =>
  Object.assign({}, ...savedSeats().map((saved) => (saved.table === table ? saved.links : {})))

/** Return the bots' seats on this seat's side that its player could take, each with a living character. */
export function playableSeats({ table, you, doc, players }: TableClient): PlayableSeat[] {
  const view = doc!.view
  const links = linksTo(table!.id)
  const side = sideOf(you, view)
  return players.flatMap(({ seat, name, bot }) => {
    const [character] = livingOf(seat, view)
    const open = links[seat] || (!name && table!.door && links.door)
    const may = bot && open && seat !== 'gm' && seat !== you && sideOf(seat, view) === side
    return may && character !== undefined ? [{ seat, character }] : []
  })
}

/** Take over a bot's seat, while the bot plays the seat left behind; return the path of the new seat. */
export async function takeOver(client: TableClient, { seat }: PlayableSeat): Promise<string> {
  const { you, seats } = client
  const { id } = client.table!
  const links = linksTo(id)
  const token = links[seat] ?? (await takeByCode(client, seat, links.door!))
  client.setBot(you, seats.find((one) => one.seat === seat)!.bot!)
  if (links[seat]) await sendAway(id, token, seat)
  const left = savedSeats().find((saved) => saved.table === id && saved.seat === you)
  saveSeat({ ...left, table: id, seat, token, seen: Date.now() })
  saveSeat({ table: id, seat: you, links: { ...left?.links, [you]: client.token } })
  return seatLink('', id, token)
}

async function takeByCode(client: TableClient, seat: string, door: string): Promise<string> {
  const [code] = door.split('.')
  return (await takeSeat(client.table!.id, code!, { seat, name: client.nameOf(client.you) })).token
}

const LOOK_MS = 50
const LOOKS = 100

/** Have the bot leave a seat. */
async function sendAway(id: string, token: string, seat: string) {
  const there = new TableClient(id, token)
  there.setBot(seat, '')
  for (let look = 0; look < LOOKS && (!there.seats.length || there.botOf(seat)); look++)
    await new Promise((done) => setTimeout(done, LOOK_MS))
  there.close()
}
