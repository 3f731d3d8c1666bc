/**
 * Card movement: each element with `data-card` flies from the card's old position to its new one. A new card comes from
 * the deck (`data-deck`) and turns over; a removed one flies back. If a table has several decks, the elements of each
 * deck have the same `data-pack`.
 *
 * The parts of the table glide to their new places in the same time, so that nothing jumps.
 */

import type { Entry } from '../api/protocol.ts'

const MS = 220
/** Milliseconds between the starts of two cards that move one after the other. */
const STEP = 320
const MOST_STEPS = 6
const EDGEWAYS = { transform: 'perspective(600px) rotateY(92deg)' }
const FLAT = { transform: 'perspective(600px) rotateY(0)' }
/** Above the cloth, below call-outs (table/house.css). */
const ABOVE = 3
const EASE = 'cubic-bezier(0.2, 0.7, 0.3, 1)'
/** The parts of a table, outer ones first. */
const PARTS = '.lately, .hand, .first > *, .first > .middle > *, .first > .middle > * > *'

/** Return each card's delay in milliseconds, in the order in which the entries mention the cards. */
export function turnsIn(entries: Pick<Entry, 'events'>[]): Map<string, number> {
  const turns = new Map<string, number>()
  for (const { card } of entries.flatMap(({ events }) => events)) {
    if (typeof card === 'string' && !turns.has(card)) turns.set(card, STEP * Math.min(turns.size, MOST_STEPS))
  }
  return turns
}

/** A distance in pixels. */
interface Shift {
  x: number
  y: number
}

interface LyingCard {
  pack: string
  card: string
  box: DOMRect
  copy: HTMLElement
}

export class Flight {
  #before = new Map<string, LyingCard>()
  #decks = new Map<string, DOMRect>()
  #parts = new Map<HTMLElement, DOMRect>()
  #glides: Animation[] = []
  #due: Map<string, number> | null = null
  readonly #root: () => HTMLElement | undefined

  constructor(root: () => HTMLElement | undefined) {
    this.#root = root
  }

  /** Remember all positions; called before the page changes. */
  look = () => {
    this.#takeOff()
    const root = this.#root()
    this.#before.clear()
    this.#parts.clear()
    if (!root || still()) return
    this.#decks = decksIn(root)
    for (const part of partsIn(root)) this.#parts.set(part, part.getBoundingClientRect())
    for (const element of cardsIn(root)) {
      const copy = element.firstElementChild?.cloneNode(true) as HTMLElement | undefined
      const box = element.getBoundingClientRect()
      if (copy) this.#before.set(nameOf(element), { pack: packOf(element), card: element.dataset.card!, box, copy })
    }
  }

  /**
   * Animate every card from its old position, after its delay; called once the page has changed. It begins with the next
   * frame, which measures the page in any case.
   */
  fly = (turns: Map<string, number>) => {
    this.#due = turns
    requestAnimationFrame(this.#takeOff)
  }

  #takeOff = () => {
    const [root, turns] = [this.#root(), this.#due]
    this.#due = null
    if (!root || !turns || still()) return
    const decks = decksIn(root)
    /** A deck that is new or gone sends no cards and takes none. */
    const deckOf = (pack: string) => (this.#decks.has(pack) ? decks.get(pack) : undefined)
    for (const glide of this.#glides) glide.cancel()
    // All are measured before any moves: each animation would make the next measurement a layout of its own.
    const shifts = this.#shifts(root)
    const cards = [...(this.#decks.size ? cardsIn(root) : [])].map((element) => ({
      element,
      to: element.getBoundingClientRect(),
      zoom: element.currentCSSZoom,
    }))
    this.#glides = [...shifts].flatMap(([part, shift]) => {
      const around = shiftAround(shifts, part.parentElement)
      return glide(part, { x: shift.x - around.x, y: shift.y - around.y }) ?? []
    })
    for (const { element, to, zoom } of cards) {
      const was = this.#before.get(nameOf(element))
      const deck = deckOf(packOf(element))
      this.#before.delete(nameOf(element))
      const delay = turns.get(element.dataset.card!) ?? 0
      const { x, y } = shiftAround(shifts, element)
      const seen = new DOMRect(to.x + x, to.y + y, to.width, to.height)
      if (was) move(element, was.box, seen, delay, zoom)
      else if (deck) comeUp(element, deck, seen, delay, zoom)
    }
    for (const { pack, card, box, copy } of this.#before.values()) {
      const deck = deckOf(pack)
      if (deck) goBack(root, copy, box, deck, turns.get(card) ?? 0)
    }
    this.#before.clear()
    this.#parts.clear()
    this.#decks.clear()
  }

  /** Return how far each part that was there before is from its old position. */
  #shifts(root: HTMLElement): Map<HTMLElement, Shift> {
    const shifts = new Map<HTMLElement, Shift>()
    for (const part of partsIn(root)) {
      const was = this.#parts.get(part)
      const now = part.getBoundingClientRect()
      if (was?.width && now.width) shifts.set(part, { x: was.x - now.x, y: was.y - now.y })
    }
    return shifts
  }
}

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches
const cardsIn = (root: HTMLElement) => root.querySelectorAll<HTMLElement>('[data-card]')
const partsIn = (root: HTMLElement) => root.querySelectorAll<HTMLElement>(PARTS)
const packOf = (element: Element) => element.closest<HTMLElement>('[data-pack]')?.dataset.pack ?? ''
/** A card's key; the same card may be in two packs. */
const nameOf = (element: HTMLElement) => `${packOf(element)} ${element.dataset.card}`
/** The position of the first deck of each pack. */
const decksIn = (root: HTMLElement) =>
  new Map(
    [...root.querySelectorAll('[data-deck]')].reverse().map((deck) => [packOf(deck), deck.getBoundingClientRect()]),
  )

/** Return how far the innermost part around an element is from where it was. */
function shiftAround(shifts: Map<HTMLElement, Shift>, element: HTMLElement | null): Shift {
  const part = element?.closest<HTMLElement>(PARTS)
  if (!part) return { x: 0, y: 0 }
  return shifts.get(part) ?? shiftAround(shifts, part.parentElement)
}

/** Animate a part from its old position. */
function glide(part: HTMLElement, { x, y }: Shift): Animation | undefined {
  if (Math.abs(x) + Math.abs(y) < 1) return
  const zoom = part.parentElement?.currentCSSZoom ?? 1
  const from = { transform: `translate(${x / zoom}px, ${y / zoom}px)` }
  return part.animate([from, { transform: 'none' }], { duration: MS, easing: EASE })
}

/** Return the transform that moves one box onto another, for an element shown at this zoom. */
function onto(from: DOMRect, to: DOMRect, zoom = 1): string {
  const scale = to.width ? from.width / to.width : 1
  return `translate(${(from.left - to.left) / zoom}px, ${(from.top - to.top) / zoom}px) scale(${scale})`
}

/** Animate an element from another element's position to its own; resolves on arrival. */
export async function flown(element: HTMLElement, from: Element): Promise<void> {
  if (still()) return
  const to = element.getBoundingClientRect()
  await move(element, from.getBoundingClientRect(), to, 0, element.currentCSSZoom)?.finished.catch(() => null)
}

function move(element: HTMLElement, from: DOMRect, to: DOMRect, delay: number, zoom: number): Animation | undefined {
  if (Math.abs(from.left - to.left) + Math.abs(from.top - to.top) + Math.abs(from.width - to.width) < 2) return
  return element.animate(
    [
      { transform: onto(from, to, zoom), transformOrigin: '0 0', zIndex: ABOVE },
      { transform: 'none', transformOrigin: '0 0', zIndex: ABOVE },
    ],
    { duration: MS, easing: EASE, delay, fill: 'backwards' },
  )
}

function comeUp(element: HTMLElement, deck: DOMRect, to: DOMRect, delay: number, zoom: number) {
  move(element, deck, to, delay, zoom)
  element.firstElementChild?.animate([EDGEWAYS, FLAT], { duration: MS, easing: EASE, delay, fill: 'backwards' })
}

function goBack(root: HTMLElement, copy: HTMLElement, from: DOMRect, deck: DOMRect, delay: number) {
  const ghost = document.createElement('div')
  ghost.setAttribute('aria-hidden', 'true')
  Object.assign(ghost.style, {
    position: 'fixed',
    pointerEvents: 'none',
    left: `${deck.left}px`,
    top: `${deck.top}px`,
    width: `${deck.width}px`,
  })
  ghost.append(copy)
  root.append(ghost)
  copy.animate([FLAT, EDGEWAYS], { duration: MS, easing: 'ease-in', delay, fill: 'both' })
  ghost.animate(
    [
      { transform: onto(from, deck), transformOrigin: '0 0' },
      { transform: 'none', transformOrigin: '0 0' },
    ],
    { duration: MS, easing: EASE, delay, fill: 'backwards' },
  ).onfinish = () => ghost.remove()
}
