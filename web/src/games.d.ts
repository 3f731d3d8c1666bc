/** What the games' folders bring, by the game's name; `web/games.ts` finds it when the page is built. */
declare module 'virtual:games' {
  import type { Component } from 'svelte'
  import type { GameView, Hint, PageProps } from '$page/lib/views.ts'

  export const views: Record<string, () => Promise<{ default: GameView }>>
  export const judges: Record<string, () => Promise<{ default: Component<PageProps> }>>
  export const signs: Record<string, Component>
  export const hints: Record<string, Hint>
}
