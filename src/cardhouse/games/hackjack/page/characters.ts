import type { GameTexts, KeptCharacters } from '$contract'
import { carries } from '$page/views/shows.ts'
import Carried from './characters/Carried.svelte'
import type { RosterSheet } from './hackjack.svelte.ts'

export default {
  contract: 1,
  about({ sheet }: { sheet: RosterSheet }, page: GameTexts) {
    if (!sheet.alive) return { state: 'dead', line: page.word('state_dead') }
    const hp = page.word('kept_hp', { hp: sheet.hp, max: sheet.max_hp })
    return sheet.down ? { state: 'down', line: `${hp}, ${page.word('state_down')}` } : { state: 'up', line: hp }
  },
  carries: carries(Carried),
} satisfies KeptCharacters
