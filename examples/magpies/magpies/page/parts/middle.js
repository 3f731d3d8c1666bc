import { card, pointsOf } from './card.js'
import { element } from './element.js'

/** How long a trick stays before the next prize is turned up, unless a player continues. */
const MOMENT = 5000

/** Show the prize, and a place for each player's card, which is face down until the reveal. */
export function middle(place, table) {
  const prize = element('section', 'magpies-prize')
  const places = element('ul', 'magpies-places')
  place.append(element('div', 'magpies', [prize, places]))
  let seen = placeOf(table.view)
  let timer = null
  let shown = ''

  const show = () => {
    const trick = timer !== null || table.asks.key !== 'choose' ? table.view.last : null
    if (shown === (shown = signOf(table, trick, timer))) return // what moves would begin anew
    const { players } = table.view
    places.style.setProperty('--places', players.length)
    places.classList.toggle('magpies-many', players.length > 4)
    const before = cardsIn(prize)
    places.replaceChildren(...players.map((player) => placeFor(player, table, trick)))
    goToWhoWon(table, before, places)
    prize.replaceChildren(...(trick ? trickParts(table, timer && !table.isScreen ? goOn : null) : prizeParts(table)))
  }
  const goOn = () => {
    stop()
    const before = cardsIn(prize).map(nameOf)
    show()
    for (const one of cardsIn(prize)) {
      if (!before.includes(nameOf(one))) void table.fly(one, prize.querySelector('ch-deck'))
    }
  }
  const stop = () => {
    clearTimeout(timer)
    timer = null
  }

  const update = () => {
    const now = placeOf(table.view)
    const isNew = now > seen && table.view.last
    if (now !== seen || table.asks.key !== 'choose') stop()
    if (isNew && table.asks.key === 'choose') timer = setTimeout(goOn, MOMENT)
    seen = now
    show()
  }
  show()
  return { update, destroy: stop }
}

/** Return everything shown, so that only changes are redrawn. While a trick stays, it is that trick. */
function signOf({ view, seats, asks }, trick, timer) {
  const names = seats.map(({ name }) => name)
  return JSON.stringify([trick ?? [view.players, view.prizes], view.deal, names, timer !== null, asks.key])
}

const cardsIn = (where) => [...where.querySelectorAll('ch-card[card]')]
const nameOf = (one) => one.getAttribute('card')

/** Move prizes from the middle to the player who took them. */
function goToWhoWon(table, before, places) {
  for (const one of before) {
    const won = places.querySelector(`.magpies-won [card="${nameOf(one)}"]`)
    if (won) void table.fly(won, one)
  }
}

/** Return how far the game is: it grows with each revealed trick, so an undo doesn't show an old one again. */
const placeOf = ({ deal, last }) => deal * 100 + (last?.number ?? 0)

/** Return the result of a trick. */
function sentence(table) {
  const { taker, prizes } = table.view.last
  return taker ? table.word('won', { seat: taker, points: pointsOf(prizes) }) : table.word('nobody')
}

function prizeParts(table) {
  const { prizes } = table.view
  const parts = [element('div', 'magpies-cards', [deck(), ...prizes.map(lying)])]
  if (prizes.length) parts.push(worthOf(table, prizes))
  return parts
}

function trickParts(table, goOn) {
  const { prizes, taker } = table.view.last
  const parts = [
    element('div', 'magpies-cards', [deck(), ...prizes.map(lying)]),
    element('p', 'magpies-said', sentence(table)),
  ]
  if (!taker && table.asks.key === 'choose') parts.push(element('p', 'quiet small', table.word('stays')))
  if (goOn) {
    const button = element('button', 'button small', table.word('next'), { type: 'button' })
    button.addEventListener('click', goOn)
    parts.push(button)
  }
  return parts
}

const deck = () => element('ch-deck', '', [], { 'aria-hidden': 'true' })
const lying = (name) => element('span', '', [card(name)])

function worthOf(table, prizes) {
  const points = pointsOf(prizes)
  return element('p', 'magpies-worth', [
    element('strong', 'serif', `${points}`),
    ` ${table.word('points', { points })}`,
  ])
}

/** Return a player's place: their card if it is open, their name and points, and the prizes of this deal. */
function placeFor(player, table, trick) {
  const played = trick?.played.find(({ seat }) => seat === player.seat)
  const takes = trick?.taker === player.seat
  const className = [
    played?.cancelled ? 'magpies-cancelled' : '',
    takes ? 'magpies-takes' : '',
    played || player.has_chosen ? '' : 'magpies-open-place',
  ]
  return element('li', className.join(' '), [
    element('div', 'magpies-spot', spot(player, table, played)),
    element('p', 'magpies-name', [element('bdi', '', table.seatName(player.seat))]),
    element('p', 'magpies-points serif', `${player.points}`),
    element('p', 'magpies-won', prizesOf(player, trick && takes ? trick.prizes : [])),
  ])
}

function spot(player, table, played) {
  if (played) {
    // One's own comes from the hand; the others' are turned over where they lie: no deck is of their pack.
    const pack = player.seat === table.you ? {} : { 'data-pack': 'played', class: 'magpies-turns' }
    const there = element('span', '', [card(played.card)], pack)
    return played.cancelled ? [there, element('em', 'small', table.word('cancelled'))] : [there]
  }
  const said = table.word(player.has_chosen ? 'has_chosen' : 'is_choosing')
  const readers = player.cards ? [element('span', 'seen-by-readers', said)] : []
  return player.has_chosen ? [element('span', '', [card(null)], { 'aria-hidden': 'true' }), ...readers] : readers
}

/** Return the prizes a player has won, without those still in the middle. */
function prizesOf(player, lyingThere) {
  const there = player.won.filter((name) => !lyingThere.includes(name))
  return there.map((name) => element('span', '', [card(name, { mini: '' })], { 'data-pack': 'won' }))
}
