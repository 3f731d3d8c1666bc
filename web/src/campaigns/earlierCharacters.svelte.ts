import { game, fetchRoster, type Game } from '../api/http.ts'
import { savedSeats, type SavedSeat } from '../stores/saved.ts'

/** A character as it left a table: the table's name, and when it was last open here (0 for a file). */
export interface Version<Sheet> {
  sheet: Sheet
  table: string
  seen: number
}

/** A character's versions, newest first. */
export interface KnownCharacter<Sheet> {
  name: string
  versions: Version<Sheet>[]
}

const AT_ONCE = 8

/** The characters at earlier tables of this device's game master, loaded in batches. */
export class EarlierCharacters<Sheet extends { name: string }> {
  known = $state.raw<KnownCharacter<Sheet>[]>([])
  busy = $state(false)
  /** The number of tables not loaded yet. */
  left = $state(0)

  #tables: SavedSeat[] = []
  #titles = new Map<string, string>()
  readonly #fits: (game: Game) => boolean

  /** `fits` selects the games whose sheets can be used here. */
  constructor(fits: (game: Game) => boolean) {
    this.#fits = fits
  }

  /** Start over, without the current table. */
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

  /** Load the next batch, newest tables first. */
  async further() {
    this.busy = true
    const tables = this.#tables.splice(0, AT_ONCE)
    // A table may be gone, or its link replaced: skip it.
    const found = await Promise.all(tables.map((seat) => fetchRoster<Sheet>(seat.table, seat.token).catch(() => null)))
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

/** Return the titles of those games that fit. */
async function titlesOf(names: string[], fits: (game: Game) => boolean): Promise<Map<string, string>> {
  const found = await Promise.all([...new Set(names)].map((name) => game(name).catch(() => null)))
  return new Map(found.filter((one) => one !== null && fits(one)).map((one) => [one!.name, one!.words.title]))
}

/** Group versions by name, in order; a version that equals another is left out. */
export function byName<Sheet extends { name: string }>(versions: Version<Sheet>[]): KnownCharacter<Sheet>[] {
  const known = new Map<string, Version<Sheet>[]>()
  for (const version of versions) {
    const others = known.get(version.sheet.name) ?? []
    const same = others.some((other) => JSON.stringify(other.sheet) === JSON.stringify(version.sheet))
    known.set(version.sheet.name, same ? others : [...others, version])
  }
  return [...known].map(([name, all]) => ({ name, versions: all }))
}
