import { ApiError, readRoster } from '../api/http.ts'
import type { TableContext } from '../client/context.svelte.ts'
import { byName, type KnownCharacter } from './earlierCharacters.svelte.ts'
import { t } from '../i18n/index.ts'

/** A roster file chosen by the player: its characters, or an error. */
export class RosterFile<Sheet extends { name: string }> {
  /** The file's name; empty if none is chosen. */
  name = $state('')
  known = $state.raw<KnownCharacter<Sheet>[]>([])
  problem = $state('')
  readonly #table: TableContext

  constructor(table: TableContext) {
    this.#table = table
  }

  /** Read a file, which the server checks. */
  async read(file: File) {
    this.problem = ''
    this.name = file.name
    try {
      const { characters } = await readRoster<Sheet>(this.#table.game.name, file)
      this.known = byName(characters.map((sheet) => ({ sheet, table: file.name, seen: 0 })))
      if (!this.known.length) this.problem = this.#table.word('roster_empty')
    } catch (error) {
      this.known = []
      this.problem = (error as ApiError).message || t('went_wrong')
    }
  }
}
