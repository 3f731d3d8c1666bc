import { valuesOf, type TableContext } from '$page/client/context.svelte.ts'
import type { Answer, Offer } from '$page/api/protocol.ts'
import { halfDone, saveHalfDone } from '$page/stores/saved.ts'
import { PILES, townOf, type Fallout, type Person, type Stat } from './sheets.ts'

/** Two Stats that the game master names itself (DV-9). */
export const PAIRS: [Stat, Stat][] = [
  ['acuity', 'body'],
  ['heart', 'will'],
  ['acuity', 'heart'],
  ['body', 'heart'],
  ['body', 'will'],
  ['acuity', 'will'],
]
export const ARENAS = [...PILES, 'own'] as const
export type Arena = (typeof ARENAS)[number]

interface Draft {
  stakes: string
  /** Who was put on which side, the first being 0; -1 is none. */
  on: Record<string, number>
  sides: number
  arena: Arena
  pair: number
  pile: Fallout
  starter: string
  /** Demonic Influence: how many dice, and for which side. */
  dice: number
  side: number
  followUp: boolean
  spare: string[]
}

const anew = (): Draft => ({
  stakes: '',
  on: {},
  sides: 2,
  arena: 'talking',
  pair: 0,
  pile: 'talking',
  starter: '',
  dice: 0,
  side: 1,
  followUp: false,
  spare: [],
})

/** A conflict that is about to be opened. It outlives changes of the table, the closing of its dialog, and a reload. */
export class Opening {
  draft: Draft
  readonly #table: TableContext
  readonly #key: string

  constructor(table: TableContext) {
    this.#table = table
    this.#key = `${table.client.you}.opening`
    this.draft = $state({ ...anew(), ...halfDone<Partial<Draft>>(table.client.table!.id, this.#key) })
  }

  save() {
    saveHalfDone(this.#table.client.table!.id, this.#key, $state.snapshot(this.draft))
  }

  clear() {
    this.draft = anew()
  }

  get offer(): Offer | undefined {
    return this.#table.client.offers.find((offer) => offer.do === 'open_conflict')
  }

  /** Who can take part. */
  get able(): Person[] {
    const names = valuesOf(this.offer?.fields.starter)
    return townOf(this.#table).characters.filter(({ name }) => names.includes(name))
  }

  /** Who can't, for now. */
  get unable(): Person[] {
    return townOf(this.#table).characters.filter((person) => !this.able.includes(person))
  }

  /**
   * On which side somebody is. Unless it is said, in a follow-up that is the same as before; else players' characters
   * are on the first, and a single NPC on the other.
   */
  sideOf(person: Person): number {
    const said = this.draft.on[person.name]
    if (said !== undefined && said < this.draft.sides) return said
    const before = townOf(this.#table).conflict
    if (this.draft.followUp && before?.kind === 'conflict') {
      const side = before.sides.findIndex((names) => names.includes(person.name))
      return side < this.draft.sides ? side : -1
    }
    if (!person.npc) return 0
    return this.able.filter(({ npc }) => npc).length === 1 ? 1 : -1
  }

  get sides(): string[][] {
    return Array.from({ length: this.draft.sides }, (_, side) =>
      this.able.filter((person) => this.sideOf(person) === side).map(({ name }) => name),
    )
  }

  /** Everybody on a side. */
  get taking(): string[] {
    return this.sides.flat()
  }

  /** Who starts: whoever was chosen, or else the first of the first side. */
  get starter(): string {
    return this.taking.includes(this.draft.starter) ? this.draft.starter : (this.taking[0] ?? '')
  }

  /** Between two the starter goes first; of more the cards decide (DV-15). A follow-up's starter gets the prizes (DV-24). */
  get starterMatters(): boolean {
    return this.taking.length === 2 || (this.draft.followUp && townOf(this.#table).prizes.length > 0)
  }

  /** Of those on a side, whose fallout need not matter (DV-24). */
  get mayBeSpared(): string[] {
    const npcs = this.offer?.fields.spare?.items
    return this.taking.filter((name) => valuesOf(npcs).includes(name))
  }

  get answer(): Answer {
    const { stakes, arena, pair, pile, dice, side, followUp, spare } = this.draft
    const sides = this.sides.filter((names) => names.length)
    const helped = this.sides.slice(0, side).filter((names) => names.length).length
    const spared = spare.filter((name) => this.mayBeSpared.includes(name))
    return {
      do: 'open_conflict',
      stakes: stakes.trim(),
      sides,
      ...(arena === 'own' ? { stats: PAIRS[pair], pile } : { arena }),
      ...(this.starter && this.starterMatters ? { starter: this.starter } : {}),
      ...(dice ? { demonic: { dice, side: helped } } : {}),
      ...(followUp ? { follow_up: true } : {}),
      ...(spared.length ? { spare: spared } : {}),
    }
  }
}
