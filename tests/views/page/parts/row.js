/** Somebody's row: who they are, their card, and their wins. */
export function row({ seat, card, wins }, table) {
  const item = document.createElement('li')
  const name = Object.assign(document.createElement('bdi'), { textContent: table.seatName(seat) })
  item.append(name, ` ${wins} `)
  if (card) {
    const lying = document.createElement('span')
    lying.dataset.card = card
    lying.textContent = table.cardName(card)
    item.append(lying)
  }
  return item
}
