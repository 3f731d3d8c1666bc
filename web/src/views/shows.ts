/** Views that are written in Svelte and built with the page, as the contract has them (docs/page-contract.md). */
import { mount, unmount, type Component } from 'svelte'
import type { Cards, GameTexts, Help, Judge, KeptCharacters, Minute, Shown, Slot } from '$contract'
import Guarded from './Guarded.svelte'
import type { Game } from '../api/http.ts'
import { contextOf, type GameContext } from '../client/context.svelte.ts'

export interface CardProps {
  card?: string | null
  /** It lies face down. */
  turned?: boolean
  /** As small as an icon. */
  mini?: boolean
  /** The name is said by what the card stands in. */
  silent?: boolean
}

/** A page of a game's own, at no table. */
export interface PageProps {
  game: Game
  goto: (path: string) => void
}

/** A slot that is filled by a component, which has the table by `useTable`. */
export const shows =
  (Part: Component): Slot =>
  (place, table, help) =>
    mounted(place, table, help, Part)

/** How a card is drawn, by a component that has the game by `useGame`. */
export const draws =
  (Face: Component<CardProps>): Cards['face'] =>
  (place, card, game, help) =>
    mounted(place, game, help, Face, { ...card, silent: true })

/** A page at no table that is a component. */
export const opens =
  (Page: Component<PageProps>): Judge =>
  (place, page, help) =>
    mounted(place, page, help, Page, { game: page.game, goto: page.goto })

/** Pictures of how a game is played: one component, which draws the `n`th, from 1. */
export const pictures = (Part: Component<{ n: number }>, count = 6): Minute['pictures'] =>
  Array.from({ length: count }, (_, at) => (place, page, help) => mounted(place, page, help, Part, { n: at + 1 }))

/** What a character carries along to the next session, by a component that is given the answer that brings it. */
export const carries =
  (Part: Component<{ answer: any }>): NonNullable<KeptCharacters['carries']> =>
  (place, answer, page, help) =>
    mounted(place, page, help, Part, { answer })

/** A component that fills a place, and whose errors are told. */
export function mounted(
  target: HTMLElement,
  texts: Pick<GameTexts, 'game'>,
  { fail }: Help,
  Part: Component<any>,
  props: object = {},
): Shown {
  // What the page hands out is its own context, and what is built with the page knows it better than the contract does.
  const context = contextOf(texts as GameContext)
  const part = mount(Guarded, { target, props: { Part, props, fail }, context })
  return { destroy: () => void unmount(part) }
}
