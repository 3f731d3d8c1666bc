import type { Component } from 'svelte'

/** A game's own view: parts of the table's page. A game that has none gets the plain view. */
export interface GameView {
  /** The table itself, in the middle. */
  Middle: Component
  /** Who is there: beside the table. */
  Side?: Component
  /** What this seat holds: along the bottom of a phone. */
  Hand?: Component
  /** What the game master may do at any time. */
  Tools?: Component
  /** A few words beside the table's name. */
  Summary?: Component
}

const views: Record<string, () => Promise<{ default: GameView }>> = {
  initiative: () => import('./initiative/index.ts'),
}

/** The game's own view, fetched when its first table is opened; null if it has none. */
export async function viewOf(game: string): Promise<GameView | null> {
  return (await views[game]?.())?.default ?? null
}
