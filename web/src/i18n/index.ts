import { pieces, plainText } from './text.ts'
import { en } from './en.ts'

export type WordKey = keyof typeof en

const words: Record<string, string> = { ...en }

/** Add texts to the catalogue. */
export const addTexts = (more: Record<string, string>) => void Object.assign(words, more)

/** Return a text of the page, with its placeholders. */
export function word(key: WordKey): string {
  return words[key] ?? key
}

/** Return a text of the page as plain text, with its placeholders filled in. */
export function t(key: WordKey | `rank_${string}` | `suit_${string}`, about: Record<string, unknown> = {}): string {
  return plainText(pieces(words[key] ?? key, about), String, String)
}
