import { lookUp } from '$page/lib/lookUp.ts'
import { valuesOf, type TableContext } from '$page/client/context.svelte.ts'
import type { Answer, Offer } from '$page/api/protocol.ts'
import { tabDraft, saveTabDraft } from '$page/stores/saved.ts'
import { PILES, townOf, type Fallout, type Person, type Stat } from '../sheets.ts'

/** The pairs of Stats that the game master may name (DV-9). */
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
  /** The side of each character, 0 the first; -1 is none. */
  on: Record<string, number>
  sides: number
  arena: Arena
  pair: number
  pile: Fallout
  starter: string
  /** Demonic Influence: its dice, and the side it strengthens. */
  dice: number
  side: number
  followUp: boolean
  spare: string[]
}

const emptyDraft = (): Draft => ({
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

/** A draft of a conflict to open. It survives changes of the table, closing the dialog, and reloading. */
export class Opening {
  draft: Draft
  readonly #table: TableContext
  readonly #key: string

  constructor(table: TableContext) {
    this.#table = table
    this.#key = `${table.client.you}.opening`
    this.draft = $state({ ...emptyDraft(), ...tabDraft<Partial<Draft>>(table.client.table!.id, this.#key) })
  }

  save() {
    saveTabDraft(this.#table.client.table!.id, this.#key, $state.snapshot(this.draft))
  }

  clear() {
    this.draft = emptyDraft()
  }

  get offer(): Offer | undefined {
    return this.#table.client.offers.find((offer) => offer.do === 'open_conflict')
  }

  /** Characters who can take part. */
  get able(): Person[] {
    const names = valuesOf(this.offer?.fields.starter)
    return townOf(this.#table).characters.filter(({ name }) => names.includes(name))
  }

  /** Characters who can't take part now. */
  get unable(): Person[] {
    return townOf(this.#table).characters.filter((person) => !this.able.includes(person))
  }

  /**
   * A character's side. By default, a follow-up repeats the sides before; otherwise players' characters are on the
   * first, and a single NPC is on the other.
   */
  sideOf(person: Person): number {
    const chosen = lookUp(this.draft.on, person.name)
    if (chosen !== undefined && chosen < this.draft.sides) return chosen
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

  /** All characters on a side. */
  get taking(): string[] {
    return this.sides.flat()
  }

  /** The starter: the chosen one, or the first of the first side. */
  get starter(): string {
    return this.taking.includes(this.draft.starter) ? this.draft.starter : (this.taking[0] ?? '')
  }

  /**
   * Between two the starter goes first; with more the cards decide (DV-15). A follow-up's starter gets the prizes
   * (DV-24).
   */
  get starterMatters(): boolean {
    return this.taking.length === 2 || (this.draft.followUp && townOf(this.#table).prizes.length > 0)
  }

  /** The NPCs taking part, whose fallout may be ignored (DV-24). */
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
