import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import type { Help, Shown, Slot, View } from '$contract'
import type { Game } from '../api/http.ts'
import type { GameContext, TableContext } from '../client/context.svelte.ts'
import { basicView, errorText, type LoadedPart, type SlotName } from './views.ts'

/** The slots that the basic view can fill. */
const BASIC_SLOTS: SlotName[] = ['middle', 'hand', 'tools', 'summary']

/**
 * The slots of a table's page. The game's view fills them, or the basic view if the game's has no such slot or fails.
 */
export class Slots {
  loaded = $state.raw<LoadedPart<View>>({ part: null, problem: '' })
  /** The errors by slot. */
  problems = $state.raw<Partial<Record<SlotName, string>>>({})
  #basic = $state.raw<View | null>(null)
  #failed = $state.raw<ReadonlySet<Slot>>(new Set())
  readonly #filling = new Map<Slot, Attachment<HTMLElement>>()

  constructor(
    readonly table: TableContext,
    brought: LoadedPart<View>,
  ) {
    this.loaded = brought
  }

  /** The author changed the game's files: fill all slots again. */
  renew(game: Game, brought: LoadedPart<View>) {
    if (untrack(() => this.table.game === game && this.loaded === brought)) return
    this.table.renew(game, brought.part?.cards)
    this.problems = {}
    this.#failed = new Set()
    this.#filling.clear()
    this.loaded = brought
  }

  /** The game's own view, unless the basic view is on. */
  get view(): View | null {
    return this.table.basicView ? null : this.loaded.part
  }

  /** The actions that the view offers in its own controls; none after an error in a slot, which may have had them. */
  get asked(): string[] {
    return this.#failed.size ? [] : (this.view?.asked ?? [])
  }

  /** Fetch the basic view if it has a slot to fill. */
  loadBasicView() {
    const places = this.table.asks.kind === 'over' ? [...BASIC_SLOTS, 'end' as const] : BASIC_SLOTS
    const needed = places.some((name) => this.#ownSlot(name) === undefined)
    if (needed && !this.#basic) void basicView().then((view) => (this.#basic = view))
  }

  /** Whether the game's own view fills a slot or leaves it empty. */
  isOwn = (name: SlotName): boolean => this.#ownSlot(name) !== undefined

  /** Return what one of the view's functions says of the table; undefined without it, or if it fails. */
  told<Told>(of: (view: View) => ((table: TableContext) => Told) | undefined): Told | undefined {
    try {
      return this.view ? of(this.view)?.(this.table) : undefined
    } catch (error) {
      console.error(error)
      return undefined
    }
  }

  has = (name: SlotName): boolean => Boolean(this.#slot(name))

  /** Return an attachment that fills an element until another function fills the slot. */
  fill(name: SlotName): Attachment<HTMLElement> | undefined {
    const slot = this.#slot(name)
    if (!slot) return undefined
    const filling = this.#filling.get(slot) ?? this.#filler(name, slot)
    this.#filling.set(slot, filling)
    return filling
  }

  #filler(name: SlotName, slot: Slot): Attachment<HTMLElement> {
    const fail = (error: unknown) => this.#fail(name, slot, error)
    return (place) => filled(place, this.table, fail, (help) => slot(place, this.table, help), this.table.changes)
  }

  /** A table that can't be replayed has no state to show. */
  #slot(name: SlotName): Slot | null | undefined {
    if (this.table.client.doc?.view === null) return null
    const own = this.#ownSlot(name)
    return own === undefined ? this.#standing(this.#basic?.[name]) : own
  }

  #ownSlot = (name: SlotName) => this.#standing(this.view?.[name])

  #standing(slot: Slot | null | undefined): Slot | null | undefined {
    return slot && this.#failed.has(slot) ? undefined : slot
  }

  #fail(name: SlotName, slot: Slot, error: unknown) {
    if (untrack(() => this.#failed.has(slot))) return
    console.error(error)
    this.#failed = new Set([...untrack(() => this.#failed), slot])
    this.problems = { ...untrack(() => this.problems), [name]: errorText(error) }
    this.table.client.send({ t: 'view_failed', slot: name, error: errorText(error) })
  }
}

/** The context of a slot's content, and the handler of its errors. */
interface Place {
  context: GameContext
  fail: Help['fail']
}
const places = new WeakMap<Element, Place>()

/** Return the slot around an element; null if there is none. */
export function placeAround(element: Element): Place | null {
  for (let here: Element | null = element; here; here = here.parentElement) {
    const found = places.get(here)
    if (found) return found
  }
  return null
}

/**
 * Fill an element with a slot's content, from within an attachment. Call its `update` whenever a value read by
 * `changes` changes. Return a function that removes the content.
 */
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
