/** The table of Starter: the cards of this turn, and everyone's score. */

/** @satisfies {import('./cardhouse').View} */
export default {
  contract: 1,
  middle,
  summary,
  end,
}

/** @type {import('./cardhouse').Slot} */
function middle(place, table) {
  const cards = add(place, 'div', 'starter-cards')
  const deck = add(cards, 'ch-deck')
  const turned = add(cards, 'ch-hand')
  const points = add(place, 'p', 'starter-points')
  const scores = add(place, 'ol', 'starter-scores')

  function update() {
    const view = table.view
    Object.assign(deck, { left: view.deck_left, label: table.fieldName('deck_left') })
    Object.assign(turned, { cards: view.turned, label: table.fieldName('turned') })
    points.textContent = table.word('points', { points: view.points })
    scores.replaceChildren(...view.players.map((player) => scored(player, table)))
  }
  update()
  return { update }
}

/** @type {import('./cardhouse').Slot} */
function summary(place, table) {
  place.textContent = table.word('goal', { goal: goalOf(table) })
}

/** @type {import('./cardhouse').Slot} */
function end(place, table) {
  const best = table.view.players.reduce((one, other) => (other.score > one.score ? other : one))
  add(place, 'p', 'starter-end').textContent = table.word('won', best)
}

/** Return a player's score and the points needed to win. */
function scored({ seat, score }, table) {
  const row = document.createElement('li')
  row.className = seat === table.asks.with.seat ? 'turn' : ''
  add(row, 'span').textContent = table.seatName(seat)
  add(row, 'strong').textContent = score
  Object.assign(add(row, 'progress'), { max: goalOf(table), value: score, ariaHidden: 'true' })
  return row
}

/** Return the points needed to win: this table's option, or its default. */
function goalOf(table) {
  return table.options.goal ?? table.game.options.properties.goal.default
}

function add(place, kind, name = '') {
  const element = document.createElement(kind)
  element.className = name
  place.append(element)
  return element
}
