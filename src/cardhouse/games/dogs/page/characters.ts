import type { GameTexts, KeptCharacters } from '$contract'
import { carries } from '$page/views/shows.ts'
import Carried from './characters/Carried.svelte'
import type { RosterSheet } from './sheets.ts'

export default {
  contract: 1,
  about({ sheet }: { sheet: RosterSheet }, page: GameTexts) {
    const now = sheet.condition ?? 'well'
    const state = now === 'dead' ? 'dead' : now === 'well' || now === 'injured' ? 'up' : 'down'
    return { state, line: page.word(`condition_${now}`) }
  },
  carries: carries(Carried),
} satisfies KeptCharacters
