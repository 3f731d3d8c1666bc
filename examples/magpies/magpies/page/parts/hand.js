import { card } from './card.js'
import { element } from './element.js'

/** One's own cards: a tap chooses one, and another tap another, until all have chosen. */
export function hand(place, table) {
  const row = element('ul', 'magpies-hand')
  const note = element('p', 'quiet small', '', { role: 'status' })
  place.append(row, note)
  const lying = new Map()

  const choose = async (name) => {
    if (table.view.chosen === name || !table.offers.length) return
    const problem = await table.answer({ do: 'choose', card: name })
    if (problem) note.textContent = problem
  }
  const placeOf = (name) => {
    if (!lying.has(name)) {
      const button = element('button', '', [], { type: 'button' })
      button.addEventListener('click', () => choose(name))
      lying.set(name, element('li', '', [card(name), button]))
    }
    return lying.get(name)
  }

  const update = () => {
    const { hand: cards, chosen } = table.view
    for (const name of lying.keys()) if (!cards.includes(name)) lying.delete(name)
    const places = cards.map(placeOf)
    if (places.length !== row.children.length || places.some((one, at) => row.children[at] !== one)) {
      row.replaceChildren(...places) // not at each change: who has the focus on a card keeps it
    }
    row.style.setProperty('--cards', cards.length)
    for (const name of cards) {
      const button = placeOf(name).lastElementChild
      button.disabled = !table.isOpen || !table.offers.length
      button.setAttribute('aria-pressed', String(name === chosen))
      button.setAttribute('aria-label', table.word('choose', { card: table.cardName(name) }))
    }
    note.textContent = chosen ? table.word('you_chose') : ''
    place.hidden = !cards.length
  }
  update()
  return { update }
}
