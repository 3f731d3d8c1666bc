import type { Game } from '../api/http.ts'
import { capital, readable } from '../i18n/text.ts'

/** What a field of a card is called. */
export function fieldCalled(game: Game, option: string, name: string): string {
  const { page, fields } = game.words
  return capital(page[`make_${option}_${name}`] ?? page[`make_${name}`] ?? fields[name] ?? readable(name))
}

/** The game's word for a choice, under its field or another that knows the same choices. */
export function choiceCalled(game: Game, name: string, choice: unknown): string {
  const { values } = game.words
  const like = Object.keys(values).find((key) => key.endsWith(`.${choice}`))
  return values[`${name}.${choice}`] ?? (like ? values[like]! : readable(String(choice)))
}
