/** The pictures on court cards and jokers, fetched when the first is shown. */
import { symbols } from './drawings.ts'
import { lazy } from '../lib/lazy.svelte.ts'

const drawn = lazy(async () => symbols((await import('$drawings/courts.svg?raw')).default))

/** Return the picture on a court card or joker (`SK`, `RJ`), for a card of 100 by 140; empty until loaded. */
export const pictureOn = (card: string): string => drawn()?.[card] ?? ''
