/** A campaign's last session, as its page shows it: the characters who continue, and their game's texts. */
import type { KeptCharacters } from '$contract'
import { charactersOf, game as gameOf, type Campaign, type Game } from '../api/http.ts'
import { GameContext } from '../client/context.svelte.ts'
import { seatTitle } from '../lib/seats.ts'
import { charactersOf as drawnBy } from '../views/views.ts'
import type { Characters, SavedCharacter } from '../api/wire.ts'

/** A game's texts with the last session's options and names. */
export class SessionContext extends GameContext {
  constructor(
    game: Game,
    private readonly saved: Characters,
  ) {
    super(game)
  }
  override get options() {
    return this.saved.options
  }
  override seatName = (seat: string): string =>
    this.saved.characters.find((one) => one.seat === seat && one.player)?.player ?? seatTitle(seat)
}

export interface LastSession {
  context: SessionContext
  /** The game's view of characters; null if it has none. */
  drawn: KeptCharacters | null
  characters: SavedCharacter[]
}

/** Return a character's name. */
export const nameIn = ({ answer }: SavedCharacter): string =>
  String((answer.sheet as { name?: unknown } | undefined)?.name ?? answer.name ?? '')

/** Load the last session; null if its game isn't installed any more. */
export async function lastSession(id: string, token: string, campaign: Campaign): Promise<LastSession | null> {
  const last = campaign.evenings[0]
  if (!last) return null
  // While the server withholds the characters, because something is hidden from everyone, show none.
  const nobody = { options: {}, characters: [] }
  try {
    const [game, saved] = await Promise.all([gameOf(last.game), charactersOf(id, token).catch(() => nobody)])
    const { part } = await drawnBy(game)
    return { context: new SessionContext(game, saved), drawn: part, characters: saved.characters.filter(nameIn) }
  } catch {
    return null
  }
}
