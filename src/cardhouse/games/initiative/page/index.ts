import type { GameView } from '$page/lib/views.ts'
import Hand from './Hand.svelte'
import Middle from './Middle.svelte'
import OwnLost from './OwnLost.svelte'
import Side from './Side.svelte'
import Summary from './Summary.svelte'
import Tools from './Tools.svelte'

export default { Middle, Side, First: OwnLost, Hand, Tools, Summary } satisfies GameView
