/** Drawings in one colour, each in a box of 100 by 100; print uses the same. */
import shapes from '$drawings/suits.json' with { type: 'json' }

const { H, D, S, C } = shapes

/** The four suits, in the page's own design. */
export const SUIT_PATHS = { H, D, S, C } as const

/** A five-pointed star, for wild cards. */
export const STAR = shapes.star

/** A dog's paw with four toes. */
export const PAW = shapes.paw
