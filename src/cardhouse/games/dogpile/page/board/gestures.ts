/** Moving the board with the pointer: a drag pans; two fingers or the wheel zoom. */
import type { Sight } from './sight.svelte.ts'

const FAR_ENOUGH = 6
const WHEEL = 0.0016

interface Point {
  x: number
  y: number
}

const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const apart = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y) || 1

/** Make an element movable, except for presses that `isTaken` claims. A movement suppresses the click. */
export function gestures(sight: Sight, isTaken: (event: PointerEvent) => boolean) {
  return (board: HTMLElement) => {
    const down = new Map<number, Point>()
    let moved = false

    const fromMiddle = ({ x, y }: Point): Point => {
      const box = board.getBoundingClientRect()
      return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 }
    }

    function pressed(event: PointerEvent) {
      if (event.button !== 0 || (!down.size && isTaken(event))) return
      if (!down.size) moved = false
      if (down.size < 2) down.set(event.pointerId, { x: event.clientX, y: event.clientY })
    }

    function dragged(event: PointerEvent) {
      const before = down.get(event.pointerId)
      if (!before) return
      const now = { x: event.clientX, y: event.clientY }
      const [other] = [...down].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]))
      if (!moved && !other && apart(before, now) < FAR_ENOUGH) return
      if (!moved) board.setPointerCapture(event.pointerId)
      moved = true
      down.set(event.pointerId, now)
      const [was, is] = other ? [between(before, other), between(now, other)] : [before, now]
      sight.panBy(is.x - was.x, is.y - was.y)
      if (other) sight.zoomBy(apart(now, other) / apart(before, other), fromMiddle(is))
    }

    const released = (event: PointerEvent) => down.delete(event.pointerId)

    function clicked(event: MouseEvent) {
      if (!moved || !event.detail) return
      moved = false
      event.stopPropagation()
      event.preventDefault()
    }

    function turned(event: WheelEvent) {
      event.preventDefault()
      const steps = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
      sight.zoomBy(Math.exp(-event.deltaY * steps * WHEEL), fromMiddle({ x: event.clientX, y: event.clientY }))
    }

    const listening = new AbortController()
    const { signal } = listening
    board.addEventListener('pointerdown', pressed, { signal })
    board.addEventListener('pointermove', dragged, { signal })
    board.addEventListener('pointerup', released, { signal })
    board.addEventListener('pointercancel', released, { signal })
    board.addEventListener('click', clicked, { signal, capture: true })
    board.addEventListener('wheel', turned, { signal, passive: false })
    return () => listening.abort()
  }
}
