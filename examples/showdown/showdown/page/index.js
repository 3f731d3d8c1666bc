/** Showdown's view of its table. */

import { answers, asked } from './answers.js'
import { hand, side } from './roster.js'
import { middle } from './middle.js'
import { tools } from './tools.js'
import { inOrder } from './people.js'

/** @type {import('./cardhouse').Slot} */
function summary(place, table) {
  const update = () => {
    const { round, phase } = table.view
    const key = phase === 'turns' ? 'summary_turns' : phase === 'cards' ? 'summary_cards' : 'summary_between'
    place.textContent = round || phase !== 'between' ? table.word(key, { round, n: inOrder(table).length }) : ''
  }
  update()
  return { update }
}

/** @satisfies {import('./cardhouse').View} */
export default { contract: 1, middle, side, hand, handInMiddle: true, answers, asked, tools, summary }
