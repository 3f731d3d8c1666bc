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

const ELEMENT = /^(.*) \*\/\n {2}'(ch-[a-z-]+)': \{\n/
const LINE = /^(.*) \*\/\n +(\w+)\??: (.*)/

/** Read each element's descriptions from the text of contract.d.ts. */
export function documented(types: string): Map<string, Documented> {
  const found = new Map<string, Documented>()
  let element: Documented | undefined
  for (const comment of types.split('/** ').slice(1)) {
    const [, about = '', name = ''] = ELEMENT.exec(comment) ?? []
    const [, text = '', field = '', type = ''] = LINE.exec(comment) ?? []
    if (name) found.set(name, (element = { about, lines: [] }))
    else if (field) element?.lines.push({ name: field, type, text })
    if (comment.includes('\n  }')) element = undefined
  }
  return found
}
