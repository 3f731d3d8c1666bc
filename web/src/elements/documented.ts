/** What the types of the page contract say of each element, for the page that shows them living. */

export interface Line {
  name: string
  type: string
  text: string
}

export interface Documented {
  about: string
  lines: Line[]
}

const ELEMENT = /^ {2}\/\*\* (.*) \*\/\n {2}'(ch-[a-z-]+)': \{\n([^]*?)^ {2}\}/gm
const LINE = /\/\*\* (.*) \*\/\n +(\w+)\??: (.*)/g

/** Each element's lines, read from the text of contract.d.ts. */
export function documented(types: string): Map<string, Documented> {
  return new Map(
    [...types.matchAll(ELEMENT)].map(([, about = '', name = '', lines = '']) => [
      name,
      { about, lines: [...lines.matchAll(LINE)].map(([, text = '', name = '', type = '']) => ({ name, type, text })) },
    ]),
  )
}
