/** The pictures on court cards and jokers, fetched for the first one that is shown. */
import { symbols } from './drawings.ts'
import { whenNeeded } from '../lib/lazy.svelte.ts'

const drawn = whenNeeded(async () => symbols((await import('$drawings/courts.svg?raw')).default))

/** The picture on a court card or a joker (`SK`, `RJ`), in a card's box of 100 by 140; empty until it is here. */
export const pictureOn = (card: string): string => drawn()?.[card] ?? ''
