import { checkForm, game as gameOf, fetchForm, readOptionFile, readRoster, ApiError, type Game } from '../api/http.ts'
import { TableClient } from '../client/client.svelte.ts'
import { textOf } from '../lib/files.ts'
import { lookUp } from '../lib/lookUp.ts'
import { storageKey } from '../stores/saved.ts'
import { readable } from '../i18n/text.ts'
import type { FormRead, FormResponse } from '../api/wire.ts'
import { withField, type Json } from './schema.ts'

/** The delay between the last input and the check, in milliseconds. */
const PAUSE = 400
type Cards = Record<string, Json>

/** A file for an option, while it is edited. */
export class FileEditor {
  filled = $state.raw<Json>({})
  /** The open card; empty for the file as a whole. */
  chosen = $state('')
  read = $state.raw<FormRead | null>(null)
  problem = $state.raw<ApiError | null>(null)
  busy = $state(false)
  /** The last card drawn without errors. */
  drawn = $state.raw<{ card: string; svg: string } | null>(null)
  private timer: ReturnType<typeof setTimeout> | undefined
  private requests = 0
  /** The last value checked. */
  private seen: Json | null = null

  constructor(
    readonly game: Game,
    readonly form: FormResponse,
    /** Start with this value instead of a draft, and save no draft. */
    readonly from: Json | null = null,
    /** Whether to draw the open card. */
    private readonly draws = true,
  ) {
    const [first] = Object.values(form.starts)
    this.filled = from ?? draftOf(this.key) ?? (first as Json) ?? {}
    this.chosen = Object.keys(this.cards)[0] ?? ''
    void this.check()
  }

  static async open(game: string, option: string): Promise<FileEditor> {
    const [about, form] = await Promise.all([gameOf(game), fetchForm(game, option)])
    return new FileEditor(about, form)
  }

  private get key() {
    return `cardhouse.make.${this.game.name}.${this.form.option}`
  }

  get cards(): Cards {
    return ((this.form.cards ? this.filled[this.form.cards] : this.filled) ?? {}) as Cards
  }

  get card(): Json {
    return lookUp(this.cards, this.chosen) ?? {}
  }

  /** The names of cards' attributes, beyond the form's fields. */
  get attributes(): string[] {
    if (!this.form.attributes) return []
    const formFields = Object.keys((this.form.card as { properties?: Json }).properties ?? {})
    const found = new Set(Object.values(this.cards).flatMap((card) => Object.keys(card)))
    return [...found].filter((name) => !formFields.includes(name))
  }

  /** The cards at the beginning. */
  private get start(): Cards {
    const first = this.from ?? (Object.values(this.form.starts)[0] as Json | undefined) ?? {}
    return ((this.form.cards ? first[this.form.cards] : first) ?? {}) as Cards
  }

  isChanged(id: string): boolean {
    const compares = this.from || this.form.ids.length > 0
    return Boolean(compares) && JSON.stringify(lookUp(this.cards, id)) !== JSON.stringify(lookUp(this.start, id))
  }

  /** The open card existed at the beginning, and has changed since. */
  get canGoBack(): boolean {
    return this.isChanged(this.chosen) && Object.hasOwn(this.start, this.chosen)
  }

  mistakesOf(id: string) {
    return this.read?.mistakes.filter((one) => one.card === id) ?? []
  }

  // Changes.

  /** Add all characters to a table, as its game master. */
  async addToTable(table: string, token: string) {
    const client = new TableClient(table, token)
    try {
      for (const sheet of Object.values(this.cards)) {
        const problem = await client.answer({ do: this.form.roster, sheet })
        if (problem !== null) throw new ApiError(problem)
      }
    } finally {
      client.close()
    }
  }

  /** Save the value as the draft of the editor's page. */
  keepAsDraft() {
    save(this.key, this.filled)
  }

  put(filled: Json) {
    this.filled = filled
    if (!this.from) save(this.key, filled)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.check(), PAUSE)
  }

  private putCards(cards: Cards) {
    this.put(this.form.cards ? { ...this.filled, [this.form.cards]: cards } : cards)
  }

  set(field: string, value: unknown) {
    if (this.chosen) this.putCards({ ...this.cards, [this.chosen]: withField(this.card, field, value) })
    else this.put(withField(this.filled, field, value))
  }

  choose(id: string) {
    this.chosen = id
    if (this.draws && this.drawn?.card !== id) void this.check()
  }

  /** Restore the open card. */
  back() {
    this.putCards({ ...this.cards, [this.chosen]: lookUp(this.start, this.chosen)! })
  }

  /** Add a card that is a copy of the open one. */
  add() {
    const prefix = this.form.roster ? 'sheet' : 'card'
    let number = Object.keys(this.cards).length + 1
    while (`${prefix}${number}` in this.cards) number++
    const id = `${prefix}${number}`
    this.putCards({ ...this.cards, [id]: { ...this.card, name: readable(id) } })
    this.chosen = id
  }

  remove() {
    const ids = Object.keys(this.cards)
    const place = ids.indexOf(this.chosen)
    this.putCards(Object.fromEntries(Object.entries(this.cards).filter(([id]) => id !== this.chosen)))
    this.choose(ids[place + 1] ?? ids[place - 1] ?? '')
  }

  /** Start over with one of the given files. */
  begin(name: string) {
    this.put(this.form.starts[name] as Json)
    if (!Object.hasOwn(this.cards, this.chosen)) this.chosen = Object.keys(this.cards)[0] ?? ''
  }

  /** Continue with a player's file: a table of cards, or a saved file. */
  async importFile(file: File) {
    this.problem = null
    try {
      if (/\.(csv|tsv)$/i.test(file.name)) await this.check(await textOf(file))
      else if (this.form.roster) {
        const { characters } = await readRoster<{ name: string }>(this.game.name, file)
        this.put(Object.fromEntries(characters.map((sheet, number) => [`sheet${number + 1}`, sheet])))
      } else {
        const value = (await readOptionFile(this.game.name, this.form.option, file))[this.form.option] as Json
        const [first = {}] = Object.values(this.form.starts) as Json[]
        this.put(this.form.cards ? value : { ...first, ...value })
      }
      if (!Object.hasOwn(this.cards, this.chosen)) this.chosen = Object.keys(this.cards)[0] ?? ''
    } catch (error) {
      this.problem = error as ApiError
    }
  }

  /** Return the result for all input so far. Throws an ApiError if it can't be checked. */
  async now(): Promise<FormRead> {
    while (this.seen !== this.filled) {
      await this.check()
      if (this.problem) throw this.problem
    }
    return this.read!
  }

  /** Check the input, or a table of cards in its place. */
  async check(csv = '') {
    clearTimeout(this.timer)
    const request = ++this.requests
    this.busy = true
    const draw = this.draws ? this.chosen : ''
    try {
      const filled = this.filled
      const read = await checkForm(this.game.name, this.form.option, { filled, draw, csv })
      if (request !== this.requests) return
      this.read = read
      this.seen = filled
      this.problem = null
      if (csv) this.put({ ...(this.form.cards ? {} : this.start), ...(read.filled as Json) })
      if (read.svg) this.drawn = { card: draw, svg: read.svg }
    } catch (error) {
      if (csv) throw error
      if (request === this.requests) this.problem = error as ApiError
    } finally {
      if (request === this.requests) this.busy = false
    }
  }
}

function draftOf(key: string): Json | null {
  try {
    return JSON.parse(localStorage.getItem(storageKey(key)) ?? 'null') as Json | null
  } catch {
    return null
  }
}

function save(key: string, draft: Json) {
  try {
    localStorage.setItem(storageKey(key), JSON.stringify(draft))
  } catch {
    // Storage is full or forbidden; the page works without it.
  }
}
