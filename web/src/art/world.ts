/** The look of games' tables (docs/page-contract.md): a game's own world, or the neutral one. */
import type { World } from '$contract'
import back from './world/back.svg?url'
import horizon from './world/horizon.svg?url'
import poster from './world/poster.svg?url'
import texture from './world/texture.svg?url'
import { at } from '../lib/base.ts'

/** A world, and the addresses of its drawings and typefaces; the neutral world supplies those that are missing. */
export interface GameWorld extends World {
  horizon?: string
  texture?: string
  poster?: string
  back?: string
  face?: string
  title?: string
}

const NEUTRAL: Required<Omit<GameWorld, 'face' | 'title'>> = {
  cloth: ['#43505a', '#333f48', '#20282e'],
  ink: '#f3ece0',
  quiet: '#c8cfd4',
  pale: false,
  motion: '',
  horizon,
  texture,
  poster,
  back,
}
const NEUTRAL_FACE = 'var(--serif)'

/** The address of a world's poster. */
export const posterOf = (world: GameWorld | null | undefined): string => addressOf(world, 'poster')

/**
 * Return a world as an element's style: custom properties for the element and its content. Fetches the world's
 * typefaces.
 */
export function styleOf(world: GameWorld | null | undefined): string {
  const { cloth, ink, quiet, pale } = { ...NEUTRAL, ...world }
  const url = (part: Drawing) => `url("${addressOf(world, part)}")`
  return Object.entries({
    'cloth-lit': cloth[0],
    cloth: cloth[1],
    'cloth-edge': cloth[2],
    'cloth-ink': ink,
    'cloth-quiet': quiet,
    'cloth-scheme': pale ? 'light' : 'dark',
    texture: url('texture'),
    horizon: url('horizon'),
    'card-back': url('back'),
    display: faceAt(world?.face),
    'title-face': faceAt(world?.title),
  })
    .map(([name, value]) => `--${name}: ${value}`)
    .join('; ')
}

const faceAt = (address: string | undefined) => (address ? `"${familyOf(at(address))}", ${NEUTRAL_FACE}` : NEUTRAL_FACE)

type Drawing = 'horizon' | 'texture' | 'poster' | 'back'
const addressOf = (world: GameWorld | null | undefined, part: Drawing) =>
  world?.[part] ? at(world[part]) : NEUTRAL[part]

const families = new Map<string, string>()

/** Return the family name of a typeface on this page; the first call loads it. */
function familyOf(address: string): string {
  const known = families.get(address)
  if (known) return known
  const family = `World ${families.size + 1}`
  families.set(address, family)
  document.fonts.add(new FontFace(family, `url("${address}")`, { display: 'swap' }))
  return family
}
