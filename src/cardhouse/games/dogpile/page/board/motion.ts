/** Animations of cards, disabled for users who prefer reduced motion. */

const MS = 200
const LEAVE_MS = 240
const STAGGER_MS = 28
/** The time by which the last card of a pack starts to leave, for any size. */
const LONGEST_MS = 600
const EASE = 'cubic-bezier(0.2, 0.7, 0.3, 1)'
const EDGEWAYS = { transform: 'perspective(600px) rotateY(92deg)' }
const FLAT = { transform: 'perspective(600px) rotateY(0)' }

export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Return an element's box if it is at least partly in view, else null. */
export function boxInSight(element: Element | null | undefined): DOMRect | null {
  const box = element?.getBoundingClientRect()
  const seen = box && box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
  return seen ? box : null
}

/** Animate an element from a box to its place, at any scale of its parent. */
export function comeFrom(element: HTMLElement, from: DOMRect, delay = 0) {
  const to = element.getBoundingClientRect()
  if (still() || !to.width) return
  const scale = to.width / element.offsetWidth
  const dx = (from.left - to.left) / scale
  const dy = (from.top - to.top) / scale
  element.animate(
    [
      { transform: `translate(${dx}px, ${dy}px) scale(${from.width / to.width})`, transformOrigin: '0 0', zIndex: 5 },
      { transform: 'none', transformOrigin: '0 0', zIndex: 5 },
    ],
    { duration: MS, easing: EASE, delay, fill: 'backwards' },
  )
}

/** Turn over cards, all at once. */
export function turnOver(faces: Iterable<HTMLElement>) {
  if (still()) return
  for (const face of faces) face.animate([EDGEWAYS, FLAT], { duration: MS, easing: EASE })
}

/** A copy of a card at its current place, for after it is gone. */
export interface Likeness {
  copy: HTMLElement
  box: DOMRect
  /** The scale at which it is drawn. */
  scale: number
}

export function likenessesOf(faces: Iterable<HTMLElement>): Likeness[] {
  if (still()) return []
  return [...faces].map((face) => {
    const box = face.getBoundingClientRect()
    const copy = face.cloneNode(true) as HTMLElement
    const scale = box.width / face.offsetWidth
    Object.assign(copy.style, {
      position: 'fixed',
      pointerEvents: 'none',
      zIndex: 20,
      left: `${box.left}px`,
      top: `${box.top}px`,
      width: `${face.offsetWidth}px`,
      transformOrigin: '0 0',
    })
    copy.style.setProperty('--zoom', String(scale))
    copy.setAttribute('aria-hidden', 'true')
    return { copy, box, scale }
  })
}

/** Move a pack to a box, one card after the other. */
export function runTo(cards: Likeness[], box: DOMRect) {
  leave(cards, ({ box: from, scale }) => ({
    transform: `translate(${box.left - from.left}px, ${box.top - from.top}px) scale(${(scale * box.width) / from.width})`,
    opacity: 1,
  }))
}

/** Toss a pack away from the middle of a box, each card in its own direction. */
export function toss(cards: Likeness[], board: DOMRect) {
  const middle = { x: board.left + board.width / 2, y: board.top + board.height / 2 }
  leave(cards, ({ box, scale }, place) => {
    const [x, y] = [box.left + box.width / 2 - middle.x, box.top + box.height / 2 - middle.y]
    const [dx, dy] = Math.abs(x) + Math.abs(y) < 1 ? [0.3, 1] : [x, y]
    const far = (board.width * 0.6) / Math.hypot(dx, dy)
    const turn = (place % 2 ? 1 : -1) * (40 + ((place * 37) % 50))
    return { transform: `translate(${dx * far}px, ${dy * far}px) rotate(${turn}deg) scale(${scale})`, opacity: 0 }
  })
}

function leave(cards: Likeness[], end: (card: Likeness, place: number) => Keyframe) {
  cards.forEach((card, place) => {
    const { copy, scale } = card
    document.body.append(copy)
    copy.animate([{ transform: `scale(${scale})`, opacity: 1 }, end(card, place)], {
      duration: LEAVE_MS,
      easing: 'ease-in',
      delay: Math.min(place * STAGGER_MS, LONGEST_MS),
      fill: 'both',
    }).onfinish = () => copy.remove()
  })
}
