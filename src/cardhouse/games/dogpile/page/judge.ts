import { opens } from '$page/lib/shows.ts'
import Judge from './judge/Judge.svelte'

export default opens(Judge)
