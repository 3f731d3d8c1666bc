/** Highlights the control to press next, which it finds by accessible name. */
import type { LessonStep } from '../api/http.ts'
import { suitAndRank } from '../lib/cards.ts'
import type { TableContext } from '../client/context.svelte.ts'
import type { Answer, Offer } from '../api/protocol.ts'

const CONTROLS =
  'button, a, input, select, summary, label, [role="button"], [role="radio"], [role="option"], [role="gridcell"]'

/** Return a control's name: its label, or all of its text. */
function nameOf(control: Element): string {
  const label = control.getAttribute('aria-label') ?? (control as HTMLInputElement).labels?.[0]?.textContent
  const inside = [...control.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label'))
  return normalised(label ?? [control.textContent, ...inside].join(' '))
}

const normalised = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** Controls for actions come before those on the table. */
const PLACES = ['dialog, .choices, .hand, .tools', 'body']

function isPressable(control: Element): boolean {
  if (!control.getClientRects().length || control.closest('[inert], [aria-disabled="true"], .lesson, .story'))
    return false
  const open = document.querySelector('dialog:modal')
  return !open || open.contains(control)
}

/** Find a control by name: among the actions first, and by whole names before partial ones. */
function find(wanted: string, controls: readonly Element[]): Element | undefined {
  const name = normalised(wanted)
  const fits = [
    (its: string) => its === name,
    (its: string) => its.startsWith(name),
    (its: string) => its.includes(name),
  ]
  for (const place of PLACES) {
    const here = controls.filter((one) => one.closest(place))
    for (const fit of fits) {
      const found = here.find((one) => fit(nameOf(one)))
      if (found) return found
    }
  }
  return undefined
}

/** Whether a control is pressed or selected already. */
function isDone(control: Element): boolean {
  if (control.getAttribute('aria-pressed') === 'true' || control.getAttribute('aria-checked') === 'true') return true
  const input = control instanceof HTMLLabelElement ? control.control : control
  return input instanceof HTMLInputElement && (input.type === 'radio' || input.type === 'checkbox') && input.checked
}

/** Return the next control to press: that of this step or a later one, otherwise of an earlier one. */
function nextControl(way: readonly string[], step: number): Element | null {
  const controls = [...document.querySelectorAll(CONTROLS)].filter(isPressable)
  const there = (name: string) => [find(name, controls)].filter((one) => one !== undefined)
  const next = way.slice(step).flatMap(there)
  return (
    next.find((one) => !isDone(one)) ??
    way
      .slice(0, step)
      .flatMap(there)
      .findLast((one) => !isDone(one)) ??
    null
  )
}

/** Keep the next control highlighted through all changes, until the returned function is called. */
export function keepHighlighted(way: readonly string[]): () => void {
  let lit: Element | null = null
  let step = 0
  const light = (next: Element | null) => {
    if (next === lit) return
    lit?.removeAttribute('data-lit')
    next?.setAttribute('data-lit', '')
    next?.scrollIntoView({ block: 'nearest', inline: 'center' })
    lit = next
  }
  const look = () => light(nextControl(way, step))
  /** The highlighted control was pressed: go to the next one, which may not exist yet. */
  const touched = (event: Event) => {
    if (lit?.contains(event.target as Node)) step = Math.min(step + 1, way.length)
    look()
  }
  const watching = new MutationObserver(look)
  watching.observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['aria-pressed', 'aria-checked', 'aria-disabled', 'aria-label', 'open', 'hidden', 'inert'],
  })
  document.addEventListener('click', touched, true)
  document.addEventListener('change', look, true)
  look()
  return () => {
    watching.disconnect()
    document.removeEventListener('click', touched, true)
    document.removeEventListener('change', look, true)
    light(null)
  }
}

/**
 * Return the names of the controls that lead to the expected action: the author's list, or its cards and its button.
 */
export function pathTo(table: TableContext, { light = [], meant = {}, offers = [] }: LessonStep): string[] {
  if (light.length) return light
  const buttons = offers.filter((one) => one.do === meant.do).map((one) => labelOf(table, one, meant))
  return [...new Set([...cardsIn(table, meant), ...buttons, ...yesOrNo(table, meant)])].filter(Boolean)
}

const labelOf = (table: TableContext, offer: Offer, meant: Answer) =>
  table.filled(offer, meant, table.labels([offer])[0]!)

/** Return the labels of the buttons for yes-or-no answers. */
const yesOrNo = (table: TableContext, meant: Answer) =>
  Object.entries(meant).flatMap(([field, value]) => (typeof value === 'boolean' ? [table.valueName(field, value)] : []))

/** Return the names of the cards in an answer. */
function cardsIn(table: TableContext, what: unknown): string[] {
  if (typeof what === 'string') return suitAndRank(what) || table.aboutCard(what) ? [table.cardName(what)] : []
  return what && typeof what === 'object' ? Object.values(what).flatMap((one) => cardsIn(table, one)) : []
}
