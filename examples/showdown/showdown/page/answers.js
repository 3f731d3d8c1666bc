/** The question, and the characters who may cut in, each with its chance of going first. */

import { el, keep, set, write } from './dom.js'
import { percent } from './people.js'

/** These actions continue the game, and are bright for the player it waits for. */
const GO_ON = ['deal', 'begin', 'done', 'end_round']
const HERE = [...GO_ON, 'hold', 'cut_in']

/** The offers answered here, or, for `redraw`, at the card. */
export const asked = [...HERE, 'redraw']

/** @type {import('./cardhouse').Slot} */
export function answers(place, table, help) {
  const buttons = el('div', { class: 'sd-answers' })
  const problem = el('p', { class: 'problem', role: 'alert' })
  place.append(buttons, problem)
  const give = (answer) => table.answer(answer).then((said) => write(problem, said ?? ''), help.fail)
  let number = table.number
  const update = () => {
    if (number !== table.number) write(problem, '')
    number = table.number
    const offers = table.offers.filter((offer) => HERE.includes(offer.do))
    // By position, not by action: a focused button keeps the focus for the next question.
    keep(
      buttons,
      offers.map((offer, nth) => ({ offer, nth: String(nth) })),
      ({ nth }) => nth,
      () => button(table, give),
    )
  }
  update()
  return { update }
}

function button(table, give) {
  const root = el('button', { type: 'button' })
  const update = ({ offer }) => {
    const fixed = Object.entries(offer.fields).map(([name, field]) => [name, field.const])
    // The second click of a double click would answer the next question.
    root.onclick = (event) => {
      if (event.detail < 2) give({ do: offer.do, ...Object.fromEntries(fixed) })
    }
    set(root, { class: table.isAsked && GO_ON.includes(offer.do) ? 'button bright' : 'button' })
    write(root, label(table, offer))
  }
  return { root, update }
}

function label(table, offer) {
  if (offer.do !== 'cut_in') return table.game.words.actions[offer.do]
  const name = offer.fields.name.const
  const first = table.odds?.[name]?.first
  const text = table.word('cut_in_of', { name })
  return first === undefined ? text : `${text} · ${percent(first)}`
}
