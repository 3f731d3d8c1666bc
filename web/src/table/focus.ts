/**
 * Keeps the keyboard's place at a table. If what has the focus goes away, the focus waits at the current question, and
 * goes on to the first control once this seat must answer. Nobody who writes or has a dialog open is disturbed.
 */

/**
 * No answer: a rule's button, which has the class of a link, a bot's move, a face that is no target, and a control that
 * can't be pressed yet.
 */
const NONE = '.back, .link, .bot, .tile:not(.aimed), [tabindex="-1"], :disabled, [aria-disabled=true]'
const CONTROLS = `:is(button, input, select, textarea, summary):not(${NONE})`
/** Where the focus waits: at the recap of a finished table, or at the current question. The first one there counts. */
const PLACES = ['.recap:has(> header)', '.now > .go', ':is(.sky, .rail) > .now, .rail > .choices']
/** Set by a view on the part in which an answer begins, if it isn't below the question. */
const FIRST = '[data-first]'
const FIELD = ':read-write'
/** Whoever has typed this recently, in milliseconds, may type on. */
const WRITING_MS = 1000

interface Table {
  /** Whether this seat must answer. */
  asked: () => boolean
  /** Called before the focus goes to a control. */
  moving: () => void
}

/** Keep the focus at a table; returns a function that stops it. */
export function keepFocus(root: HTMLElement, { asked, moving }: Table): () => void {
  const stop = new AbortController()
  /** What has the focus, or had it before it was lost. */
  let held: Element | null = null
  // On the way here from another page, the focus was lost. On a page just opened, it was nowhere.
  let lost = navigator.userActivation?.hasBeenActive ?? false
  const hovers = matchMedia('(hover: hover)').matches
  const fresh = !lost && hovers
  /** Unknown at first, if there may be a keyboard. */
  let byKey: boolean | undefined = hovers ? undefined : false
  let wrote = -Infinity
  let leaving = false
  let frame = 0

  const look = () => void (frame ||= requestAnimationFrame(check))
  const place = () => PLACES.map((where) => root.querySelector(where)).find(Boolean) ?? null
  const waits = (element: Element | null) => lost && element!.matches(String(PLACES))

  function check() {
    frame = 0
    const now = document.activeElement
    const nowhere = now === document.body
    if (!document.hasFocus() || !(nowhere || waits(now))) return
    if (nowhere && held) {
      if (isThere(held)) return focus(held) // only moved to another place in a list
      lost = true
    }
    const writes = wrote + WRITING_MS - performance.now()
    if (lost && writes > 0) setTimeout(look, writes)
    const may = !isComing(root) && (lost ? writes <= 0 && asked() : fresh && !held && root.querySelector(FIRST))
    // Without a keyboard, not in a field, which would bring one up.
    const first = may && startOf(root, byKey !== false)[0]?.control
    if (first) {
      moving()
      focus(first)
    } else if (lost && now !== place()) focus(place())
  }

  function focus(element: Element | null) {
    // A ring is for those who use keys; others would also see the page jump.
    const focusVisible = element === place() ? Boolean(byKey) : byKey
    ;(element as HTMLElement | null)?.focus({ preventScroll: true, focusVisible } as FocusOptions)
    if (element?.matches('.rail :focus-visible')) element.scrollIntoView({ block: 'nearest' })
  }

  /** A press beside everything, or Tab at the end of the page, gives the focus up. */
  function leave() {
    leaving = true
    setTimeout(() => (leaving = false))
  }

  function on<Type extends keyof DocumentEventMap>(type: Type, handle: (event: DocumentEventMap[Type]) => void) {
    document.addEventListener(type, handle, { capture: true, signal: stop.signal })
  }
  on('focusin', ({ target }) => {
    held = target as Element
    leaving = false
    // From a dialog, the focus comes back to where it waited.
    if (!held.closest('dialog')) lost = waits(held)
  })
  on('keydown', ({ key, target }) => {
    byKey = true
    if (key === 'Tab') leave()
    if (target instanceof Element && target.matches(FIELD)) wrote = key === 'Enter' ? -Infinity : performance.now()
  })
  on('pointerdown', () => (byKey = false))
  on('mousedown', leave)
  on('focusout', ({ relatedTarget }) => {
    if (relatedTarget) return
    if (!leaving) return look() // a dialog has closed
    held = document.body
    lost = false
  })

  const changes = new MutationObserver(look)
  changes.observe(document.body, { subtree: true, childList: true })
  look()
  return () => {
    stop.abort()
    changes.disconnect()
    cancelAnimationFrame(frame)
  }
}

/** A desk's cloth is still on its way. */
const isComing = (root: HTMLElement) => root.matches('.desk') && !root.querySelector('.people > *, .middle > *')
const isThere = (element: Element) => element.getClientRects().length > 0 && !element.matches(':disabled')

/** Return the first control of each part with answers, in the order in which they are given. */
export function startOf(root: HTMLElement, byKey = true): { part: Element; control: HTMLElement }[] {
  return [FIRST, '.rail > .choices'].flatMap((where) => {
    const controls = root.querySelectorAll<HTMLElement>(`${where} ${CONTROLS}, ${where}${CONTROLS}`)
    const control = [...controls].find(
      (control) =>
        isThere(control) &&
        (byKey || !control.matches(FIELD)) &&
        (where === FIRST || !control.parentElement!.closest(FIRST)),
    )
    return control ? [{ part: control.closest(where)!, control }] : []
  })
}
