export default function judge(place, page) {
  const title = Object.assign(document.createElement('h1'), { textContent: `Judge: ${page.game.words.title}` })
  const home = Object.assign(document.createElement('button'), { className: 'button', textContent: 'Home' })
  home.onclick = () => page.goto('/')
  place.append(title, home)
}
