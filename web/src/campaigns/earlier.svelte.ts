import { game, rosterOf, type Game } from '../api/http.ts'
import { savedSeats, type SavedSeat } from '../stores/saved.ts'

/** A character as it left some table: what that is called, and when it was last open here (0 if it is a file). */
export interface Version<Sheet> {
  sheet: Sheet
  table: string
  seen: number
}

/** Somebody, as they left each of their tables: the newest version first. */
export interface Known<Sheet> {
  name: string
  versions: Version<Sheet>[]
}

const AT_ONCE = 8

/** Who was at the earlier tables of this device's game master, as far back as one has looked. */
export class Earlier<Sheet extends { name: string }> {
  known = $state.raw<Known<Sheet>[]>([])
  busy = $state(false)
  /** How many tables there are that have not been looked at. */
  left = $state(0)

  #tables: SavedSeat[] = []
  #titles = new Map<string, string>()
  readonly #fits: (game: Game) => boolean

  /** `fits` says which games have sheets that can be used here. */
  constructor(fits: (game: Game) => boolean) {
    this.#fits = fits
  }

  /** Begin anew, without the table that is open. */
  async open(here: string) {
    this.known = []
    const own = savedSeats().filter((seat) => seat.seat === 'gm' && seat.game && seat.table !== here)
    this.#titles = await titlesOf(
      own.map((seat) => seat.game),
      this.#fits,
    )
    this.#tables = own.filter((seat) => this.#titles.has(seat.game))
    await this.further()
  }

  /** Look at some more tables, the newest of those that are left. */
  async further() {
    this.busy = true
    const tables = this.#tables.splice(0, AT_ONCE)
    // A table may be gone, or its link replaced: then nobody comes from there.
    const found = await Promise.all(tables.map((seat) => rosterOf<Sheet>(seat.table, seat.token).catch(() => null)))
    const versions = tables.flatMap((seat, place) =>
      (found[place]?.characters ?? []).map((sheet) => ({
        sheet,
        table: seat.name || this.#titles.get(seat.game)!,
        seen: seat.seen,
      })),
    )
    this.known = byName([...this.known.flatMap((one) => one.versions), ...versions])
    this.left = this.#tables.length
    this.busy = false
  }
}

/** The titles of those of these games that fit. */
async function titlesOf(names: string[], fits: (game: Game) => boolean): Promise<Map<string, string>> {
  const found = await Promise.all([...new Set(names)].map((name) => game(name).catch(() => null)))
  return new Map(found.filter((one) => one !== null && fits(one)).map((one) => [one!.name, one!.words.title]))
}

/** By name, in the order in which they come; who was left unchanged by a later table is told of once. */
export function byName<Sheet extends { name: string }>(versions: Version<Sheet>[]): Known<Sheet>[] {
  const known = new Map<string, Version<Sheet>[]>()
  for (const version of versions) {
    const others = known.get(version.sheet.name) ?? []
    const same = others.some((other) => JSON.stringify(other.sheet) === JSON.stringify(version.sheet))
    known.set(version.sheet.name, same ? others : [...others, version])
  }
  return [...known].map(([name, all]) => ({ name, versions: all }))
}
