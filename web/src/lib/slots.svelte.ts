import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import type { Help, Shown, View } from '$contract'
import type { Game } from './api.ts'
import { ownHand, playedFrom, type OwnHand } from './plain.ts'
import type { Offer } from './protocol.ts'
import type { GameContext, TableContext } from './context.svelte.ts'
import { said, type Brought, type SlotName } from './views.ts'

/** The places of a table's page that its game's own view fills, as long as nothing goes wrong in them. */
export class Slots {
  /** What went wrong, by the slot it happened in; the plain view is there instead. */
  failed = $state.raw<Partial<Record<SlotName, string>>>({})
  brought = $state.raw<Brought<View>>({ part: null, problem: '' })

  constructor(
    readonly table: TableContext,
    brought: Brought<View>,
    /** Whether the view is wanted. */
    readonly wanted: () => boolean = () => true,
  ) {
    this.brought = brought
  }

  /** The game has been loaded anew, by an author who changes it: fill all places again. */
  renew(game: Game, brought: Brought<View>) {
    if (untrack(() => this.table.game === game && this.brought === brought)) return
    this.table.renew(game, brought.part?.cards)
    this.failed = {}
    this.brought = brought
  }

  get view(): View | null {
    return this.wanted() ? this.brought.part : null
  }

  /** The words of the offers that the view's own parts let one give: none, where a part that did so has failed. */
  get asked(): string[] {
    const played = this.fromHand?.do
    return played ? [...this.#asked, played] : this.#asked
  }
  get #asked(): string[] {
    return Object.keys(this.failed).length ? [] : (this.view?.asked ?? [])
  }

  /** The seat's own hand, where the plain view shows it along the bottom. */
  get plainHand(): OwnHand | null {
    const isPlain = this.has('middle') === 'plain' && this.has('hand') === 'plain'
    return isPlain && !this.table.isScreen ? ownHand(this.table.view, this.table.you) : null
  }
  /** What is answered by a card of that hand, where it is clear what. */
  get fromHand(): Offer | null {
    const hand = this.plainHand
    if (!hand || !this.table.isOpen) return null
    const open = this.table.offers.filter((offer) => !this.#asked.includes(offer.do ?? ''))
    const played = playedFrom(open, hand.cards)
    return played.length === 1 ? played[0]! : null
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
      void this.brought
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

/** What stands in a place goes by this. */
const contexts = new WeakMap<Element, GameContext>()

/** What an element goes by: the table, or the game, of the place that it stands in. */
export function contextAround(element: Element): GameContext | null {
  for (let here: Element | null = element; here; here = here.parentElement) {
    const found = contexts.get(here)
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
  contexts.set(place, context)
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
