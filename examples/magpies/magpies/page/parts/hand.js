import { card } from './card.js'
import { element } from './element.js'

/** One's own cards: a tap chooses one, and another tap another, until all have chosen. */
export function hand(place, table) {
  const row = element('div', 'magpies-hand')
  const note = element('p', 'quiet small', '', { role: 'status' })
  place.append(row, note)
  const buttons = new Map()

  const choose = async (name) => {
    if (table.view.chosen === name || !table.offers.length) return
    const problem = await table.answer({ do: 'choose', card: name })
    if (problem) note.textContent = problem
  }
  const buttonOf = (name) => {
    if (!buttons.has(name)) {
      const made = element('button', '', [card(name)], { type: 'button' })
      made.addEventListener('click', () => choose(name))
      buttons.set(name, made)
    }
    return buttons.get(name)
  }

  const update = () => {
    const { hand: cards, chosen } = table.view
    for (const name of buttons.keys()) if (!cards.includes(name)) buttons.delete(name)
    const shown = cards.map(buttonOf)
    if (shown.some((one, at) => row.children[at] !== one) || row.children.length !== shown.length)
      row.replaceChildren(...shown)
    row.style.setProperty('--cards', cards.length)
    for (const name of cards) {
      const button = buttonOf(name)
      button.disabled = !table.isOpen || !table.offers.length
      button.setAttribute('aria-pressed', String(name === chosen))
      button.setAttribute('aria-label', table.word('choose', { card: name }))
    }
    note.textContent = chosen ? table.word('you_chose') : ''
    place.hidden = !cards.length
  }
  update()
  return { update }
}
