/** The arrow keys, as steps to the right and down. */
const WAYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * Move the focus between an element's buttons with the arrow keys, and keep it in place when cards change or can't be
 * chosen for a while. `changes` reads everything that the buttons depend on.
 */
export function arrowKeys(host: HTMLElement, changes: () => unknown) {
  const buttons = () => [...host.querySelectorAll<HTMLElement>('button')]
  let place = -1
  $effect.pre(() => {
    changes()
    const now = buttons().indexOf(document.activeElement as HTMLElement)
    if (now >= 0) place = now
  })
  $effect(() => {
    changes()
    if (place < 0) return
    const free = document.activeElement === document.body
    const there = buttons()
    if (free) there[Math.min(place, there.length - 1)]?.focus({ preventScroll: true })
    if (!free || there.length) place = -1
  })
  function typed(event: KeyboardEvent) {
    const way = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey ? undefined : WAYS[event.key]
    const from = buttons().find((button) => button === event.target)
    if (!way || !from) return
    event.preventDefault()
    nearest(from, buttons(), way)?.focus()
  }
  $effect(() => {
    host.addEventListener('keydown', typed)
    return () => host.removeEventListener('keydown', typed)
  })
}

/** Return the nearest button in one direction, preferring those straight ahead. */
function nearest(from: HTMLElement, all: HTMLElement[], [x, y]: readonly [number, number]): HTMLElement | undefined {
  const here = middleOf(from)
  const distances = all.flatMap((button) => {
    const there = middleOf(button)
    const [across, down] = [there.x - here.x, there.y - here.y]
    const ahead = across * x + down * y
    return ahead > 1 ? [{ button, far: ahead + 2 * Math.abs(across * y + down * x) }] : []
  })
  return distances.sort((one, other) => one.far - other.far)[0]?.button
}

function middleOf(element: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
