import { element } from './element.js'

/** Show all players' points, highest first: of each deal, and in total. */
export function scores(place, table) {
  const update = () => {
    const players = [...table.view.players].sort((one, other) => other.points - one.points)
    const deals = Math.max(...players.map((player) => player.deals.length))
    if (!deals) return place.replaceChildren()
    const head = ['', ...Array.from({ length: deals }, (_, at) => `${at + 1}`), table.word('total')]
    const heading = (text, at) =>
      element('th', '', text, {
        scope: 'col',
        ...(at && at <= deals ? { title: table.word('deal', { deal: at }) } : {}),
      })
    const row = ({ seat, deals: points, points: total }) =>
      element('tr', table.view.winners.includes(seat) ? 'magpies-wins' : '', [
        element('th', '', [element('bdi', '', table.seatName(seat))], { scope: 'row' }),
        ...points.map((one) => element('td', 'quiet', `${one}`)),
        element('td', 'serif', `${total}`),
      ])
    place.replaceChildren(
      element('section', 'magpies-scores', [
        element('h2', 'quiet serif', table.word('scores')),
        element('table', '', [
          element('thead', 'quiet small', [element('tr', '', head.map(heading))]),
          element('tbody', '', players.map(row)),
        ]),
      ]),
    )
  }
  update()
  return { update }
}
