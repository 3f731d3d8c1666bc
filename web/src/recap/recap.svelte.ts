/** What was worth remembering of a table that is over: fetched once for all that tell of it. */
import type { SeatMark } from '$contract'
import { t } from '../i18n/lazy.ts'
import { eveningOf, type ApiError, type RecapResponse } from '../api/http.ts'
import type { TableContext } from '../client/context.svelte.ts'
import type { PortraitState } from '../art/portraits.ts'
import { seatState } from '../lib/seats.ts'
import { capital } from '../i18n/text.ts'
import type { CharacterOutcome, Highlight as WireHighlight } from '../api/wire.ts'

/** Somebody as the recap shows them: a character, or the player in a seat. */
export interface Person {
  name: string
  state: PortraitState
  mark: SeatMark | null
  /** A few words on what became of them. */
  fate: string
}

/** A moment with the face and the card that belong to it, where there are some. */
export interface Highlight extends WireHighlight {
  title: string
  text: string
  card: string | null
  who: Person | null
}

/** So many highlights and figures have room; the others stand among all totals. */
const SHOWN = 3

const all = new WeakMap<TableContext, Told>()

/** That of a table. */
export function toldOf(table: TableContext): Told {
  const told = all.get(table) ?? new Told(table)
  all.set(table, told)
  return told
}

export class Told {
  evening = $state.raw<RecapResponse | null>(null)
  problem = $state('')
  readonly #table: TableContext
  #at = -1

  constructor(table: TableContext) {
    this.#table = table
  }

  /** Fetch it, unless that has been done since the last entry of the log. */
  async load() {
    const { client } = this.#table
    if (this.#at === client.n) return
    this.#at = client.n
    try {
      this.evening = await eveningOf(client.table!.id, client.token)
      this.problem = this.evening.problem ? t('evening_stumbled', { problem: this.evening.problem }) : ''
    } catch (error) {
      this.#at = -1
      this.problem = (error as ApiError).message || t('went_wrong')
    }
  }

  text = (key: string) => this.#table.game.words.evening[key] ?? key

  get name(): string {
    return this.#table.client.table!.name || this.#table.game.words.title
  }

  /** The day on which it is told; who looks back later isn't told when that was. */
  get day(): string {
    const { client } = this.#table
    return client.live
      ? new Date(client.now()).toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
      : ''
  }

  /** All of it in a sentence. */
  get headline(): string {
    const told = this.evening?.headline
    return told ? this.#table.say(this.text(told.key), told.about ?? {}) : t('the_end_told')
  }

  get figures() {
    return this.evening?.figures ?? []
  }

  get people(): Person[] {
    const told = this.evening?.people
    if (told?.length) return told.map((fate) => this.#personOf(fate))
    const here = this.#table.seats.filter((seat) => seatState(seat) !== 'free')
    return here.map(({ seat }) => this.#personOf({ seat }))
  }

  get highlights(): Highlight[] {
    return (this.evening?.moments ?? []).map((one) => ({
      ...one,
      title: `${one.key}.title` in this.#table.game.words.evening ? this.text(`${one.key}.title`) : '',
      text: this.text(one.key),
      card: typeof one.about?.card === 'string' ? one.about.card : null,
      who: this.#whoIn(one.about ?? {}),
    }))
  }

  /** Those that are shown: somebody's before those that are nobody's. */
  get shown(): Highlight[] {
    const [with_, without] = [this.highlights.filter(({ who }) => who), this.highlights.filter(({ who }) => !who)]
    return [...with_, ...without].slice(0, SHOWN)
  }

  get shownFigures() {
    return this.figures.slice(0, SHOWN)
  }

  #whoIn({ name, names, seat }: Record<string, unknown>): Person | null {
    const called = name ?? (Array.isArray(names) ? names[0] : undefined)
    if (typeof seat === 'string') return this.#personOf({ seat })
    if (typeof called !== 'string') return null
    return this.people.find((one) => one.name === called) ?? this.#personOf({ name: called })
  }

  #personOf({ name, seat, state = 'up', key, about }: CharacterOutcome): Person {
    const table = this.#table
    const mark = seat && table.seats.some((one) => one.seat === seat) ? table.seatMark(seat) : null
    const called = name || (seat ? capital(table.client.nameOf(seat) || table.unnamed(seat)) : '')
    return { name: called, state, mark, fate: key ? table.say(this.text(key), about ?? {}) : '' }
  }
}
