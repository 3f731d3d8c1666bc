import type { Game, HowWePlay } from '$contract'
import { pieces, plainText } from '$page/i18n/text.ts'
import { standardOf } from './cards/deck.ts'

/** Return the least number of rounds the cards last: all hands are filled before each, and no card laid comes back. */
export function roundsAtLeast(cards: number, players: number, hand: number): number {
  let rounds = 0
  for (let draft = cards - players * hand; draft > 0; draft -= 1 + players * hand) rounds++
  return rounds
}

interface ChosenOptions {
  deck?: { cards?: object }
  jokers?: number
  hand_size?: number
  gm_plays?: boolean
}

/** Return how long a new table with these options lasts, in words. */
function hint(game: Game, seats: number, options: ChosenOptions): string {
  const usual = (option: string) => Number(game.options.properties?.[option]?.default)
  const cards = Object.values(options.deck?.cards ?? standardOf(game).cards)
  const jokers = cards.filter((card: Record<string, unknown>) => card.wild && !('suit' in card)).length
  const played = cards.length - Math.max(0, jokers - (options.jokers ?? usual('jokers')))
  const players = seats + (options.gm_plays ? 1 : 0)
  const n = roundsAtLeast(played, players, options.hand_size ?? usual('hand_size'))
  const say = (key: string) => plainText(pieces(game.words.page[key] ?? '', { n, players }), String, String)
  return `${say('lasts')} ${say('lasts_longer')}`
}

export default { contract: 1, hint } satisfies HowWePlay
