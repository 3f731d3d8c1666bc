/** The game master's actions at any time: add a character, reveal a hidden one, undo. */

import { el, keep, set, sheet, write } from './dom.js'
import { hiding } from './people.js'

/** @type {import('./cardhouse').Slot} */
export function tools(place, table, help) {
  const problem = el('p', { class: 'problem', role: 'alert' })
  const tell = (said) => write(problem, said ?? '')
  const give = (answer) => table.answer(answer).then(tell, help.fail)
  const add = el('button', { type: 'button', class: 'button', 'aria-haspopup': 'dialog' }, table.word('add'))
  /** Updates the open form after a change. */
  let changed = null
  add.onclick = () =>
    sheet(place, table.game.words.actions.add_character, table.word('close'), (body) => {
      const form = adding(table, body, help)
      changed = form.update
      return () => {
        changed = null
        form.destroy()
      }
    })
  const shows = el('span', { class: 'sd-shows' })
  const undo = el('button', { type: 'button', class: 'button' }, table.word('undo'))
  undo.onclick = () => table.undo().then(tell, help.fail)
  place.append(el('div', { class: 'sd-tools' }, add, shows, undo, problem))
  const update = () => {
    changed?.()
    set(add, { class: table.asks.key === 'nobody' ? 'button bright' : 'button' })
    undo.hidden = !table.mayUndo
    keep(
      shows,
      hiding(table),
      (who) => who.name,
      ({ name }) => {
        const text = table.word('show_of', { name })
        const root = el('button', { type: 'button', class: 'button', click: () => give({ do: 'show', name }) }, text)
        return { root, update: () => {} }
      },
    )
  }
  update()
  return { update }
}

/** Keep the sheet open for the next character. */
function adding(table, body, help) {
  const problem = el('p', { class: 'problem', role: 'alert' })
  const added = el('p', { class: 'quiet small', role: 'status' })
  const name = el('input', {
    name: 'name',
    required: true,
    maxlength: 40,
    autocomplete: 'off',
    dir: 'auto',
    autofocus: true,
  })
  const dice = el('fieldset', { class: 'sd-dice' }, el('legend', {}, table.fieldName('nerve')))
  const many = el('input', { name: 'many', type: 'number', min: 1, value: 1, required: true })
  const seats = table.seats.filter(({ seat }) => seat !== 'screen')
  const seat = el(
    'select',
    { name: 'controller' },
    ...seats.map((one) => el('option', { value: one.seat }, table.seatName(one.seat))),
  )
  const hidden = el('input', { type: 'checkbox', name: 'hidden' })
  const field = (key, input) => el('label', { class: 'field' }, el('span', {}, table.fieldName(key)), input)
  const form = el(
    'form',
    { class: 'sd-adding' },
    field('name', name),
    dice,
    el('div', { class: 'sd-pair' }, field('many', many), field('controller', seat)),
    el(
      'label',
      { class: 'check' },
      hidden,
      el(
        'span',
        {},
        table.fieldName('hidden'),
        el('br'),
        el('span', { class: 'quiet small' }, table.word('hidden_text')),
      ),
    ),
    problem,
    el('div', { class: 'sd-deeds' }, el('button', { class: 'button bright' }, table.word('add_confirm')), added),
  )
  form.onsubmit = (event) => {
    event.preventDefault()
    const nerve = form.elements.nerve?.value
    const said = {
      do: 'add_character',
      name: name.value.trim(),
      ...(nerve ? { nerve } : {}),
      ...(Number(many.value) > 1 ? { many: Number(many.value) } : {}),
      ...(seat.value === 'gm' ? {} : { controller: seat.value }),
      ...(hidden.checked ? { hidden: true } : {}),
    }
    table.answer(said).then((wrong) => {
      write(problem, wrong ?? '')
      if (wrong) return
      write(added, table.word('added', { name: said.name }))
      name.value = ''
      many.value = 1
      hidden.checked = false
      name.focus()
    }, help.fail)
  }
  body.append(form)
  const update = () => {
    const fields = table.allOffers.find((offer) => offer.do === 'add_character')?.fields
    if (!fields || dice.childElementCount > 1) return
    dice.append(...fields.nerve.enum.map((value) => die(value)))
    many.max = fields.many.maximum
  }
  const destroy = table.watchOffers()
  update()
  return { update, destroy }
}

const die = (value) =>
  el('label', {}, el('input', { type: 'radio', name: 'nerve', value, checked: value === 'd6' }), el('span', {}, value))
