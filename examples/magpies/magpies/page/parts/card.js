import { element } from './element.js'

/** Return a card that fills its container; without a name it is face down. */
export function card(name, attributes = {}) {
  return element('ch-card', '', [], name ? { card: name, ...attributes } : { turned: '', ...attributes })
}

/** Return the points of a prize, as in trick.py. */
export function worth(name) {
  return { A: 14, K: 13, Q: 12, J: 11 }[name.slice(1)] ?? Number(name.slice(1))
}

export const pointsOf = (cards) => cards.reduce((sum, name) => sum + worth(name), 0)
