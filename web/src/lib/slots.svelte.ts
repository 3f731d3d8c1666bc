import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import type { Help, Shown, View } from '$contract'
import type { GameContext, TableContext } from './context.svelte.ts'
import { said, type Brought, type SlotName } from './views.ts'

/** The places of a table's page that its game's own view fills, as long as nothing goes wrong in them. */
export class Slots {
  /** What went wrong, by the slot it happened in; the plain view is there instead. */
  failed = $state.raw<Partial<Record<SlotName, string>>>({})

  constructor(
    readonly table: TableContext,
    readonly brought: Brought<View>,
    /** Whether the view is wanted. */
    readonly wanted: () => boolean = () => true,
  ) {}

  get view(): View | null {
    return this.wanted() ? this.brought.part : null
  }

  /** The words of the offers that the view's own parts let one give: none, where a part that did so has failed. */
  get asked(): string[] {
    return Object.keys(this.failed).length ? [] : (this.view?.asked ?? [])
  }

  /** Whether the view fills a place, or leaves it empty, or the plain view has it. */
  has(name: SlotName): 'own' | 'none' | 'plain' {
    if (!this.view || this.failed[name] !== undefined) return 'plain'
    const slot = this.view[name]
    return slot ? 'own' : slot === null ? 'none' : 'plain'
  }

  own = (name: SlotName) => this.has(name) === 'own'

  /** Has an element filled by the view. */
  fill =
    (name: SlotName): Attachment<HTMLElement> =>
    (place) => {
      const slot = untrack(() => this.view?.[name])
      if (!slot) return
      const fail = (error: unknown) => this.#fail(name, error)
      return filled(place, this.table, fail, (help) => slot(place, this.table, help), this.table.changes)
    }

  #fail(name: SlotName, error: unknown) {
    if (untrack(() => this.failed[name]) !== undefined) return
    console.error(error)
    this.failed = { ...untrack(() => this.failed), [name]: said(error) }
    this.table.client.say({ t: 'view_failed', slot: name, error: said(error) })
  }
}

/** What stands in a place goes by its context, and its errors are the place's. */
interface Place {
  context: GameContext
  fail: Help['fail']
}
const places = new WeakMap<Element, Place>()

/** The place that an element stands in; null if it stands in none. */
export function placeAround(element: Element): Place | null {
  for (let here: Element | null = element; here; here = here.parentElement) {
    const found = places.get(here)
    if (found) return found
  }
  return null
}

/** Fill a place, from within an attachment, and tell it of `changes`, which reads all that it goes by; gives what empties it. */
export function filled(
  place: HTMLElement,
  context: GameContext,
  fail: Help['fail'],
  fill: (help: Help) => Shown | void,
  changes?: () => unknown,
): () => void {
  places.set(place, { context, fail })
  const tried = <Result>(act: (() => Result) | undefined): Result | undefined => {
    try {
      return untrack(() => act?.())
    } catch (error) {
      fail(error)
      return undefined
    }
  }
  const shown = tried(() => fill({ fail }))
  if (shown?.update && changes) {
    let first = true
    $effect(() => {
      changes()
      if (!first) tried(() => shown.update!())
      first = false
    })
  }
  return () => {
    tried(() => shown?.destroy?.())
    place.replaceChildren()
  }
}
