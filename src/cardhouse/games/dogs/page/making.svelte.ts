import type { TableContext } from '$page/client/context.svelte.ts'
import type { Answer, Offer } from '$page/api/protocol.ts'
import { halfDone, saveHalfDone } from '$page/stores/saved.ts'
import { factsOf, GROUPS, STATS, type Group, type Kind, type Stat, type Template } from './sheets.ts'

/** How somebody comes to the table. */
export const WAYS = ['template', 'written', 'roster'] as const
export type Way = (typeof WAYS)[number]

/** What is said one after the other of somebody who is made by a template. */
export const STEPS = ['template', 'stats', 'trait', 'relationship', 'belonging', 'review'] as const
export type Step = (typeof STEPS)[number]

/** A place for a thing on a sheet; `key` is what it is remembered by, `number` tells those with one mark apart. */
export interface Slot {
  key: string
  group: Group
  mark: string
  number: number | null
}

/** All that somebody has said so far of a character in the making. */
interface Draft {
  way: Way
  step: Step
  name: string
  template: string
  stats: Record<Stat, number>
  /** What was written, and what is a gun, by slot. */
  named: Record<string, string>
  guns: Record<string, boolean>
  /** Which of the lists of belongings (DV-4). */
  belongings: number
  /** The marks of belongings where one may have whatever one likes. */
  free: string[]
  written: string
  controller: string
  npc: boolean
}

const anew = (): Draft => ({
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

/** A character in the making. It outlives changes of the table, the closing of its dialog, and a reload. */
export class InTheMaking {
  draft: Draft
  readonly #table: TableContext
  readonly #key: string

  constructor(table: TableContext) {
    this.#table = table
    this.#key = `${table.client.you}.making`
    this.draft = $state({ ...anew(), ...halfDone<Partial<Draft>>(table.client.table!.id, this.#key) })
  }

  save() {
    saveHalfDone(this.#table.client.table!.id, this.#key, $state.snapshot(this.draft))
  }

  /** Ready for the next one. */
  clear() {
    this.draft = { ...anew(), way: this.draft.way }
  }

  get offer(): Offer | undefined {
    return this.#table.client.allOffers.find((offer) => offer.do === 'create')
  }

  get template(): Template | undefined {
    return factsOf(this.#table).templates[this.draft.template]
  }

  /** Where one is: nothing else can be said before a template is chosen. */
  get step(): Step {
    return this.template ? this.draft.step : 'template'
  }

  /** A template is chosen; points that were given for one with more of them are taken back. */
  choose(template: string) {
    this.draft.template = template
    if (this.left < 0) this.draft.stats = anew().stats
    this.draft.step = 'stats'
  }

  /** How many points have not been given yet. */
  get left(): number {
    return (this.template?.points ?? 0) - STATS.reduce((sum, stat) => sum + this.draft.stats[stat], 0)
  }

  /** Whether somebody of this name, or one like it, is here. */
  get taken(): boolean {
    return (this.offer?.fields.name?.not?.enum ?? []).includes(this.draft.name.trim())
  }

  /** Whether belongings may be whatever one likes (DV-4). */
  get freeBelongings(): boolean {
    return this.#table.options.free_belongings === true
  }

  /** The places there are for things of a group. */
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

  /** What has been named so far; of belongings one may have less. */
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

  /** Who plays it, where that is to be said. */
  get #whose(): Answer {
    const { controller, npc } = this.draft
    if (!this.#table.client.isGm) return {}
    return { ...(controller === 'gm' ? {} : { controller }), ...(npc ? { npc } : {}) }
  }

  /** The answer that makes it. */
  get answer(): Answer {
    const { name, template, stats, written, way } = this.draft
    const said = way === 'written' ? { dice: written.trim() } : { template, stats: { ...stats }, things: this.things }
    return { do: 'create', name: name.trim(), ...said, ...this.#whose }
  }
}
