/** The descriptions of elements in the page contract's types, for the page that shows them live. */

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

/** Read each element's descriptions from the text of contract.d.ts. */
export function documented(types: string): Map<string, Documented> {
  return new Map(
    [...types.matchAll(ELEMENT)].map(([, about = '', name = '', lines = '']) => [
      name,
      { about, lines: [...lines.matchAll(LINE)].map(([, text = '', name = '', type = '']) => ({ name, type, text })) },
    ]),
  )
}
