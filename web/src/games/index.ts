import type { Component } from 'svelte'
import type { TableContext } from '../lib/context.svelte.ts'

/** A game's own view: parts of the table's page. A game that has none gets the plain view. */
export interface GameView {
  /** The table itself, in the middle. */
  Middle: Component
  /** Who is there: beside the table. */
  Side?: Component
  /** What this seat holds: along the bottom of a phone. */
  Hand?: Component
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
  /** A few words beside the table's name. */
  Summary?: Component
}

const views: Record<string, () => Promise<{ default: GameView }>> = {
  gunfight: () => import('./gunfight/index.ts'),
  hackjack: () => import('./hackjack/index.ts'),
  initiative: () => import('./initiative/index.ts'),
}

/** The game's own view, fetched when its first table is opened; null if it has none. */
export async function viewOf(game: string): Promise<GameView | null> {
  return (await views[game]?.())?.default ?? null
}
