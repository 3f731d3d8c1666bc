import { pathOf, requestJson } from './http.ts'

export interface Rule {
  title: string
  text: string
  /** Cardhouse's decision where the source is silent. */
  ruling?: string | null
  /** How an option changes the rule. */
  option?: string | null
}

/** A value that can be chosen without a file. */
export interface Ready {
  name: string
  text?: string
}

/** What only some dialogs need of a game: its rules by id, and the ready values of its options by option and name. */
export interface GameDetails {
  rules: Record<string, Rule>
  ready: Record<string, Record<string, Ready>>
}

export const gameDetails = (game: string) => requestJson<GameDetails>(pathOf('games', game, 'details'))
