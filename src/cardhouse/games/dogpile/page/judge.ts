import { opens } from '$page/views/shows.ts'
import Judge from './judge/Judge.svelte'

export default opens(Judge)
