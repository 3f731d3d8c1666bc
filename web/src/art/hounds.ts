/** Dogs, drawn from parts by breed, coat and mood: the same on screen and on paper (print/hounds.py). */
import lists from '$drawings/hounds.json' with { type: 'json' }
import drawn from '$drawings/hounds.svg?raw'
import type { PortraitState } from './portraits.ts'
import { fnv, numbers, symbols } from './drawings.ts'

export interface Dog {
  breed: string
  coat: string
  mood: string
}

type Coat = Record<'coat' | 'ear' | 'muzzle' | 'tuft' | 'lid' | 'mask' | 'ground', string>

const BREEDS: Record<string, string[]> = lists.breeds
const COATS: Record<string, Coat> = lists.coats
const PARTS = symbols(drawn)
const LINE = '#2b211b'
/** The colour of the mouth on a pug's dark face. */
const PUG_LINE = '#15100d'
const TILTED = 'rotate(-7 50 70)'
const RED = '#c9352b'

/** Return the dog of a card or a name; unknown traits follow from `of`. */
export function dogOf(of: string, known: Partial<Record<keyof Dog, unknown>> = {}): Dog {
  const next = numbers(fnv(`hounds/${of.trim().toLowerCase()}`))
  const pick = (kinds: readonly string[], wanted: unknown) => {
    const found = kinds[Math.floor((next() * kinds.length) / 2 ** 32)]!
    return kinds.includes(String(wanted)) ? String(wanted) : found
  }
  const breed = pick(Object.keys(BREEDS), known.breed)
  const coat = pick(Object.keys(COATS), known.coat)
  return { breed, coat, mood: pick(lists.moods, known.mood) }
}

/** The background colour for a dog, which matches its coat. */
export const groundOf = ({ coat }: Dog) => COATS[coat]!.ground

/** Return a dog as SVG content for a view box of 100 by 100. */
export function dog({ breed, coat, mood }: Dog, collar = RED): string {
  const colours: Record<string, string> = { ...COATS[coat]!, collar, lip: breed === 'pug' ? PUG_LINE : LINE }
  const [ears, head, ...face] = BREEDS[breed]!
  const blaze = face.includes('blaze')
  const mark = coat === 'spotted' ? ['spot'] : blaze ? ['blaze'] : []
  const parts = ['body', ears!, head!, ...mark, ...face.filter((part) => part !== 'blaze'), `mood-${mood}`]
  const all = parts.map((part) => PARTS[part]).join('')
  const held = mood === 'curious' ? `<g transform="${TILTED}">${all}</g>` : all
  return (held + PARTS.collar!).replace(/var\(--(\w+)\)/g, (_, name: string) => colours[name]!)
}

/** Return a dog as the portrait of a player, for a view box of 100 by 100. */
export function dogPortrait(name: string, state: PortraitState = 'up', collar?: string): string {
  const one = dogOf(state === 'hidden' ? '' : name)
  const ground = `<rect width="100" height="100" fill="${groundOf(one)}"/>`
  return ground + dog(state === 'up' ? one : { ...one, mood: 'sleepy' }, collar)
}
