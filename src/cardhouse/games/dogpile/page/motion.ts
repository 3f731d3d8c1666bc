/** Cards that go somewhere. Nothing moves for those who would rather not see it. */

const MS = 200
const LEAVE_MS = 240
const STAGGER_MS = 28
/** However large the pack: its last card leaves so soon. */
const LONGEST_MS = 600
const EASE = 'cubic-bezier(0.2, 0.7, 0.3, 1)'
const EDGEWAYS = { transform: 'perspective(600px) rotateY(92deg)' }
const FLAT = { transform: 'perspective(600px) rotateY(0)' }

export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Whether something is on the page and in sight, at least in part. */
export function boxInSight(element: Element | null | undefined): DOMRect | null {
  const box = element?.getBoundingClientRect()
  const seen = box && box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
  return seen ? box : null
}

/** An element comes from where a box is to where it lies, whatever the scale of what it lies in. */
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

/** Cards turn over, all at once. */
export function turnOver(faces: Iterable<HTMLElement>) {
  if (still()) return
  for (const face of faces) face.animate([EDGEWAYS, FLAT], { duration: MS, easing: EASE })
}

/** Likenesses of cards, where they lie now, for when they lie there no more. */
export interface Likeness {
  copy: HTMLElement
  box: DOMRect
  /** How large it is drawn, 1 for its own size. */
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

/** A pack runs to where a box is, one card after the other. */
export function runTo(cards: Likeness[], box: DOMRect) {
  leave(cards, ({ box: from, scale }) => ({
    transform: `translate(${box.left - from.left}px, ${box.top - from.top}px) scale(${(scale * box.width) / from.width})`,
    opacity: 1,
  }))
}

/** A pack is tossed away from the middle of a box, each card in its own direction. */
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
