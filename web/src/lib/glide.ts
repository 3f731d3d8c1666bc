/**
 * A television is read by people who hold nothing in their hands: what is still too high for its place goes by, slowly,
 * down and up again, and rests at both ends. Whoever touches the screen, a key or the wheel has it to themselves for a
 * while. Where motion is reduced it turns pages instead.
 */

/** How long an end, or a page, stands; how long one who has touched something is left alone, in milliseconds. */
const REST = 5000
const ALONE = 30_000
/** How far it goes in a second, in lines of ordinary text. */
const LINES = 1.25
/** What is over by less isn't worth moving for, in pixels. */
const SLACK = 4
/** How much of a page is a new one, when pages are turned. */
const PAGE = 0.85
const TOUCHES = ['pointerdown', 'wheel', 'keydown'] as const

/** Keep what an element holds, as far as it is too high for it, going by. */
export function glide(element: HTMLElement, on: boolean) {
  if (!on) return
  const calm = matchMedia('(prefers-reduced-motion: reduce)')
  let down = true
  let place = 0
  /** Nothing moves before then. */
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
    // What others have scrolled to goes on from there; what is less than a pixel would be lost in `scrollTop`.
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
