import type { Game } from '../api/http.ts'
import { capital, readable } from '../i18n/text.ts'

/** Return the label of a card's field. */
export function fieldLabel(game: Game, option: string, name: string): string {
  const { page, fields } = game.words
  return capital(page[`make_${option}_${name}`] ?? page[`make_${name}`] ?? fields[name] ?? readable(name))
}

/** Return the label of a choice, from its field or another with the same choice. */
export function choiceLabel(game: Game, name: string, choice: unknown): string {
  const { values } = game.words
  const like = Object.keys(values).find((key) => key.endsWith(`.${choice}`))
  return values[`${name}.${choice}`] ?? (like ? values[like]! : readable(String(choice)))
}
