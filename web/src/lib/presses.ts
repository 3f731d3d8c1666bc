/**
 * Ignores presses on controls that changed too recently to be seen. An update from the table can put another control
 * under the finger, or give a button another meaning.
 */

/** The least time, in milliseconds, between seeing a change and deciding what to press. */
export const SETTLING_MS = 350
const CONTROLS = 'button, [role=button], input:is([type=submit], [type=button], [type=image])'
/** A control that moved by fewer pixels than this is the same one. */
const NEAR = 12
/** Set on a control while presses on it are ignored. */
const MARK = 'data-settling'
/** The log: a new entry moves hundreds of rows, so that it settles as a whole. */
const ROWS = '[data-rows]'
/** Set on the root: while an update is recent, and from an ignored press to the next that counts. */
const YOUNG = 'data-news'
const IGNORED = 'data-ignored'

interface Control {
  says: string
  box: DOMRect
}

interface Down {
  control: Element | null
  says: string
  at: number
  ignored: boolean
}

/** The start of the press being handled, by `performance.now()`; null if there was none. */
let pressStart: number | null = null
export const pressStarted = (): number | null => pressStart
/** Mark the current press as ignored. */
export const ignorePress = () => document.documentElement.setAttribute(IGNORED, '')

/** Watches all controls of the page while updates come from a table. */
export class Presses {
  /** The controls as last drawn, until a change is drawn. */
  #seen: Control[] | null = null
  #newest: Element | null = null
  #focused: Element | null = null
  readonly #settling = new Map<Element, number>()
  #changed = -Infinity
  #down: Down | null = null
  readonly #ignored: (again: boolean) => void
  readonly #counts: () => void

  /**
   * Call `ignored` for each ignored press, with whether it was a repeat in quick succession, and `counts` for each
   * other press.
   */
  constructor(ignored: (again: boolean) => void, counts: () => void) {
    this.#ignored = ignored
    this.#counts = counts
    addEventListener('pointerdown', this.#pointerDown, true)
    addEventListener('pointerup', this.#pointerUp, true)
    addEventListener('keydown', this.#keyDown, true)
    addEventListener('click', this.#click, true)
  }

  stop() {
    removeEventListener('pointerdown', this.#pointerDown, true)
    removeEventListener('pointerup', this.#pointerUp, true)
    removeEventListener('keydown', this.#keyDown, true)
    removeEventListener('click', this.#click, true)
    for (const control of this.#settling.keys()) control.removeAttribute(MARK)
    for (const name of [YOUNG, IGNORED]) document.documentElement.removeAttribute(name)
    this.#settling.clear()
  }

  /** Record the controls; called when an update arrives, before the page changes. */
  look = () => {
    this.#changed = performance.now()
    if (this.#seen) return // an earlier update has not been drawn yet, so nobody has seen it
    this.#seen = controls().map((control) => ({ says: says(control), box: control.getBoundingClientRect() }))
    this.#newest = newest()
    this.#focused = document.activeElement
    document.documentElement.setAttribute(YOUNG, '')
    requestAnimationFrame(this.#drawn)
  }

  /** Start settling each control that is new or has changed its meaning. */
  #drawn = () => {
    const seen = this.#seen
    if (!seen) return
    this.#seen = null
    const focused = document.activeElement
    const until = performance.now() + SETTLING_MS
    const startSettling = (changed: Element) => {
      this.#settling.set(changed, until)
      changed.setAttribute(MARK, '')
    }
    for (const control of controls())
      if ((control === focused && focused !== this.#focused) || !wasThere(control, seen)) startSettling(control)
    const first = newest()
    if (first && first !== this.#newest) startSettling(first.parentElement!)
    setTimeout(this.#settled, SETTLING_MS + 1)
  }

  #settled = () => {
    if (!this.#seen && performance.now() - this.#changed >= SETTLING_MS) document.documentElement.removeAttribute(YOUNG)
    for (const [control, until] of this.#settling)
      if (until <= performance.now()) {
        this.#settling.delete(control)
        control.removeAttribute(MARK)
      }
  }

  #settles(control: Element): boolean {
    this.#drawn()
    return (this.#settling.get(control.closest(ROWS) ?? control) ?? 0) > performance.now()
  }

  #pointerDown = (event: PointerEvent) => this.#begin(controlAt(event.target), event)

  /** A control that disappeared meanwhile gets no click. */
  #pointerUp = () => {
    const down = this.#down
    if (down?.control && !down.control.isConnected && this.#changed >= down.at) this.#ignored(false)
  }

  #keyDown = (event: KeyboardEvent) => {
    pressStart = event.timeStamp // a game's own keys are presses, too
    if (event.key !== 'Enter' && event.key !== ' ') return
    const control = controlAt(event.target)
    if (event.repeat && control?.matches('button, [role=button]')) {
      event.preventDefault() // a key held down would press the next control
      event.stopImmediatePropagation()
    } else this.#begin(control, event)
  }

  #begin(control: Element | null, { timeStamp }: Event) {
    pressStart = timeStamp
    const ignored = control !== null && this.#settles(control)
    this.#down = { control, says: control ? says(control) : '', at: timeStamp, ignored }
  }

  #click = (event: MouseEvent) => {
    if (!event.isTrusted) {
      pressStart = null
      return
    }
    const down = this.#down
    const control = controlAt(event.target)
    // A screen reader's press has no pointerdown or keydown.
    if (!down || event.timeStamp - down.at > 10_000) pressStart = event.timeStamp
    if (!control) return
    const sameControl = down?.control === control
    const ignored = sameControl
      ? down.ignored || (this.#changed >= down.at && says(control) !== down.says)
      : this.#settles(control)
    if (!ignored) {
      document.documentElement.removeAttribute(IGNORED)
      this.#counts()
      return
    }
    event.preventDefault()
    event.stopImmediatePropagation()
    ignorePress()
    this.#ignored(event.detail > 1)
  }
}

const controls = () =>
  [...document.querySelectorAll(CONTROLS)].filter(
    (control) => !control.closest(ROWS) && control.getClientRects().length,
  )
/** The newest row of the log. */
const newest = () => document.querySelector(ROWS)?.firstElementChild ?? null
const controlAt = (target: EventTarget | null) => (target instanceof Element ? target.closest(CONTROLS) : null)

function wasThere(control: Element, seen: readonly Control[]): boolean {
  const now = says(control)
  const { left, top, width, height } = control.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  return seen.some(
    ({ says, box }) =>
      says === now && x > box.left - NEAR && x < box.right + NEAR && y > box.top - NEAR && y < box.bottom + NEAR,
  )
}

/** Describe a control's meaning: its name, card, row and section. */
function says(control: Element): string {
  const row = control.closest('li, tr, [role=listitem], [role=row]')
  const names = row && [...row.querySelectorAll('bdi')].map((name) => name.textContent).join(' ')
  const part = control.closest('form[aria-label], section[aria-label], fieldset, dialog')
  return [nameOf(control), control.getAttribute('data-card'), row && (names || nameOf(row)), part?.ariaLabel].join('\n')
}

/** Return what a control is called. */
export function nameOf(control: Element): string {
  if (control.ariaLabel) return control.ariaLabel
  if (control instanceof HTMLInputElement) return control.value
  if (!control.querySelector('[aria-hidden=true]')) return control.textContent
  return [...control.childNodes].map((node) => (node instanceof Element ? spoken(node) : node.textContent)).join('')
}

const spoken = (element: Element): string => (element.ariaHidden === 'true' ? '' : nameOf(element))
