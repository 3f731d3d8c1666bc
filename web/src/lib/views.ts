import type { Component } from 'svelte'
import { hints, judges, signs, views } from 'virtual:games'
import type { Game } from './api.ts'
import type { GameContext, TableContext } from './context.svelte.ts'

export interface CardProps {
  card?: string | null
  /** It lies face down. */
  turned?: boolean
  /** As small as an icon. */
  mini?: boolean
  /** The name is said by what the card stands in. */
  silent?: boolean
}

/** What there is to say of a card that is not one of an ordinary deck. */
export interface AboutCard {
  name: string
  /** What it has, in a few words. */
  has: string
  /** All that somebody may look for it by. */
  words: string[]
}

/** Cards of a game that has other decks than the ordinary one. */
export interface OwnCards {
  Face: Component<CardProps>
  about: (card: string, game: GameContext) => AboutCard | null
}

/** A game's own view: parts of the table's page. A game that has none gets the plain view. */
export interface GameView {
  /** The table itself, in the middle. */
  Middle: Component
  /** What this seat must know before all else: above what is asked. */
  First?: Component
  /** Who is there: beside the table. */
  Side?: Component
  /** What this seat holds: along the bottom of a phone. */
  Hand?: Component
  /** On a desk, what is asked stands below the table: that is where one's own hand lies there. */
  handBelow?: boolean
  /** What is asked, where the game asks it in its own way: in the choice bar, before the plain buttons. */
  Answers?: Component
  /** The words of the offers that `Answers` shows, so that the plain buttons leave them out. */
  answers?: string[]
  /** How many cards a deck of paper should hold, where the view has more than one. */
  left?: (table: TableContext, deck: string) => number
  /** What the game master may do at any time. */
  Tools?: Component
  /** Everybody's hands, for one who looks back at a game with nothing hidden. */
  OpenHands?: Component
  /** How its cards look and what they are called, where they need not be ordinary ones. */
  cards?: OwnCards
  /** A few words beside the table's name. */
  Summary?: Component
}

/** A page of a game's own, at no table. */
export interface PageProps {
  game: Game
  goto: (path: string) => void
}

/** What is to be said of a game's options before a table of so many players is made with them; empty if nothing is. */
export type Hint = (game: Game, players: number, options: Record<string, unknown>) => string

export const hintOf: Hint = (game, players, options) => (players && hints[game.name]?.(game, players, options)) || ''

/** The games for which a layout on a real table can be judged. */
export const JUDGED = Object.keys(judges)

/** The page where a layout is judged; null if the game has none. */
export async function judgeOf(game: string): Promise<Component<PageProps> | null> {
  return (await judges[game]?.())?.default ?? null
}

/** The drawing inside a game's small sign; undefined if it has none. */
export const signOf = (game: string): Component | undefined => signs[game]

/** The game's own view, fetched when its first table is opened; null if it has none. */
export async function viewOf(game: string): Promise<GameView | null> {
  return (await views[game]?.())?.default ?? null
}

/** The view of any game, made of nothing but what it sends. */
export const plainView = async (): Promise<GameView> => (await import('../parts/plain/index.ts')).default
