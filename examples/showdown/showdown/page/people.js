/** Texts about characters, for all parts of the view. */

/** @typedef {import('./cardhouse').Table} Table */

export const named = (table, name) => table.view.characters.find((who) => who.name === name)

/** Return the characters with a turn now or later, in order. */
export const inOrder = (table) => table.view.order.map((name) => named(table, name)).filter(Boolean)

export const holding = (table) => table.view.characters.filter((who) => who.holds)

/** Return the characters whose turn is over; interrupted ones are still in the order. */
export const acted = (table) =>
  table.view.characters.filter((who) => who.acted && who.cards.length && !table.view.order.includes(who.name))

export const hiding = (table) => table.view.characters.filter((who) => who.hidden)

export const isActing = (table, who) => table.view.phase === 'turns' && table.view.order[0] === who.name

export const isJoker = (card) => card === 'RJ' || card === 'BJ'

export const isMine = (table, who) => who.controller === table.you && !table.isGm

/** Return its state, as a key of the words. */
export function stateOf(table, who) {
  if (who.hidden) return 'is_hidden'
  if (who.holds) return 'is_holding'
  if (!who.cards.length && !table.view.order.includes(who.name)) return 'is_out'
  if (table.view.phase !== 'turns') return 'is_in'
  if (isActing(table, who)) return 'is_acting'
  if (isJoker(who.cards[0]) && !who.acted) return 'is_joker'
  return table.view.order.includes(who.name) ? 'is_to_come' : 'is_acted'
}

/** Return its name, with the number of extras. */
export const calledOf = (table, who) =>
  who.many > 1 ? table.word('extras', { name: who.name, many: who.many }) : who.name

/** Return a joker's bonus to all rolls. */
export const bonusOf = (table) => table.options.joker_bonus ?? table.game.options.properties?.joker_bonus?.default ?? 0

/** Return its nerve, tokens and joker's bonus. */
export function aboutOf(table, who) {
  return [
    who.nerve,
    who.tokens ? table.word('tokens', { n: who.tokens }) : '',
    who.cards.length && isJoker(who.cards[0]) ? table.word('bonus', { bonus: bonusOf(table) }) : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Return this seat's offer of this action for this character, if there is one. */
export const offerOf = (table, action, who) =>
  table.offers.find((offer) => offer.do === action && offer.fields.name?.const === who.name)

export const percent = (chance) => `${Math.round(chance * 100)}%`
