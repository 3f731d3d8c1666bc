/**
 * Keeps the page intact while the browser translates it.
 *
 * A translator replaces each text node with a <font>. Svelte and games' views keep writing to the node that was
 * replaced, and later remove that one: the page would show outdated text. So the original node is put back, empty, in
 * front of its translation. Text written to it later is shown, and translated again; if it is removed, its translation
 * is removed as well.
 */
interface Translation {
  /** The node that replaced the text. */
  by: ChildNode
  /** The original text. */
  of: string
}

export function keepTranslatable(root: Node) {
  const translations = new WeakMap<Text, Translation>()
  const originals = new WeakMap<Node, Text>()

  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') rewritten(record.target)
      else childrenChanged(record)
    }
    observer.takeRecords() // records of these changes
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

  /** The text has changed, so that its translation is outdated. */
  function rewritten(node: Node) {
    const translation = isText(node) && translations.get(node)
    if (!translation) return
    part(node, translation)
    translation.by.remove()
  }

  function textRemoved(text: Text, record: MutationRecord) {
    if (text.isConnected) return // only moved
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

  /** The text was moved, and its translation follows; or it is shown again in place of its translation. */
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

  /** The translator removed or replaced its translation. */
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
