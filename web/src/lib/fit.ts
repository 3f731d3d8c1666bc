/**
 * Content that doesn't fit the table screen is shown smaller, down to half its size; after that it scrolls (glide.ts).
 */

const SMALLEST = 0.5
/** In percent: integers add up exactly. */
const STEP = 5
/** A scrolling element without any of these needs the focus itself, or it can't be scrolled by keyboard. */
const CONTROLS = 'a[href], button, input, select, textarea, [tabindex]'

/** Scale an element's content, through `--fit`, until it fits its height. */
export function fit(element: HTMLElement, smallest: number | boolean) {
  let stop = keep(element, smallest)
  return {
    // A rotated device has another layout.
    update(smallest: number | boolean) {
      stop()
      stop = keep(element, smallest)
    },
    destroy: () => stop(),
  }
}

function keep(element: HTMLElement, smallest: number | boolean): () => void {
  if (!smallest) {
    element.style.removeProperty('--fit')
    element.removeAttribute('tabindex')
    return () => {}
  }
  const least = smallest === true ? SMALLEST : smallest
  const fits = (percent: number) => {
    element.style.setProperty('--fit', String(percent / 100))
    return element.scrollHeight <= element.clientHeight + 1
  }
  let percent = 100
  const look = () => {
    // Each try is a layout, and most changes need no other size than the last.
    if (fits(percent)) while (percent < 100 && fits(percent + STEP)) percent += STEP
    else while (percent - STEP >= 100 * least && !fits((percent -= STEP)));
    const scrolls = !fits(percent)
    if (scrolls && !element.querySelector(CONTROLS)) element.tabIndex = 0
    else element.removeAttribute('tabindex')
  }
  const resized = new ResizeObserver(look)
  const changed = new MutationObserver(look)
  resized.observe(element)
  changed.observe(element, { childList: true, subtree: true, characterData: true })
  return () => {
    resized.disconnect()
    changed.disconnect()
  }
}
