/** How the buttons of an element are gone about by keyboard. */
const WAYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * The arrow keys go from button to button, and whoever has the focus on one keeps it where it was, though another card
 * lies there or none can be chosen for a while. To be called by a part whose buttons `changes` reads all about.
 */
export function goneAboutByKeys(host: HTMLElement, changes: () => unknown) {
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

/** The one that lies nearest in one direction, rather straight ahead than aside. */
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
