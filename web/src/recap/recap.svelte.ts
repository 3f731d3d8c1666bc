/** The recap of a finished table: fetched once for all its views. */
import type { SeatMark } from '$contract'
import { t } from '../i18n/lazy.ts'
import { fetchRecap, type ApiError, type RecapResponse } from '../api/http.ts'
import type { TableContext } from '../client/context.svelte.ts'
import type { PortraitState } from '../art/portraits.ts'
import { seatState } from '../lib/seats.ts'
import { capital } from '../i18n/text.ts'
import type { CharacterOutcome, Highlight as WireHighlight } from '../api/wire.ts'

/** A person in the recap: a character, or the player of a seat. */
export interface Person {
  name: string
  state: PortraitState
  mark: SeatMark | null
  /** A few words on the person's fate. */
  fate: string
}

/** A highlight with its portrait and card, if any. */
export interface Highlight extends WireHighlight {
  title: string
  text: string
  card: string | null
  who: Person | null
  /** Whether it is the turning point. */
  turns?: boolean
}

/** The most highlights and totals shown; the others are in the list of all totals. */
const SHOWN = 3
const PAID = 4

const all = new WeakMap<TableContext, TableRecap>()

/** Return a table's recap. */
export function recapOf(table: TableContext): TableRecap {
  const found = all.get(table) ?? new TableRecap(table)
  all.set(table, found)
  return found
}

export class TableRecap {
  data = $state.raw<RecapResponse | null>(null)
  problem = $state('')
  readonly #table: TableContext
  #at = -1
  #loading = Promise.resolve()

  constructor(table: TableContext) {
    this.#table = table
  }

  /** Fetch the recap, unless it is up to date with the log. */
  load(): Promise<void> {
    if (this.#at !== this.#table.client.n) this.#loading = this.#load()
    return this.#loading
  }

  async #load() {
    const { client } = this.#table
    this.#at = client.n
    try {
      this.data = await fetchRecap(client.table!.id, client.token)
      this.problem = this.data.problem ? t('evening_stumbled', { problem: this.data.problem }) : ''
    } catch (error) {
      this.#at = -1
      this.problem = (error as ApiError).message || t('went_wrong')
    }
  }

  text = (key: string) => this.#table.game.words.evening[key] ?? key

  get name(): string {
    return this.#table.client.table!.name || this.#table.game.words.title
  }

  /** The current day; empty in a replay, which may be seen much later. */
  get day(): string {
    const { client } = this.#table
    return client.live
      ? new Date(client.now()).toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
      : ''
  }

  /** Who won: to a person who plays alone in the second person, to others by name. */
  get headline(): string {
    const { you } = this.#table.client
    const { winners = [], losers = [] } = this.data?.verdict ?? {}
    const own = winners.includes(you) ? 'you_won' : losers.includes(you) ? 'you_lost' : ''
    if (own && this.#table.client.isAlone) return this.text(own)
    const found = this.data?.headline
    return found ? this.#say(found) : t('the_end_told')
  }

  /** Why, in a sentence; empty if the game gives no reason. */
  get reason(): string {
    const found = this.data?.verdict?.reason
    return found ? this.#say(found) : ''
  }

  /** The score, with the end of its bar: the best possible one, if it is known. */
  get score() {
    const found = this.data?.verdict?.score
    if (!found) return null
    const [par, best] = [found.par ?? undefined, found.best ?? undefined]
    return { n: found.n, par, best, most: Math.max(1, found.n, par ?? 0, best ?? 0) }
  }

  /** The cards that the verdict shows. */
  get paid() {
    return (this.data?.verdict?.paid ?? []).slice(0, PAID)
  }

  #say = ({ key, about }: WireHighlight) => this.#table.say(this.text(key), about ?? {})

  get figures() {
    return this.data?.figures ?? []
  }

  get people(): Person[] {
    const found = this.data?.people
    if (found?.length) return found.map((fate) => this.#personOf(fate))
    const here = this.#table.seats.filter((seat) => seatState(seat) !== 'free')
    return here.map(({ seat }) => this.#personOf({ seat }))
  }

  get highlights(): Highlight[] {
    return (this.data?.moments ?? []).map((one) => this.#highlightOf(one))
  }

  #highlightOf(one: WireHighlight): Highlight {
    return {
      ...one,
      title: `${one.key}.title` in this.#table.game.words.evening ? this.text(`${one.key}.title`) : '',
      text: this.text(one.key),
      card: typeof one.about?.card === 'string' ? one.about.card : null,
      who: this.#whoIn(one.about ?? {}),
    }
  }

  /** The highlights shown: the turning point, then those of a person. */
  get shown(): Highlight[] {
    const turn = this.data?.verdict?.turning_point
    const first = turn ? [{ ...this.#highlightOf(turn), title: t('turning_point'), turns: true }] : []
    const others = this.highlights.filter(({ card, who }) => !card || card !== first[0]?.card || !who)
    const [with_, without] = [others.filter(({ who }) => who), others.filter(({ who }) => !who)]
    return [...first, ...with_, ...without].slice(0, SHOWN)
  }

  get shownFigures() {
    return this.figures.slice(0, SHOWN)
  }

  #whoIn({ name, names, seat }: Record<string, unknown>): Person | null {
    const personName = name ?? (Array.isArray(names) ? names[0] : undefined)
    if (typeof seat === 'string') return this.#personOf({ seat })
    if (typeof personName !== 'string') return null
    return this.people.find((one) => one.name === personName) ?? this.#personOf({ name: personName })
  }

  #personOf({ name, seat, state = 'up', key, about }: CharacterOutcome): Person {
    const table = this.#table
    const mark = seat && table.seats.some((one) => one.seat === seat) ? table.seatMark(seat) : null
    const personName = name || (seat ? capital(table.client.nameOf(seat) || table.unnamed(seat)) : '')
    return { name: personName, state, mark, fate: key ? table.say(this.text(key), about ?? {}) : '' }
  }
}
