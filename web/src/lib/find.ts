const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)

/** Whether every word typed matches one of these texts: a word by its beginning, a number only as a whole. */
export function matches(typed: string, texts: string[]): boolean {
  const words = texts.flatMap((text) => [...wordsOf(text), text.toLowerCase()])
  return wordsOf(typed).every((part) =>
    words.some((word) => (/^-?\d+$/.test(part) ? word === part : word.startsWith(part))),
  )
}
