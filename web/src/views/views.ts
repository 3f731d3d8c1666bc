/** The modules that games bring for the page (docs/page-contract.md). */
import type { HowWePlay, Judge, KeptCharacters, Minute, Slot, View } from '$contract'
import { t } from '../i18n/index.ts'
import { prepareGame, type Game, type GamePage, type Module } from '../api/http.ts'
import { at } from '../lib/base.ts'
import { lazyImport } from '../stores/lazyImport.svelte.ts'

/** The supported version of the contract. */
export const CONTRACT = 1

/** The parts of a view that are slots. */
export type SlotName = { [Key in keyof View]-?: NonNullable<View[Key]> extends Slot ? Key : never }[keyof View]

/** A module that a game brings, or the reason why it failed; neither if the game has none. */
export interface LoadedPart<Part> {
  part: Part | null
  problem: string
}

const NOTHING = { part: null, problem: '' }

/** Load the game's own view of its table. */
export async function viewOf(game: Game): Promise<LoadedPart<View>> {
  const loaded = await loadPart<View>(game, 'view', (view) => view.contract === CONTRACT)
  if (loaded.part && loaded.part.elements !== false) await lazyImport(() => import('../elements/index.ts'))
  return loaded
}

/** Fetch the texts of a game whose table is about to be created, and run its view; its styles don't apply yet. */
export async function prepareView(name: string) {
  const { view } = (await prepareGame(name)).page
  if (!view) return
  for (const path of view.styles ?? []) link('preload', at(path), 'style')
  await load(view)
}

/** Remove the style sheets of a view that another view doesn't use. */
export function removeStyles(was: GamePage, now: GamePage) {
  for (const path of was.view?.styles ?? [])
    if (!now.view?.styles?.includes(path))
      document.head.querySelector(`link[rel="stylesheet"][href="${CSS.escape(at(path))}"]`)?.remove()
}

/** Load the game's additions to *House rules*. */
export const houseRulesOf = (game: Game) => loadPart<HowWePlay>(game, 'options', (how) => how.contract === CONTRACT)

/** Load the pictures of how to play the game. */
export const minuteOf = (game: Game) => loadPart<Minute>(game, 'minute', (minute) => minute.contract === CONTRACT)

/** Load the game's summary of characters between two sessions. */
export const charactersOf = (game: Game) =>
  loadPart<KeptCharacters>(game, 'characters', (kept) => kept.contract === CONTRACT)

/** Load the game's page that judges layouts. */
export const judgeOf = (game: Game) => loadPart<Judge>(game, 'judge', (judge) => typeof judge === 'function')

async function loadPart<Part>(
  game: Game,
  kind: Exclude<keyof GamePage, 'world'>,
  fits: (part: Part) => boolean,
): Promise<LoadedPart<Part>> {
  const where = game.page[kind]
  if (!where) return NOTHING
  try {
    const [{ default: part }] = await Promise.all([load<Part>(where), ...(where.styles ?? []).map(styled)])
    if (part && fits(part)) return { part, problem: '' }
    return { part: null, problem: t('view_not_fit', { file: where.module, n: CONTRACT }) }
  } catch (error) {
    return { part: null, problem: errorText(error) }
  }
}

function load<Part>({ module, preload = [] }: Module): Promise<{ default?: Part }> {
  for (const path of preload) link('modulepreload', at(path))
  return import(/* @vite-ignore */ at(module)) as Promise<{ default?: Part }>
}

/** Add a style sheet; resolves once it has loaded or failed. */
function styled(path: string): Promise<void> {
  const there = link('stylesheet', at(path))
  return there ? new Promise((done) => (there.onload = there.onerror = () => done())) : Promise.resolve()
}

/** Add a link to the page's head; null if it is there already. */
function link(rel: string, href: string, as = ''): HTMLLinkElement | null {
  if (document.head.querySelector(`link[rel="${rel}"][href="${CSS.escape(href)}"]`)) return null
  const element = Object.assign(document.createElement('link'), { rel, href, as })
  document.head.append(element)
  return element
}

/** Return an error as one line. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 300)

/** Load the view that works for any game. */
export const basicView = async (): Promise<View> => (await lazyImport(() => import('../basicView/index.ts'))).default
