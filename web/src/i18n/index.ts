import { pieces, plain } from './text.ts'
import { en } from './en.ts'

export type WordKey = keyof typeof en

const words: Record<string, string> = { ...en }

/** Say these as well, from now on. */
export const learn = (more: Record<string, string>) => void Object.assign(words, more)

/** A text of the page's own, as it stands in the catalogue. */
export function word(key: WordKey): string {
  return words[key] ?? key
}

/** A text of the page's own with its blanks filled in, as plain text. */
export function t(key: WordKey | `rank_${string}` | `suit_${string}`, about: Record<string, unknown> = {}): string {
  return plain(pieces(words[key] ?? key, about), String, String)
}
