/** The table: the order as cards, the acting character first and large; those who hold or have acted are set aside. */

import { about } from './about.js'
import { bdi, el, keep, set, write } from './dom.js'
import {
  aboutOf,
  acted,
  calledOf,
  holding,
  inOrder,
  isActing,
  isMine,
  named,
  offerOf,
  percent,
  stateOf,
} from './people.js'

/** @type {import('./cardhouse').Slot} */
export function middle(place, table, help) {
  const problem = el('p', { class: 'problem', role: 'alert' })
  const give = (answer) => table.answer(answer).then((said) => write(problem, said ?? ''), help.fail)
  const open = (name) => about(place, table, name)
  const group = (key) => {
    const list = el('ol', { class: 'sd-cards' })
    const root = el('section', { class: `sd-${key}`, 'aria-label': table.word(key) }, heading(table.word(key)), list)
    return { root, list }
  }
  const order = group('order')
  const holds = group('holding')
  const over = group('over')
  const deck = deckOf(table, give)
  const aside = el('div', { class: 'sd-aside' }, deck.root, holds.root, over.root)
  place.append(el('div', { class: 'sd-table' }, order.root, aside, problem))

  const fill = ({ root, list }, people, size) => {
    root.hidden = !people.length
    keep(
      list,
      people,
      (who) => who.name,
      (who) => spot(table, who, size, give, open),
    )
  }
  const update = () => {
    place.firstElementChild.dataset.phase = table.view.phase
    fill(order, inOrder(table), 'large')
    fill(holds, holding(table), 'medium')
    fill(over, acted(table), 'small')
    deck.update()
  }
  update()
  return { update }
}

const heading = (text) => el('h2', { class: 'quiet small' }, text)

/** The deck; between rounds, a player who may deal taps it. */
function deckOf(table, give) {
  const label = el('p', { class: 'quiet small' })
  const back = el('ch-card', { turned: true })
  const tap = el('button', { type: 'button', class: 'sd-tap', click: () => give({ do: 'deal' }) })
  const pile = el('div', { class: 'sd-pile', 'data-deck': true }, back)
  const root = el('section', { class: 'sd-deck', 'aria-label': table.word('deck') }, pile, label)
  const update = () => {
    const may = table.offers.some((offer) => offer.do === 'deal')
    write(label, table.word('deck_left', { left: table.view.deck_left }))
    set(tap, { 'aria-label': table.game.words.actions.deal })
    pile.classList.toggle('sd-lit', may)
    if (may !== tap.isConnected) {
      if (may) pile.append(tap)
      else tap.remove()
    }
  }
  return { root, update }
}

/** One character: its card, name, state and actions. */
function spot(table, { name }, size, give, open) {
  const card = el('span', { class: 'sd-lying' })
  const face = el('button', { type: 'button', class: 'sd-face', click: () => open(name) }, card)
  const others = el('span', { class: 'sd-others' })
  const called = el('p', { class: 'sd-name' })
  const line = el('p', { class: 'quiet small' })
  const redraw = el('button', { type: 'button', class: 'button small', click: () => give({ do: 'redraw', name }) })
  const root = el('li', { class: `sd-spot sd-${size}` }, el('div', { class: 'sd-place' }, others, face), called, line)
  const update = (who) => {
    lay(card, who.cards[0])
    keep(
      others,
      who.cards.slice(1),
      (other) => other,
      (other) => bettered(other),
    )
    const text = calledOf(table, who)
    if (called.textContent !== text) called.replaceChildren(bdi(text))
    write(line, size === 'small' ? '' : aboutOf(table, who))
    const state = table.word(stateOf(table, who))
    set(face, { 'aria-label': table.word('card_of', { name: text, card: cardOf(table, who), state }) })
    root.classList.toggle('sd-mine', isMine(table, who))
    root.classList.toggle('sd-now', isActing(table, who))
    root.classList.toggle('sd-first', table.view.phase === 'turns' && table.view.order[0] === name)
    const chance = table.odds?.[name]?.better
    const may = offerOf(table, 'redraw', named(table, name) ?? who)
    write(redraw, table.game.words.actions.redraw + (chance === undefined ? '' : ` · ${percent(chance)}`))
    set(redraw, { 'aria-label': table.word('redraw_for', { name: text }) })
    if (Boolean(may) !== redraw.isConnected) {
      if (may) root.append(redraw)
      else redraw.remove()
    }
  }
  return { root, update }
}

const cardOf = (table, who) => (who.cards.length ? table.cardName(who.cards[0]) : table.word('no_card'))

/** Show this card here, or none. */
function lay(place, card) {
  if (place.dataset.shows === (card ?? '')) return
  place.dataset.shows = card ?? ''
  place.replaceChildren(...(card ? [el('ch-card', { card })] : []))
}

/** A card that a redraw has replaced, below the one that counts. */
function bettered(card) {
  return { root: el('span', {}, el('ch-card', { card })), update: () => {} }
}
