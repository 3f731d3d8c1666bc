/** Text in a given width: what is too long is set smaller, down to the least size that can be read from a sofa. */

/** The least size in rem: on the table screen 28 of 1080 lines. */
const least = () => (document.documentElement.dataset.view === 'screen' ? 1 : 0.8125)
/** The share by which the type shrinks with each try. */
const STEP = 0.92

interface Fit {
  text: string
  /** How many lines it may have at the least size. */
  lines?: number
}

/** Shrink an element's type until its text fits its width; at the least size what doesn't fit ends in "…". */
export function fitLine(element: HTMLElement, fit: Fit) {
  let { text, lines = 1 } = fit
  function look() {
    for (const name of ['font-size', 'white-space', 'display', '-webkit-line-clamp', 'overflow', 'text-overflow'])
      element.style.removeProperty(name)
    const root = parseFloat(getComputedStyle(document.documentElement).fontSize)
    const smallest = least()
    let size = parseFloat(getComputedStyle(element).fontSize) / root
    while (size > smallest && isTooWide(element)) {
      size = Math.max(smallest, size * STEP)
      element.style.fontSize = `${size}rem`
    }
    if (!isTooWide(element)) return
    element.style.overflow = 'hidden'
    if (lines === 1) element.style.textOverflow = 'ellipsis'
    else
      Object.assign(element.style, {
        whiteSpace: 'normal',
        display: '-webkit-box',
        webkitBoxOrient: 'vertical',
        webkitLineClamp: String(lines),
      })
  }
  const resized = new ResizeObserver(look)
  look()
  void document.fonts.ready.then(() => resized.observe(element.parentElement ?? element))
  return {
    update(fit: Fit) {
      if (fit.text === text && (fit.lines ?? 1) === lines) return
      ;({ text, lines = 1 } = fit)
      look()
    },
    destroy: () => resized.disconnect(),
  }
}

const isTooWide = (element: HTMLElement) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
