/**
 * Keeps the page whole while the browser translates it.
 *
 * A translator puts a <font> in the place of each text. Who wrote the text, Svelte or a view of a game, goes on writing
 * to the node that was replaced, and takes out that node when the text goes: the page would show what is no longer
 * true. So the node comes back, empty, just before its translation. What is written to it later is shown, and translated
 * anew; where it goes, its translation goes along.
 */
interface Translation {
  /** What stands in the place of the text. */
  by: ChildNode
  /** What the text said. */
  of: string
}

export function keepWhole(root: Node) {
  const translations = new WeakMap<Text, Translation>()
  const originals = new WeakMap<Node, Text>()

  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') rewritten(record.target)
      else childrenChanged(record)
    }
    observer.takeRecords() // what was done here
  })
  observer.observe(root, { childList: true, characterData: true, subtree: true })

  function childrenChanged(record: MutationRecord) {
    for (const node of record.removedNodes) {
      if (isText(node)) textRemoved(node, record)
      else if (originals.has(node)) translationRemoved(node, record)
    }
    for (const node of record.addedNodes) if (isText(node)) textAdded(node)
  }

  function pair(text: Text, by: ChildNode, of: string) {
    translations.set(text, { by, of })
    originals.set(by, text)
  }

  function part(text: Text, { by }: Translation) {
    translations.delete(text)
    originals.delete(by)
  }

  /** A text has a new content: its translation is one of the old. */
  function rewritten(node: Node) {
    const translation = isText(node) && translations.get(node)
    if (!translation) return
    part(node, translation)
    translation.by.remove()
  }

  function textRemoved(text: Text, record: MutationRecord) {
    if (text.isConnected) return // it was moved
    const translation = translations.get(text)
    if (translation) {
      part(text, translation)
      translation.by.remove()
      text.data = translation.of
      return
    }
    const by = [...record.addedNodes, record.previousSibling, record.nextSibling].find(
      (node) => node?.nodeName === 'FONT' && node.isConnected && !originals.has(node),
    ) as ChildNode | undefined
    if (!by || !text.data.trim()) return
    by.before(text)
    pair(text, by, text.data)
    text.data = ''
  }

  /** A text was moved, and its translation follows; or it is shown again instead of its translation. */
  function textAdded(text: Text) {
    const translation = translations.get(text)
    if (!translation || !text.isConnected) return
    if (translation.by.isConnected) {
      if (text.nextSibling !== translation.by) text.after(translation.by)
      return
    }
    part(text, translation)
    text.data = translation.of
  }

  /** The translator took its translation back, or put another in its place. */
  function translationRemoved(node: Node, record: MutationRecord) {
    const text = originals.get(node)!
    const translation = translations.get(text)!
    if (node.isConnected || !text.isConnected) return
    part(text, translation)
    const instead = [...record.addedNodes].find((added) => added !== text && added.isConnected)
    if (instead) pair(text, instead as ChildNode, translation.of)
    else text.data = translation.of
  }
}

const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE
