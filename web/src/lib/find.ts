const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)

/** Whether all that somebody typed is to be found in these texts: words by how they begin, numbers as a whole. */
export function fits(typed: string, texts: string[]): boolean {
  const words = texts.flatMap((text) => [...wordsOf(text), text.toLowerCase()])
  return wordsOf(typed).every((part) =>
    words.some((word) => (/^-?\d+$/.test(part) ? word === part : word.startsWith(part))),
  )
}
