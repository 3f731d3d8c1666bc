/** What a campaign's page knows of the last session: who comes to the next one, and how its game speaks of them. */
import type { KeptCharacters } from '$contract'
import { charactersOf, game as gameOf, type Campaign, type Game } from '../api/http.ts'
import { GameContext } from '../client/context.svelte.ts'
import { seatTitle } from '../lib/seats.ts'
import { charactersOf as drawnBy } from '../views/views.ts'
import type { Characters, SavedCharacter } from '../api/wire.ts'

/** A game's texts as they were said at the last session. */
export class LeftBehind extends GameContext {
  constructor(
    game: Game,
    private readonly told: Characters,
  ) {
    super(game)
  }
  override get options() {
    return this.told.options
  }
  override seatName = (seat: string): string =>
    this.told.characters.find((one) => one.seat === seat && one.player)?.player ?? seatTitle(seat)
}

export interface Left {
  context: LeftBehind
  /** How the game tells of a character; null if it says nothing. */
  drawn: KeptCharacters | null
  characters: SavedCharacter[]
}

/** Whose name an answer brings along. */
export const nameIn = ({ answer }: SavedCharacter): string =>
  String((answer.sheet as { name?: unknown } | undefined)?.name ?? answer.name ?? '')

/** All of it; null if the game is not installed any more. */
export async function leftBehind(id: string, token: string, campaign: Campaign): Promise<Left | null> {
  const last = campaign.evenings[0]
  if (!last) return null
  // While something is hidden from everybody, there is nobody to show.
  const nobody = { options: {}, characters: [] }
  try {
    const [game, told] = await Promise.all([gameOf(last.game), charactersOf(id, token).catch(() => nobody)])
    const { part } = await drawnBy(game)
    return { context: new LeftBehind(game, told), drawn: part, characters: told.characters.filter(nameIn) }
  } catch {
    return null
  }
}
