import type { Minute as Told } from '$contract'
import { pictures } from '$page/views/shows.ts'
import Minute from './minute/Minute.svelte'

export default { contract: 1, pictures: pictures(Minute) } satisfies Told
