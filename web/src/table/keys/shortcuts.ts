/**
 * The keys of a table. They work with Alt, and with letters that the menus of browsers leave free: screen readers keep
 * single letters and digits for themselves, and Control with Alt types characters.
 */
import { tick } from 'svelte'
import type { TableContext } from '../../client/context.svelte.ts'
import { speech } from '../../stores/speech.svelte.ts'
import { t } from '../../i18n/menu.ts'
import { startOf } from '../focus.ts'

/** Which texts describe the keys, and what each does at a table. */
export const SHORTCUTS = {
  J: ['key_answers', () => answers()],
  G: ['key_table', () => goTo('.panes > .first > .desk, .panes > .first:not(:has(> .desk))')],
  K: ['key_tools', () => void tools()],
  R: ['key_last', (table) => speech.say(lastStep(table))],
  N: ['key_now', (table) => speech.say(now(table))],
} as const satisfies Record<string, readonly [string, (table: TableContext) => void]>

const FOLLOWING = Node.DOCUMENT_POSITION_FOLLOWING

/** A letter on a Mac is another character with Alt, and a composed one has no key at all. */
const letterOf = ({ key, code }: KeyboardEvent) => (/^[a-z]$/i.test(key) ? key : code.replace('Key', '')).toUpperCase()

/** Whether the keys belong to what is typed. */
export const typesIn = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches(':read-write, select')

/** Return what a press of a key does at a table, if it is one of the table's keys and nobody types. */
export function shortcutOf(event: KeyboardEvent): ((table: TableContext) => void) | undefined {
  const { altKey, ctrlKey, metaKey, shiftKey, target } = event
  if (event.defaultPrevented || typesIn(target) || !altKey || ctrlKey || metaKey || shiftKey) return
  return SHORTCUTS[letterOf(event) as keyof typeof SHORTCUTS]?.[1]
}

function goTo(where: string) {
  document.querySelector<HTMLElement>(where)?.focus()
}

/** Go where an answer begins; from there to the other choices, and back. Without any, to the question. */
function answers() {
  const starts = startOf(document.body)
  const here = starts.findIndex(({ part }) => part.contains(document.activeElement))
  const next = starts[(here + 1) % starts.length]
  // Once something is chosen, what sends it is more than what else could be filled in.
  const sends = next?.part.querySelector<HTMLElement>('.button.bright:not([aria-disabled=true])')
  // As long as it can't be sent, the key and Enter must not give up instead.
  const first = next?.part.querySelector<HTMLElement>('.button:not(.bot)')
  const waits = first?.ariaDisabled === 'true' && first.compareDocumentPosition(next!.control) & FOLLOWING
  if (next) (sends ?? (waits ? first : next.control)).focus()
  else goTo(document.querySelector('.now > .go') ? '.now > .go' : '.now')
}

async function tools() {
  const opener = document.querySelector<HTMLElement>('.toolbox[aria-expanded=false]')
  if (opener?.checkVisibility()) opener.click()
  await tick()
  goTo('.tools :is(button, summary):not(:disabled)')
}

const lastStep = (table: TableContext) => {
  const last = table.story.findLast((entry) => entry.events.length && !entry.undone)
  return last ? table.entryText(last) : t('story_empty')
}

function now(table: TableContext): string {
  const { text, about, mine } = table.question(table.asks)
  const said = table.say(text, about)
  return mine ? t('your_turn', { text: said }) : said
}
