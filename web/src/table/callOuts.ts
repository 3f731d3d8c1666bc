/** Call-outs: events shown over the whole table for a moment, in order, one's own first. */
import type { Entry, MomentWords, StoryEvent } from '$contract'
import { blanks } from '../i18n/text.ts'

export interface CallOut {
  card: string | null
  rule: string
  title: string
  text: string
  tone: MomentWords['tone']
  /** It happens to this seat. */
  own: boolean
}

/** A call-out's context: the game's texts, and this seat's view. */
export interface CallOutContext {
  readonly game: { readonly words: { readonly moments: Readonly<Record<string, MomentWords>> } }
  readonly view: unknown
  readonly you: string
  say(text: string, about?: Record<string, unknown>): string
}

/** The duration of each, in milliseconds; longer on the table screen, which is read from afar. */
export const HOLD = 2600
export const HOLD_SCREEN = 4000

const GM = 'gm'
/** Fields of events have lower case. */
const A_CARD = /^[A-Z]/
/** The most call-outs for simultaneous events: the last ones. */
const MOST = 4

/** Return the call-outs for these entries, without undone ones. */
export function callOutsOf(entries: readonly Entry[], table: CallOutContext): CallOut[] {
  const found = entries.filter((entry) => !entry.undo && !entry.undone).flatMap((entry) => callOutsIn(entry, table))
  return [...found.filter(({ own }) => own), ...found.filter(({ own }) => !own).slice(-MOST)].slice(0, MOST)
}

function callOutsIn(entry: Entry, table: CallOutContext): CallOut[] {
  let about: Record<string, unknown> = {}
  return entry.events.flatMap((event) => {
    about = isOfAnother(event, about) ? { ...event } : { ...about, ...event }
    const words = table.game.words.moments[event.key]
    return words ? [callOutOf(words, event, about, table)] : []
  })
}

const isOfAnother = (event: StoryEvent, about: Record<string, unknown>) =>
  'name' in event && 'name' in about && event.name !== about.name

function callOutOf(
  words: MomentWords,
  event: StoryEvent,
  about: Record<string, unknown>,
  table: CallOutContext,
): CallOut {
  const own = happensTo(table.you, event, table.view)
  const card = A_CARD.test(words.card) ? words.card : about[words.card]
  return {
    card: typeof card === 'string' ? card : null,
    rule: event.rule,
    title: table.say(own && words.you ? words.you : words.title, event),
    text: blanks(words.text).every((blank) => blank in about) ? table.say(words.text, about) : '',
    tone: words.tone,
    own,
  }
}

/** Whether an event happens to a seat: it names the seat, or the only character of its player. */
function happensTo(you: string, event: StoryEvent, view: unknown): boolean {
  if (event.seat === you) return true
  if (you === GM) return false
  const mine = charactersIn(view).filter(({ controller }) => controller === you)
  return mine.length === 1 && mine[0]!.name === event.name
}

interface Character {
  name: unknown
  controller: unknown
}

/** Return the objects with a name and a controller from all lists in a view and in its parts. */
function charactersIn(view: unknown, deeper = true): Character[] {
  if (typeof view !== 'object' || view === null) return []
  return Object.values(view).flatMap((value) => {
    if (Array.isArray(value)) return value.filter(isCharacter)
    return deeper ? charactersIn(value, false) : []
  })
}

const isCharacter = (one: unknown): one is Character =>
  typeof one === 'object' && one !== null && 'name' in one && 'controller' in one
