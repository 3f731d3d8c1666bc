/**
 * Keeps the page intact while the browser translates it, or an extension rewrites its texts.
 *
 * A translator replaces each text node with a <font>; a highlighter replaces, wraps or splits it. Svelte and games' views
 * keep writing to the original node, and later remove that one: the page would show outdated or doubled text. So the
 * original node is put back, empty, in front of the nodes that stand in for it. Text written to it later is shown, and
 * rewritten again; if it is removed, its stand-ins are removed as well.
 */
interface Rewriting {
  /** The nodes that stand in for the text, in order, behind it. */
  by: ChildNode[]
  /** The original text. */
  of: string
}

export function keepTranslatable(root: Node) {
  const rewritings = new WeakMap<Text, Rewriting>()
  const originals = new WeakMap<Node, Text>()
  /** The nodes added since the last look, and the texts paired in this one. */
  let fresh = new Set<Node>()
  let paired = new Set<Text>()

  const observer = new MutationObserver((records) => {
    fresh = new Set(records.flatMap((record) => [...record.addedNodes]))
    paired = new Set()
    for (const record of records) {
      if (record.type === 'characterData') written(record)
      else childrenChanged(record)
    }
    observer.takeRecords() // records of these changes
  })
  observer.observe(root, { childList: true, characterData: true, characterDataOldValue: true, subtree: true })

  function childrenChanged(record: MutationRecord) {
    for (const node of record.removedNodes) {
      if (originals.has(node)) standInRemoved(node, record)
      else if (isText(node)) textRemoved(node, record)
    }
    for (const node of record.addedNodes) if (isText(node)) textAdded(node)
  }

  /** Put the text back, empty, in front of what stands in for it. */
  function pair(text: Text, by: ChildNode[], of: string) {
    by[0]!.before(text)
    text.data = ''
    paired.add(text)
    rewritings.set(text, { by, of })
    for (const node of by) originals.set(node, text)
  }

  function part(text: Text, { by }: Rewriting) {
    rewritings.delete(text)
    for (const node of by) originals.delete(node)
  }

  /** The text was written anew, so that its stand-ins are outdated; or it was split. */
  function written({ target, oldValue }: MutationRecord) {
    if (!isText(target) || paired.has(target)) return
    const rewriting = rewritings.get(target)
    if (rewriting) {
      part(target, rewriting)
      for (const node of rewriting.by) node.remove()
      return
    }
    const rest = freshBeside(target.nextSibling, 'nextSibling')
    if (!rest.length || !oldValue?.trim() || !isSame([target, ...rest], oldValue)) return
    const owner = originals.get(target)
    if (owner) {
      const { by } = rewritings.get(owner)!
      by.splice(by.indexOf(target) + 1, 0, ...rest)
      for (const node of rest) originals.set(node, owner)
      return
    }
    const beginning = new Text(target.data)
    target.after(beginning)
    pair(target, [beginning, ...rest], oldValue)
  }

  function textRemoved(text: Text, record: MutationRecord) {
    const rewriting = rewritings.get(text)
    if (rewriting && !text.isConnected) {
      part(text, rewriting)
      for (const node of rewriting.by) if (node.parentNode === record.target) node.remove()
      text.data = rewriting.of
      return
    }
    if (rewriting || !text.data.trim()) return
    const by = instead(record)
    if (!by.some(isElement) || !(by.some(({ nodeName }) => nodeName === 'FONT') || isSame(by, text.data))) return
    if (by.some((node) => node.contains(text))) text.replaceWith(text.data)
    else if (text.isConnected) return // only moved
    pair(text, by, text.data)
  }

  /** Return the nodes that came where one was removed, and don't stand in for another text yet. */
  function instead({ addedNodes, previousSibling, nextSibling, target }: MutationRecord): ChildNode[] {
    const before = freshBeside(previousSibling, 'previousSibling').reverse()
    const added = addedNodes.length ? [...addedNodes] : [...before, ...freshBeside(nextSibling, 'nextSibling')]
    return added.filter((node) => node.parentNode === target && !originals.has(node)) as ChildNode[]
  }

  /** Return the fresh nodes in a row, from this one on. */
  function freshBeside(node: Node | null, towards: 'previousSibling' | 'nextSibling'): ChildNode[] {
    const found: ChildNode[] = []
    for (; node && fresh.has(node) && !originals.has(node); node = node[towards]) found.push(node as ChildNode)
    return found
  }

  /** The text was moved, and its stand-ins follow; or it is shown again in place of them. */
  function textAdded(text: Text) {
    const rewriting = rewritings.get(text)
    if (!rewriting || !text.isConnected || paired.has(text)) return
    const { by, of } = rewriting
    if (by.some((node) => node.isConnected)) {
      if (text.nextSibling !== by[0]) text.after(...by)
      return
    }
    part(text, rewriting)
    text.data = of
  }

  /** The translator or extension removed or replaced what stands in for a text. */
  function standInRemoved(node: Node, record: MutationRecord) {
    const text = originals.get(node)!
    const { by, of } = rewritings.get(text)!
    if (node.isConnected || !text.isConnected) return
    part(text, { by, of })
    const others = instead(record).filter((other) => other !== text)
    const now = by.flatMap((one) => (one === node ? others : [one])).filter((one) => one.isConnected)
    if (others.length) pair(text, now, of)
    else if (node.nodeName === 'FONT') text.data = of
    else for (const one of now) one.remove()
  }
}

const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE
const isElement = (node: Node) => node.nodeType === Node.ELEMENT_NODE
/** Whether nodes say together what a text says, apart from spaces and readings above it. */
const isSame = (nodes: Node[], text: string) => bare(nodes.map(said).join('')) === bare(text)
const bare = (text: string) => text.replaceAll(/\s/g, '')

function said(node: Node): string {
  if (isText(node)) return node.data
  return node.nodeName === 'RT' || node.nodeName === 'RP' ? '' : [...node.childNodes].map(said).join('')
}
