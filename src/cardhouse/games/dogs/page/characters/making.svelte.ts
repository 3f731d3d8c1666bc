import type { TableContext } from '$page/client/context.svelte.ts'
import type { Answer, Offer } from '$page/api/protocol.ts'
import { tabDraft, saveTabDraft } from '$page/stores/saved.ts'
import { factsOf, GROUPS, STATS, type Group, type Kind, type Stat, type Template } from '../sheets.ts'

/** The ways to add a character. */
export const WAYS = ['template', 'written', 'roster'] as const
export type AddMethod = (typeof WAYS)[number]

/** The steps of creating a character from a template. */
export const STEPS = ['template', 'stats', 'trait', 'relationship', 'belonging', 'review'] as const
export type Step = (typeof STEPS)[number]

/** A slot for a thing on a sheet; `key` identifies it in the draft, `number` distinguishes slots with the same mark. */
export interface Slot {
  key: string
  group: Group
  mark: string
  number: number | null
}

/** A character draft. */
interface Draft {
  way: AddMethod
  step: Step
  name: string
  template: string
  stats: Record<Stat, number>
  /** Names and guns, by slot. */
  named: Record<string, string>
  guns: Record<string, boolean>
  /** The index of the list of belongings (DV-4). */
  belongings: number
  /** The marks of free belongings. */
  free: string[]
  written: string
  controller: string
  npc: boolean
}

const emptyDraft = (): Draft => ({
  way: 'template',
  step: 'template',
  name: '',
  template: '',
  stats: { acuity: 1, body: 1, heart: 1, will: 1 },
  named: {},
  guns: {},
  belongings: 0,
  free: ['-', 'o', '+'],
  written: '',
  controller: 'gm',
  npc: false,
})

/** A character draft. It survives changes of the table, closing the dialog, and reloading. */
export class CharacterDraft {
  draft: Draft
  readonly #table: TableContext
  readonly #key: string

  constructor(table: TableContext) {
    this.#table = table
    this.#key = `${table.client.you}.making`
    this.draft = $state({ ...emptyDraft(), ...tabDraft<Partial<Draft>>(table.client.table!.id, this.#key) })
  }

  save() {
    saveTabDraft(this.#table.client.table!.id, this.#key, $state.snapshot(this.draft))
  }

  /** Resets the draft for the next character. */
  clear() {
    this.draft = { ...emptyDraft(), way: this.draft.way }
  }

  get offer(): Offer | undefined {
    return this.#table.client.allOffers.find((offer) => offer.do === 'create')
  }

  get template(): Template | undefined {
    return factsOf(this.#table).templates[this.draft.template]
  }

  /** The current step; without a template it is always the first. */
  get step(): Step {
    return this.template ? this.draft.step : 'template'
  }

  /** Chooses a template; points are reset if it has fewer than were given. */
  choose(template: string) {
    this.draft.template = template
    if (this.left < 0) this.draft.stats = emptyDraft().stats
    this.draft.step = 'stats'
  }

  /** The number of points left to give. */
  get left(): number {
    return (this.template?.points ?? 0) - STATS.reduce((sum, stat) => sum + this.draft.stats[stat], 0)
  }

  /** Whether the name is taken, or too similar to another. */
  get taken(): boolean {
    return (this.offer?.fields.name?.not?.enum ?? []).includes(this.draft.name.trim())
  }

  /** Whether belongings are free (DV-4). */
  get freeBelongings(): boolean {
    return this.#table.options.free_belongings === true
  }

  /** The slots for things of a group. */
  slots(group: Group): Slot[] {
    const marks = this.#marks(group)
    return marks.map((mark, place) => {
      const alike = marks.filter((other) => other === mark).length > 1
      const number = marks.slice(0, place + 1).filter((other) => other === mark).length
      return { key: `${group}.${place}`, group, mark, number: alike ? number : null }
    })
  }

  #marks(group: Group): string[] {
    if (group !== 'belonging') return this.template?.[group] ?? []
    return this.freeBelongings ? this.draft.free : (factsOf(this.#table).belongings[this.draft.belongings] ?? [])
  }

  /** The things named so far; belongings may be fewer. */
  get things() {
    return GROUPS.flatMap((group) => this.slots(group))
      .map(({ key, group, mark }) => ({
        name: (this.draft.named[key] ?? '').trim(),
        group,
        kind: mark[0] as Kind,
        significant: mark.endsWith('*'),
        gun: group === 'belonging' && this.draft.guns[key] === true,
      }))
      .filter(({ name }) => name)
  }

  /** The player of the character, if that is to be chosen. */
  get #whose(): Answer {
    const { controller, npc } = this.draft
    if (!this.#table.client.isGm) return {}
    return { ...(controller === 'gm' ? {} : { controller }), ...(npc ? { npc } : {}) }
  }

  /** The answer that creates the character. */
  get answer(): Answer {
    const { name, template, stats, written, way } = this.draft
    const content =
      way === 'written' ? { dice: written.trim() } : { template, stats: { ...stats }, things: this.things }
    return { do: 'create', name: name.trim(), ...content, ...this.#whose }
  }
}
