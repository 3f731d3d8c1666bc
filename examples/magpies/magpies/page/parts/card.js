import { element } from './element.js'

/** A card, as large as the place it is put into; without a name it lies face down. */
export function card(name, attributes = {}) {
  return element('ch-card', '', [], name ? { card: name, ...attributes } : { turned: '', ...attributes })
}

/** What a prize is worth: the same as in trick.py, for what is said of it here. */
export function worth(name) {
  return { A: 14, K: 13, Q: 12, J: 11 }[name.slice(1)] ?? Number(name.slice(1))
}

export const pointsOf = (cards) => cards.reduce((sum, name) => sum + worth(name), 0)
