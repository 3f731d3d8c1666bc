/** What games bring for the page: fetched from where the server says it is (docs/page-contract.md). */
import type { HowWePlay, Judge, KeptCharacters, Minute, Slot, View } from '$contract'
import { t } from '../i18n/index.ts'
import type { Game, GamePage, Module } from '../api/http.ts'
import { at } from '../lib/base.ts'

/** The version of the contract that this page keeps to. */
export const CONTRACT = 1

/** The parts of a view that fill a place. */
export type SlotName = { [Key in keyof View]-?: NonNullable<View[Key]> extends Slot ? Key : never }[keyof View]

/** What a game brings, or why that can't be had; neither if it brings nothing. */
export interface Brought<Part> {
  part: Part | null
  problem: string
}

const NOTHING = { part: null, problem: '' }

/** The game's own view of its table. */
export async function viewOf(game: Game): Promise<Brought<View>> {
  const brought = await bring<View>(game, 'view', (view) => view.contract === CONTRACT)
  if (brought.part && brought.part.elements !== false) await import('../elements/index.ts')
  return brought
}

/** Take off the page what a view was drawn with, but for what another is drawn with too. */
export function leave(was: GamePage, now: GamePage) {
  for (const path of was.view?.styles ?? [])
    if (!now.view?.styles?.includes(path)) document.head.querySelector(`link[href="${CSS.escape(at(path))}"]`)?.remove()
}

/** What the game adds to *How we play*. */
export const howWePlay = (game: Game) => bring<HowWePlay>(game, 'options', (how) => how.contract === CONTRACT)

/** The pictures of how the game is played. */
export const minuteOf = (game: Game) => bring<Minute>(game, 'minute', (minute) => minute.contract === CONTRACT)

/** How the game tells of characters between two sessions. */
export const charactersOf = (game: Game) =>
  bring<KeptCharacters>(game, 'characters', (kept) => kept.contract === CONTRACT)

/** The page where a layout is judged. */
export const judgeOf = (game: Game) => bring<Judge>(game, 'judge', (judge) => typeof judge === 'function')

async function bring<Part>(
  game: Game,
  kind: Exclude<keyof GamePage, 'world'>,
  fits: (part: Part) => boolean,
): Promise<Brought<Part>> {
  const where = game.page[kind]
  if (!where) return NOTHING
  try {
    const [{ default: part }] = await Promise.all([load<Part>(where), ...(where.styles ?? []).map(styled)])
    if (part && fits(part)) return { part, problem: '' }
    return { part: null, problem: t('view_not_fit', { file: where.module, n: CONTRACT }) }
  } catch (error) {
    return { part: null, problem: said(error) }
  }
}

function load<Part>({ module, preload = [] }: Module): Promise<{ default?: Part }> {
  for (const path of preload) link('modulepreload', at(path))
  return import(/* @vite-ignore */ at(module)) as Promise<{ default?: Part }>
}

/** Have a style sheet on the page; resolves when it is, or can't be. */
function styled(path: string): Promise<void> {
  const there = link('stylesheet', at(path))
  return there ? new Promise((done) => (there.onload = there.onerror = () => done())) : Promise.resolve()
}

/** Add a link to the page's head; null if it is there. */
function link(rel: string, href: string): HTMLLinkElement | null {
  if (document.head.querySelector(`link[href="${CSS.escape(href)}"]`)) return null
  const element = Object.assign(document.createElement('link'), { rel, href })
  document.head.append(element)
  return element
}

/** What went wrong, in a line. */
export const said = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 300)

/** The view of any game, made of nothing but what it sends. */
export const plainView = async (): Promise<View> => (await import('../basicView/index.ts')).default
