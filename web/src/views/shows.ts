/** Views in Svelte that are built with the page (docs/page-contract.md). */
import { mount, unmount, type Component } from 'svelte'
import type { Cards, GameTexts, Help, Judge, KeptCharacters, Minute, Shown, Slot } from '$contract'
import ErrorBoundary from './ErrorBoundary.svelte'
import Later from './Later.svelte'
import type { Game } from '../api/http.ts'
import { contextOf, type GameContext } from '../client/context.svelte.ts'

export interface CardProps {
  card?: string | null
  /** Face down. */
  turned?: boolean
  /** Icon size. */
  mini?: boolean
  /** The rule of the event that the card illustrates. */
  rule?: string | undefined
  /** The surrounding element names the card. */
  silent?: boolean
}

/** A game's own page without a table. */
export interface PageProps {
  game: Game
  goto: (path: string) => void
}

/** Return a slot that shows a component, which gets the table from `useTable`. */
export const shows =
  (Part: Component): Slot =>
  (place, table, help) =>
    mounted(place, table, help, Part)

/** Like `shows`, for a component that few seats need, and that is fetched when it is shown. */
export const showsLater =
  (load: () => Promise<{ default: Component }>): Slot =>
  (place, table, help) =>
    mounted(place, table, help, Later, { load })

/** Return a card design from a component, which gets the game from `useGame`. */
export const draws =
  (CardComponent: Component<CardProps>): Cards['face'] =>
  (place, card, game, help) =>
    mounted(place, game, help, CardComponent, { ...card, silent: true })

/** Return a page without a table from a component. */
export const opens =
  (Page: Component<PageProps>): Judge =>
  (place, page, help) =>
    mounted(place, page, help, Page, { game: page.game, goto: page.goto })

/** Return the pictures of how to play from one component, which draws the `n`th, from 1. */
export const pictures = (Part: Component<{ n: number }>, count = 6): Minute['pictures'] =>
  Array.from({ length: count }, (_, at) => (place, page, help) => mounted(place, page, help, Part, { n: at + 1 }))

/**
 * Return the summary of a character between sessions from a component, which gets the answer that recreates the
 * character.
 */
export const carries =
  (Part: Component<{ answer: any }>): NonNullable<KeptCharacters['carries']> =>
  (place, answer, page, help) =>
    mounted(place, page, help, Part, { answer })

/** Mount a component in an element, and report its errors. */
export function mounted(
  target: HTMLElement,
  texts: Pick<GameTexts, 'game'>,
  { fail }: Help,
  Part: Component<any>,
  props: object = {},
): Shown {
  // The page passes its own context objects, whose types are more precise than the contract's.
  const context = contextOf(texts as GameContext)
  const part = mount(ErrorBoundary, { target, props: { Part, props, fail }, context })
  return { destroy: () => void unmount(part) }
}
