/**
 * Automatic scrolling on the table screen, which nobody holds in their hands: content that doesn't fit scrolls slowly
 * down and up again, and rests at both ends. A touch, key or wheel pauses it. With reduced motion it turns pages
 * instead.
 */

/** How long it rests at an end or on a page, and how long it pauses after a touch, in milliseconds. */
const REST = 5000
const ALONE = 30_000
/** Speed in lines of ordinary text per second. */
const LINES = 1.25
/** Less overflow than this, in pixels, isn't worth scrolling. */
const SLACK = 4
/** The share of the height by which a page is turned. */
const PAGE = 0.85
const TOUCHES = ['pointerdown', 'wheel', 'keydown'] as const

/** Scroll an element automatically while its content doesn't fit. */
export function glide(element: HTMLElement, on: boolean) {
  if (!on) return
  const calm = matchMedia('(prefers-reduced-motion: reduce)')
  let down = true
  let place = 0
  /** The end of the current rest. */
  let rests = performance.now() + REST
  let last = performance.now()

  const over = () => element.scrollHeight - element.clientHeight
  const rest = (now: number) => (rests = Math.max(rests, now + REST))

  function move(now: number) {
    frame = requestAnimationFrame(move)
    const passed = now - last
    last = now
    if (now < rests) return
    if (over() <= SLACK) return void rest(now)
    if (calm.matches) return turn(now)
    // Continue from the position of a manual scroll. `scrollTop` would lose fractions of a pixel.
    if (Math.abs(place - element.scrollTop) >= 1) place = element.scrollTop
    place += (down ? 1 : -1) * speed() * (passed / 1000)
    element.scrollTop = place
    if (place <= 0 || place >= over()) {
      down = place <= 0
      place = down ? 0 : over()
      rest(now)
    }
  }

  function turn(now: number) {
    const end = element.scrollTop >= over() - SLACK
    element.scrollTop = end ? 0 : element.scrollTop + element.clientHeight * PAGE
    rest(now)
  }

  const speed = () => LINES * parseFloat(getComputedStyle(element).lineHeight)
  const touched = () => (rests = performance.now() + ALONE)

  let frame = requestAnimationFrame(move)
  for (const kind of TOUCHES) addEventListener(kind, touched, { passive: true })
  return {
    destroy() {
      cancelAnimationFrame(frame)
      for (const kind of TOUCHES) removeEventListener(kind, touched)
    },
  }
}
