/** One character in detail: its values and the actions about it. */

import { bdi, el, sheet, write } from './dom.js'
import { bonusOf, calledOf, isJoker, isMine, named, stateOf } from './people.js'

/** Open it with the character's present values; any action closes it. */
export function about(place, table, name) {
  const who = named(table, name)
  if (!who) return
  sheet(place, calledOf(table, who), table.word('close'), (body, close) => fill(table, who, body, close))
}

function fill(table, who, body, close) {
  const problem = el('p', { class: 'problem', role: 'alert' })
  const give = async (answer) => {
    const said = await table.answer(answer)
    if (said) write(problem, said)
    else close()
  }
  const row = (title, rule, said) =>
    el('div', {}, el('dt', {}, `${title} `, el('ch-rule', { rule })), el('dd', {}, said))
  const cards = who.cards.map((card) => el('ch-card', { card }))
  const facts = el(
    'dl',
    {},
    row(table.word('now'), 'SD-6', table.word(stateOf(table, who))),
    who.cards.length &&
      isJoker(who.cards[0]) &&
      row(table.word('joker'), 'SD-4', table.word('bonus_long', { bonus: bonusOf(table) })),
    row(table.fieldName('nerve'), 'SD-8', who.nerve),
    row(table.fieldName('tokens'), 'SD-5', String(who.tokens)),
    row(
      table.fieldName('controller'),
      'SD-12',
      table.isGm ? playedBy(table, who, give) : bdi(table.seatName(who.controller)),
    ),
  )
  body.append(
    el('div', { class: 'sd-about' }, el('div', { class: 'sd-about-cards', 'data-pack': 'about' }, ...cards), facts),
  )
  body.append(deeds(table, who, give), problem)
}

/** The character's player, for the game master to change. */
function playedBy(table, who, give) {
  const seats = table.seats.filter(({ seat }) => seat !== 'screen')
  const options = seats.map(({ seat }) =>
    el('option', { value: seat, selected: seat === who.controller }, table.seatName(seat)),
  )
  const label = table.fieldName('controller')
  const change = (event) => give({ do: 'hand_over', name: who.name, controller: event.target.value })
  return el('select', { 'aria-label': label, change }, ...options)
}

/** This seat's actions about it at any time. */
function deeds(table, who, give) {
  const says = table.game.words.actions
  const actions = [
    ...(who.hidden && (table.isGm || isMine(table, who)) ? ['show'] : []),
    ...(table.isGm ? ['award', 'remove_character'] : []),
  ]
  const buttons = actions.map((action) =>
    el('button', { type: 'button', class: 'button', click: () => give({ do: action, name: who.name }) }, says[action]),
  )
  return el('div', { class: 'sd-deeds' }, ...(table.isOpen ? buttons : []))
}
