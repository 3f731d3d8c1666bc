/**
 * Cards that move: each element with `data-card` flies from where its card lay before a change to where it lies after.
 * A card that was nowhere comes out of the deck (`data-deck`) and turns over; one that is nowhere any more goes back.
 * Where a table has several decks, what belongs to one stands in elements with the same `data-pack`.
 */

import type { Entry } from '../api/protocol.ts'

const MS = 220
/** From one card's start to the next one's, where several come one after the other. */
const STEP = 320
const MOST_STEPS = 6
const EDGEWAYS = { transform: 'perspective(600px) rotateY(92deg)' }
const FLAT = { transform: 'perspective(600px) rotateY(0)' }
const EASE = 'cubic-bezier(0.2, 0.7, 0.3, 1)'

/** When each card has its turn to move, in milliseconds: in the order in which these entries tell of them. */
export function turnsIn(entries: Pick<Entry, 'events'>[]): Map<string, number> {
  const turns = new Map<string, number>()
  for (const { card } of entries.flatMap(({ events }) => events)) {
    if (typeof card === 'string' && !turns.has(card)) turns.set(card, STEP * Math.min(turns.size, MOST_STEPS))
  }
  return turns
}

interface Lying {
  pack: string
  card: string
  box: DOMRect
  copy: HTMLElement
}

export class Flight {
  #before = new Map<string, Lying>()
  #decks = new Map<string, DOMRect>()
  readonly #root: () => HTMLElement | undefined

  constructor(root: () => HTMLElement | undefined) {
    this.#root = root
  }

  /** Remember where everything lies; called while the page still shows what was. */
  look = () => {
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
   * Let everything that lies elsewhere now fly there, each card when it is its turn; called when the page shows what is.
   */
  fly = (turns: Map<string, number>) => {
    const root = this.#root()
    if (!root || still() || !this.#decks.size) return
    const decks = decksIn(root)
    /** A deck that was not there before, or is no more, sends no cards and takes none. */
    const deckOf = (pack: string) => (this.#decks.has(pack) ? decks.get(pack) : undefined)
    for (const element of cardsIn(root)) {
      const was = this.#before.get(nameOf(element))
      const deck = deckOf(packOf(element))
      this.#before.delete(nameOf(element))
      const to = element.getBoundingClientRect()
      const delay = turns.get(element.dataset.card!) ?? 0
      if (was) move(element, was.box, to, delay)
      else if (deck) comeUp(element, deck, to, delay)
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
/** A card, which may be in two packs at once. */
const nameOf = (element: HTMLElement) => `${packOf(element)} ${element.dataset.card}`
/** Where the first deck of each pack lies. */
const decksIn = (root: HTMLElement) =>
  new Map(
    [...root.querySelectorAll('[data-deck]')].reverse().map((deck) => [packOf(deck), deck.getBoundingClientRect()]),
  )

/** What brings a box of one place and size onto another, for an element that is shown so many times as large. */
function onto(from: DOMRect, to: DOMRect, zoom = 1): string {
  const scale = to.width ? from.width / to.width : 1
  return `translate(${(from.left - to.left) / zoom}px, ${(from.top - to.top) / zoom}px) scale(${scale})`
}

/** Something flies from where something else is to its own place; resolves when it is there. */
export async function flown(element: HTMLElement, from: Element): Promise<void> {
  if (still()) return
  await move(element, from.getBoundingClientRect(), element.getBoundingClientRect(), 0)?.finished.catch(() => null)
}

function move(element: HTMLElement, from: DOMRect, to: DOMRect, delay: number): Animation | undefined {
  if (Math.abs(from.left - to.left) + Math.abs(from.top - to.top) + Math.abs(from.width - to.width) < 2) return
  return element.animate(
    [
      { transform: onto(from, to, element.currentCSSZoom), transformOrigin: '0 0', zIndex: 5 },
      { transform: 'none', transformOrigin: '0 0', zIndex: 5 },
    ],
    { duration: MS, easing: EASE, delay, fill: 'backwards' },
  )
}

function comeUp(element: HTMLElement, deck: DOMRect, to: DOMRect, delay: number) {
  move(element, deck, to, delay)
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
