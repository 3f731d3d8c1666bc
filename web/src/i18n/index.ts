import { pieces, plainText } from './text.ts'
import { en } from './en.ts'

export type WordKey = keyof typeof en

const words: Record<string, string> = { ...en }

/** Return a text of the page, with its placeholders. */
export function word(key: WordKey): string {
  return words[key] ?? key
}

/** Return a text of the page as plain text, with its placeholders filled in. */
export function t(key: WordKey | `rank_${string}` | `suit_${string}`, about: Record<string, unknown> = {}): string {
  return plainText(pieces(words[key] ?? key, about), String, String)
}

/** Add the texts of a part that is fetched later; return `word` and `t` for them and those above. */
export function withTexts<More extends Record<string, string>>(more: More) {
  Object.assign(words, more)
  type Key = WordKey | keyof More
  return {
    word: word as (key: Key) => string,
    t: t as (key: Key | `rank_${string}` | `suit_${string}`, about?: Record<string, unknown>) => string,
  }
}
