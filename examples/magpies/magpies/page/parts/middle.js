import { card, pointsOf } from './card.js'
import { element } from './element.js'

/** So long a trick lies there before the next prize is turned up, unless somebody goes on. */
const MOMENT = 5000

/** The prize, and a place for each player's card: face down when it is chosen, and turned over in a moment of its own. */
export function middle(place, table) {
  const prize = element('section', 'magpies-prize')
  const places = element('ul', 'magpies-places')
  const root = element('div', 'magpies', [prize, places])
  place.append(root)
  let seen = placeOf(table.view)
  let timer = null

  const goOn = () => {
    clearTimeout(timer)
    timer = null
    show()
  }
  const show = () => {
    const revealed = isRevealed()
    root.classList.toggle('magpies-revealed', revealed)
    const before = [...prize.querySelectorAll('[data-card]')]
    const deck = prize.querySelector('[data-deck]')
    places.style.setProperty('--places', table.view.players.length)
    places.classList.toggle('magpies-many', table.view.players.length > 4)
    places.replaceChildren(
      ...table.view.players.map((player) => placeFor(player, table, revealed ? table.view.last : null)),
    )
    fly(places, before)
    const known = new Set(before.map((one) => one.dataset.card))
    prize.replaceChildren(...(revealed ? trickParts(table, timer && !table.isScreen ? goOn : null) : prizeParts(table)))
    for (const one of prize.querySelectorAll('[data-card]')) {
      if (deck && !known.has(one.dataset.card)) void table.fly(one, prize.querySelector('[data-deck]'))
    }
  }
  const isRevealed = () => Boolean(table.view.last) && (timer !== null || table.asks.key !== 'choose')
  /** Prizes that were taken go to whoever has taken them. */
  const fly = (where, before) => {
    for (const one of before) {
      const won = where.querySelector(`[data-won="${one.dataset.card}"]`)
      if (won) void table.fly(won, one)
    }
  }

  const update = () => {
    const now = placeOf(table.view)
    const isNew = now > seen && table.view.last
    const isLast = table.asks.key !== 'choose'
    if (isNew || isLast || now < seen || table.view.chosen) {
      clearTimeout(timer)
      timer = isNew && !isLast ? setTimeout(goOn, MOMENT) : null
    }
    if (isNew) table.announce(sentence(table))
    seen = now
    show()
  }
  show()
  return { update, destroy: () => clearTimeout(timer) }
}

/** How far the game is: it grows with each trick that is revealed, and no undo makes a moment of an old one. */
const placeOf = ({ deal, last }) => deal * 100 + (last?.number ?? 0)

/** What a trick came to. */
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

const deck = () => element('span', 'magpies-deck', [card(null)], { 'data-deck': '', 'aria-hidden': 'true' })
const lying = (name) => element('span', '', [card(name)], { 'data-card': name })

function worthOf(table, prizes) {
  const points = pointsOf(prizes)
  return element('p', 'magpies-worth', [
    element('strong', 'serif', `${points}`),
    ` ${table.word('points', { points })}`,
  ])
}

/** A player's place: their card, as far as one may see it, their name and points, and the prizes of this deal. */
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
    const own = player.seat === table.you
    const there = element(
      'span',
      own ? '' : 'magpies-turns',
      [card(played.card)],
      own ? { 'data-card': played.card } : {},
    )
    return played.cancelled ? [there, element('em', 'small', table.word('cancelled'))] : [there]
  }
  const said = table.word(player.has_chosen ? 'has_chosen' : 'is_choosing')
  const readers = player.cards ? [element('span', 'seen-by-readers', said)] : []
  return player.has_chosen ? [element('span', '', [card(null, { 'aria-hidden': 'true' })]), ...readers] : readers
}

/** The prizes somebody has won, but for those that still lie in the middle. */
function prizesOf(player, lyingThere) {
  const there = player.won.filter((name) => !lyingThere.includes(name))
  return there.map((name) => element('span', '', [card(name, { mini: '' })], { 'data-won': name }))
}
