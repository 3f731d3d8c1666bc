/** The characters: a list beside the table, and your own along the bottom of a phone. */

import { about } from './about.js'
import { bdi, el, keep, set, write } from './dom.js'
import { aboutOf, calledOf, holding, inOrder, isActing, isMine, offerOf, percent, stateOf } from './people.js'

/** @type {import('./cardhouse').Slot} */
export function side(place, table) {
  const list = el('ul', { class: 'sd-roster', 'data-pack': 'roster', 'aria-label': table.fieldName('characters') })
  place.append(list)
  const update = () =>
    keep(
      list,
      sorted(table),
      (who) => who.name,
      (who) => row(place, table, who),
    )
  update()
  return { update }
}

/** Return them in turn order; then those who hold, those who have acted, and the hidden ones. */
function sorted(table) {
  const first = [...inOrder(table), ...holding(table)]
  return [...first, ...table.view.characters.filter((who) => !first.includes(who))]
}

/** @type {import('./cardhouse').Slot} */
export function hand(place, table, help) {
  const list = el('ul', { class: 'sd-hand', 'data-pack': 'hand', 'aria-label': table.word('yours') })
  const problem = el('p', { class: 'problem', role: 'alert' })
  place.append(list, problem)
  const give = (answer) => table.answer(answer).then((said) => write(problem, said ?? ''), help.fail)
  const update = () => {
    const own = sorted(table).filter((who) => isMine(table, who))
    list.hidden = !own.length
    keep(
      list,
      own,
      (who) => who.name,
      (who) => row(place, table, who, give),
    )
  }
  update()
  return { update }
}

/** A small card, a name and a state; with `give`, also the actions at any time. */
function row(place, table, { name }, give) {
  const card = el('span', { class: 'sd-mini' })
  const called = el('span', { class: 'sd-called' })
  const state = el('span', { class: 'sd-state quiet small' })
  const open = el(
    'button',
    { type: 'button', class: 'sd-row', click: () => about(place, table, name) },
    card,
    el('span', { class: 'sd-who' }, called, state),
  )
  const end = el('span', { class: 'sd-chance serif' })
  const deed = el('button', { type: 'button', class: 'button small' })
  const root = el('li', {}, open, give ? deed : end)
  const update = (who) => {
    const drawn = who.cards[0] ?? ''
    if (card.dataset.shows !== drawn) {
      card.dataset.shows = drawn
      card.replaceChildren(...(drawn ? [el('ch-card', { card: drawn, mini: true })] : []))
    }
    const text = calledOf(table, who)
    if (called.textContent !== text) called.replaceChildren(bdi(text))
    write(state, [table.word(stateOf(table, who)), aboutOf(table, who)].join(' · '))
    set(root, { class: isActing(table, who) ? 'sd-now' : who.hidden ? 'sd-hidden' : '' })
    const first = table.odds?.[name]?.first
    write(end, first === undefined ? '' : percent(first))
    set(end, { title: first === undefined ? false : table.fieldName('first') })
    const does = who.hidden ? 'show' : offerOf(table, 'redraw', who) ? 'redraw' : null
    deed.hidden = !does
    deed.onclick = () => give({ do: does, name })
    const better = does === 'redraw' ? table.odds?.[name]?.better : undefined
    const says = does ? table.game.words.actions[does] : ''
    write(deed, better === undefined ? says : `${says} · ${percent(better)}`)
  }
  return { root, update }
}
