/** Create and keep elements: a list's items stay the same elements, and so keep the focus. */

/**
 * Create an element. `has` are its attributes: a function is a listener, true an attribute without a value, false none.
 *
 * @param {string} tag
 * @param {Record<string, any>} [has]
 * @param {...(Node | string | null | undefined | false)} children
 */
export function el(tag, has = {}, ...children) {
  const made = document.createElement(tag)
  set(made, has)
  made.append(...children.filter((child) => child || child === ''))
  return made
}

/** Set attributes as `el` does. */
export function set(element, has) {
  for (const [name, value] of Object.entries(has)) {
    if (typeof value === 'function') element[`on${name}`] = value
    else if (value === false || value === null || value === undefined) element.removeAttribute(name)
    else if (element.getAttribute(name) !== String(value === true ? '' : value))
      element.setAttribute(name, value === true ? '' : value)
  }
}

/** Replace a text if it has changed. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/**
 * Give a list one child for each item, in order. `make` creates a child; its `update` gets the item at each change.
 *
 * @template T
 * @param {HTMLElement} list
 * @param {readonly T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => { root: HTMLElement, update: (item: T) => void }} make
 */
export function keep(list, items, key, make) {
  const had = (list.kept ??= new Map())
  const now = new Map()
  for (const item of items) {
    const name = key(item)
    const made = had.get(name) ?? make(item)
    made.update(item)
    now.set(name, made)
  }
  for (const [name, { root }] of had) if (!now.has(name)) root.remove()
  let place = list.firstElementChild
  for (const { root } of now.values()) {
    if (root === place) place = place.nextElementSibling
    else list.insertBefore(root, place)
  }
  list.kept = now
}

/** Show a name that a person wrote: in its own direction, broken where necessary. */
export const bdi = (text) => el('bdi', {}, text)

/** Open a sheet over the page, in this place's slot. `fill` adds its content, and may return a function for closing. */
export function sheet(place, title, close, fill) {
  const body = el('div', { class: 'sd-sheet-body' })
  const cross = el('button', { type: 'button', class: 'button small', click: () => dialog.close() }, close)
  const head = el('header', {}, el('h2', { class: 'serif' }, bdi(title)), cross)
  const dialog = el('dialog', { class: 'sd-sheet', 'aria-label': title }, head, body)
  const closed = fill(body, () => dialog.close())
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close()
  }
  dialog.onclose = () => {
    closed?.()
    dialog.remove()
  }
  place.append(dialog)
  dialog.showModal()
  return dialog
}
