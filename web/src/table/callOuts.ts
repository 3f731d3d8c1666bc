/** Call-outs: events shown over the whole table for a moment, in order, one's own first. */
import type { Entry, MomentWords, StoryEvent } from '$contract'
import { blanks } from '../i18n/text.ts'

export interface CallOut {
  /** One card, or the two that it is about. */
  cards: string[]
  /** The rule of the event that has them. */
  rule: string
  /** The character, and how its portrait shows it; null for an event of the whole table. */
  face: { name: string; state: 'up' | 'down' | 'dead'; mood?: MomentWords['mood'] } | null
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
const MOST_CARDS = 2

/** Return the call-outs for these entries, without undone ones. */
export function callOutsOf(entries: readonly Entry[], table: CallOutContext): CallOut[] {
  const found = entries.filter((entry) => !entry.undo && !entry.undone).flatMap((entry) => callOutsIn(entry, table))
  return [...found.filter(({ own }) => own), ...found.filter(({ own }) => !own).slice(-MOST)].slice(0, MOST)
}

function callOutsIn(entry: Entry, table: CallOutContext): CallOut[] {
  let about: Record<string, unknown> = {}
  return entry.events.flatMap((event, at) => {
    about = isOfAnother(event, about) ? { ...event } : { ...about, ...event }
    const words = momentOf(table.game.words.moments, event)
    return words ? [callOutOf(words, event, { about, later: entry.events.slice(at + 1) }, table)] : []
  })
}

/** The call-out of an event, if it has one: that for one of its values before that for its key. */
export function momentOf(moments: CallOutContext['game']['words']['moments'], event: StoryEvent) {
  const keys = Object.values(event).map((value) => `${event.key}.${String(value)}`)
  return moments[keys.find((key) => key in moments) ?? event.key]
}

const isOfAnother = (event: StoryEvent, about: Record<string, unknown>) =>
  'name' in event && 'name' in about && event.name !== about.name

function callOutOf(
  words: MomentWords,
  event: StoryEvent,
  { about, later }: { about: Record<string, unknown>; later: readonly StoryEvent[] },
  table: CallOutContext,
): CallOut {
  const own = happensTo(table.you, event, table.view)
  /** The card may be drawn only after the event: the wound of one who goes down. */
  const drawn = words.card in about ? undefined : later.find((one) => one.name === event.name && words.card in one)
  const found = A_CARD.test(words.card) ? words.card : (drawn ?? about)[words.card]
  const face = faceOf(event.name, table.view)
  return {
    cards: (Array.isArray(found) ? found : [found]).filter((card) => typeof card === 'string').slice(0, MOST_CARDS),
    rule: (drawn ?? event).rule,
    face: face && words.mood ? { ...face, mood: words.mood } : face,
    title: table.say(own && words.you ? words.you : words.title, event),
    text: blanks(words.text).every((blank) => blank in about) ? table.say(words.text, about) : '',
    tone: words.tone,
    own,
  }
}

/** A character of the view, as its portrait shows it; null if there is none of this name. */
export function faceOf(name: unknown, view: unknown): CallOut['face'] {
  const one = charactersIn(view).findLast((character) => character.name === name)
  if (!one) return null
  return { name: String(name), state: one.alive === false ? 'dead' : one.down === true ? 'down' : 'up' }
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
  alive?: unknown
  down?: unknown
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
