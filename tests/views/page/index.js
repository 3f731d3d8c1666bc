// A view of "highest card wins" that fills each slot. The table's name says what is to go wrong in it.
import { row } from './parts/row.js'

/** @satisfies {import('../../../src/cardhouse/views/contract').View} */
export default {
  contract: 1,
  summary(place, table) {
    const update = () => (place.textContent = table.word('summary', { n: table.view.round }))
    update()
    return { update }
  },
  first(place, table) {
    place.innerHTML = '<p class="first-part"></p>'
    const update = () => (place.firstChild.textContent = `first: ${table.isAsked} ${table.you} ${table.seatName(table.you)}`)
    update()
    return { update }
  },
  middle(place, table, { fail }) {
    const list = document.createElement('ul')
    list.className = 'highest-players'
    place.append(list)
    const update = () => {
      if (wrong(table, 'update') && table.number > 0) throw new RangeError('the update went wrong')
      list.replaceChildren(...table.view.players.map((player) => row(player, table)))
    }
    update()
    if (wrong(table, 'middle')) throw new TypeError('the middle went wrong')
    if (wrong(table, 'later')) queueMicrotask(() => fail(new Error('it went wrong later')))
    return { update, destroy: () => (document.documentElement.dataset.left = 'middle') }
  },
  side(place, table) {
    place.innerHTML = '<p class="side-part"></p>'
    place.firstChild.textContent = `${table.seats.length} seats, rounds: ${table.options.rounds ?? 'usual'}`
  },
  hand(place, table) {
    const text = place.appendChild(document.createTextNode(''))
    const update = () => {
      const mine = table.view.players.find((player) => player.seat === table.you)
      text.data = mine?.card ? `mine: ${table.cardName(mine.card)}` : 'mine: nothing'
    }
    update()
    return { update }
  },
  answers(place, table) {
    const button = document.createElement('button')
    button.className = 'button bright'
    const problem = document.createElement('p')
    place.append(button, problem)
    button.onclick = async () => {
      table.remember('pressed', (table.recall('pressed') ?? 0) + 1)
      problem.textContent = (await table.answer({ do: 'take' })) ?? ''
      table.announce('A card was taken.')
    }
    const update = () => {
      const [offer] = table.offers
      button.hidden = !offer
      button.textContent = `${offer ? table.labels([offer])[0] : ''}, pressed ${table.recall('pressed') ?? 0}`
    }
    update()
    return { update }
  },
  asked: ['take'],
  tools(place, table) {
    const button = Object.assign(document.createElement('button'), { className: 'button', textContent: 'Why H-3' })
    button.onclick = () => table.openRule('H-3')
    place.append(button)
  },
  end(place, table) {
    place.textContent = `It ended after ${table.number} entries.`
  },
}

const wrong = (table, where) => table.settings.name === `wrong in ${where}`
