export default {
  contract: 1,
  hint: (game, players, options) =>
    `${players} players, ${options.rounds ?? game.options.properties.rounds.default} rounds of ${game.words.title}`,
  choose(place, choosing) {
    const buttons = [1, 3, 7].map((rounds) => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: `${rounds} rounds` })
      button.onclick = () => choosing.choose('rounds', rounds)
      return button
    })
    place.append(...buttons)
    const update = () =>
      buttons.forEach((button) => {
        const is = button.textContent === `${choosing.options.rounds} rounds`
        button.setAttribute('aria-pressed', String(is))
      })
    update()
    return { update }
  },
  chosen: ['rounds'],
}
