/** Drawings in one colour, each in a box of 100 by 100; print uses the same. */
import shapes from '$drawings/suits.json' with { type: 'json' }

const { H, D, S, C } = shapes

/** The four suits in our own hand. */
export const SUIT_PATHS = { H, D, S, C } as const

/** A star of five points, for wild cards. */
export const STAR = shapes.star

/** A dog's paw: four toes and the pad. */
export const PAW = shapes.paw
