import { element } from './element.js'

/** Show your own cards: tap one to choose it, or another to change, until all have chosen. */
export function hand(place, table) {
  const fan = element('ch-fan', 'magpies-hand')
  const note = element('p', 'quiet small', '', { role: 'status' })
  place.append(fan, note)
  fan.chooses = true
  fan.addEventListener('choose', async ({ detail: { card } }) => {
    const problem = card === table.view.chosen ? null : await table.answer({ do: 'choose', card })
    if (problem) note.textContent = problem
  })

  const update = () => {
    const { hand: cards, chosen } = table.view
    fan.cards = cards
    fan.chosen = chosen ? [chosen] : []
    fan.closed = table.isOpen && table.offers.length ? [] : cards
    note.textContent = chosen ? table.word('you_chose') : ''
    place.hidden = !cards.length
  }
  update()
  return { update }
}
