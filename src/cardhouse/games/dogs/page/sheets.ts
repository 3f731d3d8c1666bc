import type { TableContext } from '$page/client/context.svelte.ts'
import type { ConflictView, DogsCharacterView, DogsView, ParticipantView, Stats, ThingView } from './wire.ts'

export type Person = DogsCharacterView
/** A character as stored in a roster. */
export type RosterSheet = Omit<Person, 'controller' | 'kept_count' | 'can_act'>
export type Stat = keyof Stats
export type Group = ThingView['group']
export type Kind = ThingView['kind']
export type Fallout = 'talking' | 'physical' | 'fighting' | 'guns'

export const STATS: Stat[] = ['acuity', 'body', 'heart', 'will']
export const GROUPS: Group[] = ['trait', 'relationship', 'belonging']
export const PILES: Fallout[] = ['talking', 'physical', 'fighting', 'guns']
/** DV-1: the most points of all Stats together. */
export const MOST_POINTS = 9
/** All marks, with regular as `o`. */
export const MARKS = ['-', '-*', 'o', 'o*', '+', '+*']

/** A template (DV-3): its points, and the marks of traits and relationships. */
export interface Template {
  points: number
  trait: string[]
  relationship: string[]
}

/** A line of a Fast NPC (DV-34): the number of cards, if any, and the marks of things. */
export type FastLine = (number | string)[]

interface Facts {
  templates: Record<string, Template>
  belongings: string[][]
  arenas: Record<Fallout, [Stat, Stat]>
  experience_from: Record<Fallout, number>
  fast: Record<string, FastLine[]>
}

/** The rules' own tables. */
export const factsOf = (table: TableContext): Facts => table.game.facts as unknown as Facts

export const townOf = (table: TableContext): DogsView => table.client.doc!.view as DogsView

/** The character with this name. */
export function personOf(table: TableContext, name: string | null): Person | undefined {
  return townOf(table).characters.find((person) => person.name === name)
}

/** The conflict being played; null once it is decided. */
export function underWay(table: TableContext): ConflictView | null {
  const { conflict } = townOf(table)
  return conflict && !conflict.winner ? conflict : null
}

export function participantOf(table: TableContext, name: string): ParticipantView | undefined {
  return underWay(table)?.participants.find((one) => one.name === name)
}

/** A thing's mark: `-`, `o` or `+`, with a star if significant. */
export const markOf = ({ kind, significant }: { kind: string; significant: boolean }): string =>
  significant ? `${kind}*` : kind

/** A mark as written after a name (DV-2): with a proper minus sign, and nothing for regular. */
export const written = (mark: string): string => mark.replace(/^o/, '').replace('-', '\u2212')

/** A mark shown alone, where regular needs a sign too. */
export const signOf = (mark: string): string => mark.replace('-', '\u2212')

/** A mark in words. */
export function spoken(table: TableContext, mark: string): string {
  const kind = table.valueName('kind', mark[0])
  return mark.endsWith('*') ? table.say(table.word('kind_significant'), { kind }) : kind
}

/** The number of cards in a Fast NPC's line. */
export const cardsOf = ([first]: FastLine): number => (typeof first === 'number' ? first : 0)

/** The marks of the things in the line. */
export const marksOf = (line: FastLine): string[] => line.filter((mark) => typeof mark === 'string')

/** The two Stats of an arena, in words. */
export const arenaStats = (table: TableContext, stats: Stat[]): string =>
  stats.map((stat) => table.valueName('stat', stat)).join(' + ')

/** The cards of a pile that count as experience (DV-26), in words. */
export function threshold(table: TableContext, pile: Fallout): string {
  const n = factsOf(table).experience_from[pile]
  return n > 10 ? table.word('from_court') : table.say(table.word('from_n'), { n })
}

/** A character's state, other than being well: condition, choices owed, absence, kept cards. */
export function stateOf(table: TableContext, person: Person): string[] {
  const owed =
    person.owed.length && person.condition === 'well'
      ? [table.say(table.word('owes_n'), { n: person.owed.length })]
      : []
  const kept = person.kept_count ? [table.say(table.word('kept_n'), { n: person.kept_count })] : []
  const ill = person.condition === 'well' ? [] : [table.word(`condition_${person.condition}`)]
  return [...ill, ...owed, ...(person.away ? [table.word('is_away')] : []), ...kept]
}

/** The button for a character whom nobody heals (DV-29): with a house rule the injured live. */
export function unhealed(table: TableContext, { name, condition }: Person): string {
  const lives = condition === 'injured' && table.options.untreated === 'long_term'
  return table.say(table.word(lives ? 'unhealed_lives' : 'unhealed_dies'), { name })
}

/** A character's player, unless it is the game master or has the same name. */
export function playerOf(table: TableContext, { name, controller }: Person): string {
  const player = table.seatName(controller)
  return controller === 'gm' || player === name ? '' : player
}
