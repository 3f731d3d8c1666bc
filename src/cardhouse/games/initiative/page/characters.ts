import type { KeptCharacters } from '$contract'
import { carries } from '$page/views/shows.ts'
import Carried from './characters/Carried.svelte'

export default {
  contract: 1,
  about: ({ side }: { side?: string | null }) => ({ state: 'up', line: side ?? '' }),
  carries: carries(Carried),
} satisfies KeptCharacters
