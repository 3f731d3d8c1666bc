// The page of Magpies: the prize and all cards in the middle, your hand below, and the points at the side.
import { element } from './parts/element.js'
import { hand } from './parts/hand.js'
import { middle } from './parts/middle.js'
import { scores } from './parts/scores.js'
import { card } from './parts/card.js'

/** @satisfies {import('./cardhouse').View} */
export default {
  contract: 1,
  middle,
  hand,
  side: scores,
  tools: null,
  asked: ['choose'],
  handBelow: true,

  summary(place, table) {
    const update = () => {
      const { deal, trick } = table.view
      const about = { deal, deals: optionOf(table, 'deals'), trick, tricks: optionOf(table, 'hand') }
      place.textContent = deal ? table.word('summary', about) : ''
    }
    update()
    return { update }
  },

  end(place, table) {
    const update = () => {
      const { winners, players } = table.view
      const points = Math.max(...players.map((player) => player.points))
      place.replaceChildren(
        ...winners.map((seat) => element('p', 'magpies-winner serif', table.word('winner', { seat }))),
        element('p', 'quiet', table.word('ended', { points })),
      )
    }
    update()
    return { update }
  },

  open(place, table) {
    const update = () =>
      place.replaceChildren(
        ...Object.entries(table.view.hands).map(([seat, cards]) =>
          element('section', 'magpies-open', [
            element('h2', 'quiet small', table.word('hand_of', { seat })),
            element(
              'div',
              'magpies-cards',
              cards.map((one) => element('span', '', [card(one)])),
            ),
          ]),
        ),
      )
    update()
    return { update }
  },
}

/** Return an option of this table, or its default. */
function optionOf(table, name) {
  return table.options[name] ?? table.game.options.properties[name].default
}
