/** Dragging a card: a copy follows the pointer until it is released. */

const FAR_ENOUGH = 8
/** The card is held above a finger, which would hide it. */
const LIFT = 44

interface Point {
  x: number
  y: number
}

export interface Drag {
  /** The press has become a drag. */
  begin: () => void
  /** The middle of the card is here, in the window. */
  over: (at: Point) => void
  /** It is released here; null if the drag was cancelled. */
  end: (at: Point | null) => void
}

/** Follow a press on a card. A short press stays a click; a drag suppresses the click. */
export function startDrag(press: PointerEvent, element: HTMLElement, drag: Drag) {
  const from = { x: press.clientX, y: press.clientY }
  const lift = press.pointerType === 'touch' ? LIFT : 0
  let held: HTMLElement | null = null
  let middle: Point = from

  function moved(event: PointerEvent) {
    if (event.pointerId !== press.pointerId) return
    if (!held && Math.hypot(event.clientX - from.x, event.clientY - from.y) < FAR_ENOUGH) return
    if (!held) {
      held = likeness(element)
      drag.begin()
    }
    middle = { x: event.clientX, y: event.clientY - lift }
    held.style.transform = `translate(${middle.x}px, ${middle.y}px) translate(-50%, -50%)`
    drag.over(middle)
  }

  function ended(event: PointerEvent) {
    if (event.pointerId !== press.pointerId) return
    stop()
    if (!held) return
    swallowClick()
    drag.end(event.type === 'pointerup' ? middle : null)
  }

  function escaped(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !held) return
    event.preventDefault()
    stop()
    swallowClick()
    drag.end(null)
  }

  function stop() {
    held?.remove()
    removeEventListener('pointermove', moved)
    removeEventListener('pointerup', ended)
    removeEventListener('pointercancel', ended)
    removeEventListener('keydown', escaped)
  }

  addEventListener('pointermove', moved)
  addEventListener('pointerup', ended)
  addEventListener('pointercancel', ended)
  addEventListener('keydown', escaped)
}

function likeness(element: HTMLElement): HTMLElement {
  const { width } = element.getBoundingClientRect()
  const held = document.createElement('div')
  held.setAttribute('aria-hidden', 'true')
  Object.assign(held.style, {
    position: 'fixed',
    left: '0',
    top: '0',
    width: `${width * 1.06}px`,
    zIndex: '30',
    pointerEvents: 'none',
    filter: 'drop-shadow(0 8px 12px rgb(0 0 0 / 0.4))',
  })
  held.append(element.querySelector('svg')!.cloneNode(true))
  document.body.append(held)
  return held
}

/** Suppress the click that the browser may send after the release. */
function swallowClick() {
  const swallow = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
    removeEventListener('pointerdown', goOn, { capture: true })
  }
  const goOn = () => removeEventListener('click', swallow, { capture: true })
  addEventListener('click', swallow, { capture: true, once: true })
  addEventListener('pointerdown', goOn, { capture: true, once: true })
}
