/**
 * Card movement: each element with `data-card` flies from the card's old position to its new one. A new card comes from
 * the deck (`data-deck`) and turns over; a removed one flies back. If a table has several decks, the elements of each
 * deck have the same `data-pack`.
 */

import type { Entry } from '../api/protocol.ts'

const MS = 220
/** Milliseconds between the starts of two cards that move one after the other. */
const STEP = 320
const MOST_STEPS = 6
const EDGEWAYS = { transform: 'perspective(600px) rotateY(92deg)' }
const FLAT = { transform: 'perspective(600px) rotateY(0)' }
const EASE = 'cubic-bezier(0.2, 0.7, 0.3, 1)'

/** Return each card's delay in milliseconds, in the order in which the entries mention the cards. */
export function turnsIn(entries: Pick<Entry, 'events'>[]): Map<string, number> {
  const turns = new Map<string, number>()
  for (const { card } of entries.flatMap(({ events }) => events)) {
    if (typeof card === 'string' && !turns.has(card)) turns.set(card, STEP * Math.min(turns.size, MOST_STEPS))
  }
  return turns
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
    if (!root || still()) return
    this.#decks = decksIn(root)
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
    if (!root || !turns || still() || !this.#decks.size) return
    const decks = decksIn(root)
    /** A deck that is new or gone sends no cards and takes none. */
    const deckOf = (pack: string) => (this.#decks.has(pack) ? decks.get(pack) : undefined)
    // All are measured before any moves: each animation would make the next measurement a layout of its own.
    const cards = [...cardsIn(root)].map((element) => ({
      element,
      to: element.getBoundingClientRect(),
      zoom: element.currentCSSZoom,
    }))
    for (const { element, to, zoom } of cards) {
      const was = this.#before.get(nameOf(element))
      const deck = deckOf(packOf(element))
      this.#before.delete(nameOf(element))
      const delay = turns.get(element.dataset.card!) ?? 0
      if (was) move(element, was.box, to, delay, zoom)
      else if (deck) comeUp(element, deck, to, delay, zoom)
    }
    for (const { pack, card, box, copy } of this.#before.values()) {
      const deck = deckOf(pack)
      if (deck) goBack(root, copy, box, deck, turns.get(card) ?? 0)
    }
    this.#before.clear()
    this.#decks.clear()
  }
}

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches
const cardsIn = (root: HTMLElement) => root.querySelectorAll<HTMLElement>('[data-card]')
const packOf = (element: Element) => element.closest<HTMLElement>('[data-pack]')?.dataset.pack ?? ''
/** A card's key; the same card may be in two packs. */
const nameOf = (element: HTMLElement) => `${packOf(element)} ${element.dataset.card}`
/** The position of the first deck of each pack. */
const decksIn = (root: HTMLElement) =>
  new Map(
    [...root.querySelectorAll('[data-deck]')].reverse().map((deck) => [packOf(deck), deck.getBoundingClientRect()]),
  )

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
      { transform: onto(from, to, zoom), transformOrigin: '0 0', zIndex: 5 },
      { transform: 'none', transformOrigin: '0 0', zIndex: 5 },
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
