/**
 * Portraits from names: the same name at the same kind of table always has the same face, on screen and on paper
 * (print/people.py; tests/print/portraits.json checks both).
 */
import lists from '$drawings/people.json' with { type: 'json' }
import drawn from '$drawings/people.svg?raw'
import { fnv, numbers, symbols } from './drawings.ts'
import type { Badge, Humans, People, PortraitState } from './portraits.ts'

/** The names of a face's parts, and its colours. */
export interface Look {
  woman: boolean
  age: string
  skin: string
  hair: string
  ground: string
  coat: string
  hat: string
  trim: string
  headwear: string
  head: string
  front: string
  back: string
  beard: string
  brow: string
  nose: string
  mouth: string
  cloth: string
  mark: string
  eyes: string
}

interface World {
  hats_m: string[]
  hats_w: string[]
  cloth_m: string[]
  cloth_w: string[]
  ground: string[]
  coat: string[]
  hat: string[]
  trim: string[]
  mark: string[]
}

const WORLDS: Record<Humans, World> = lists.worlds
const KINDS: Record<string, Partial<Look>> = lists.kinds
const MONSTERS: Record<string, string> = lists.monsters
const COLLARS: Record<string, string> = lists.collar
const WOMEN = new Set(lists.women.split(' '))
const MEN = new Set(lists.men.split(' '))
const PARTS = symbols(drawn)
const INK = '#1d130c'

const wordsOf = (name: string) => name.toLowerCase().match(/\p{L}+/gu) ?? []

/** Return the first word of a name, in the singular, that names a kind. */
const kindIn = (name: string, kinds: Record<string, unknown>) =>
  wordsOf(name)
    .map((word) => word.replace(/s$/, ''))
    .find((word) => Object.hasOwn(kinds, word))

/** Choose the parts and colours of a portrait. Every pick consumes a random number, whether it applies or not. */
export function person(name: string, people: Humans, chosen: Partial<Look> = {}): Look {
  const next = numbers(fnv(`${people}/${name.trim().toLowerCase()}`))
  const pick = (all: readonly string[]) => all[Math.floor((next() * all.length) / 2 ** 32)]!
  const world = WORLDS[people]
  const first = wordsOf(name)[0] ?? ''
  const own = { ...KINDS[kindIn(name, KINDS) ?? ''], ...chosen }
  const coin = Boolean(next() & 1)
  const woman = own.woman ?? (WOMEN.has(first) || (!MEN.has(first) && coin))
  const aged = pick(['young', 'mid', 'mid', 'old'])
  const skin = pick(lists.skin)
  const dark = pick(lists.hair.slice(0, 7))
  const ground = pick(world.ground)
  const coat = pick(world.coat)
  let hat = pick(world.hat)
  let trim = pick(world.trim)
  const age = own.age ?? aged
  const white = pick(lists.hair.slice(7))
  const headwear = pick(woman ? world.hats_w : world.hats_m)
  const head = pick(woman ? ['mid', 'narrow', 'mid'] : ['mid', 'broad', 'narrow'])
  if (trim === hat) trim = '#d9cdb0'
  if (headwear === 'straw') hat = '#c9a86a'
  if (['helm', 'kettle', 'coif'].includes(headwear)) [hat, trim] = ['#7a7d86', '#5b5a60']
  if (headwear === 'crown') trim = '#d9a441'
  if (headwear === 'visor') hat = '#3f7a4c'
  if (headwear === 'bonnet' && people === 'faith') hat = '#efe6d2'
  const folk = pick(['', '', '', 'elf', 'orc'])
  const green = pick(['#8fa070', '#9a9a6a'])
  const odd = people === 'crypt' ? folk : ''
  const look: Look = {
    woman,
    age,
    skin: odd === 'orc' ? green : skin,
    hair: age === 'old' ? white : dark,
    ground,
    coat,
    hat,
    trim,
    headwear,
    head: odd || head,
    front: pick(
      woman
        ? ['part', 'middle', 'short', 'curl', 'fringe', 'braidcrown']
        : age === 'old'
          ? ['bald', 'short', 'part']
          : ['short', 'part', 'curl', 'crop', 'bald', 'spike'],
    ),
    back: pick(woman ? ['long', 'bob', 'braids', 'afro', 'bun', 'tail', 'mane'] : ['', '', '', '', 'mane', 'tail']),
    beard: pick([
      '',
      '',
      'stubble',
      'mous',
      'walrus',
      'goat',
      'full',
      'chops',
      'chin',
      people === 'west' ? 'full' : 'long',
    ]),
    brow: pick(woman ? ['calm', 'sad', 'stern', 'calm'] : ['calm', 'stern', 'bushy', 'stern']),
    nose: pick(['straight', 'hook', 'broad']),
    mouth: pick(woman ? ['lips', 'lips', 'smile'] : ['flat', 'smile', 'grim', 'grin']),
    cloth: pick(woman ? world.cloth_w : world.cloth_m),
    mark: pick(world.mark),
    eyes: pick(['open', 'open', 'narrow']),
  }
  if (woman) Object.assign(look, { beard: '', eyes: 'lash' })
  Object.assign(look, own)
  if (look.mark === 'mask') look.beard = ''
  if (look.back === 'afro' && !['', 'kerchief', 'circlet', 'crown'].includes(look.headwear)) look.back = 'bob'
  if (look.back === 'bun' && look.headwear) look.back = ''
  if (['hood', 'scarf', 'coif'].includes(look.headwear)) look.back = ''
  if (look.back === 'afro') look.front = 'curl'
  return look
}

/**
 * Return the names of a portrait's parts from back to front, with options for other eyes, another hat, or the head
 * alone.
 */
function order(look: Look, eyes = '', hat = look.headwear, body = true): string[] {
  const { age, back, woman, mark, front } = look
  return [
    back && back !== 'braids' && `back-${back}`,
    body && 'coat',
    `head-${look.head}`,
    `eyes-${eyes || look.eyes}`,
    `brow-${look.brow}`,
    `nose-${look.nose}`,
    `mouth-${look.mouth}`,
    age === 'old' && 'mark-lines',
    woman && age !== 'old' && mark !== 'mask' && 'mark-blush',
    mark && mark !== 'mask' && mark !== 'patch' && `mark-${mark}`,
    look.head === 'orc' && 'tusks',
    look.beard && `beard-${look.beard}`,
    mark === 'patch' && !eyes && 'mark-patch',
    !woman && hat && front !== 'bald' && !['helm', 'hood', 'coif', 'scarf'].includes(hat) && 'sides',
    body && `cloth-${look.cloth}`,
    mark === 'mask' && 'mark-mask',
    back === 'braids' && 'over-braids',
    ['', 'visor', 'circlet', 'crown'].includes(hat) && `front-${front}`,
    hat && `hat-${hat}`,
  ].filter((part) => typeof part === 'string' && part !== '') as string[]
}

const draw = (parts: readonly string[], from = PARTS) => parts.map((part) => from[part]).join('')
const moved = (transform: string, inner: string) => `<g transform="${transform}">${inner}</g>`

const OF_MONSTERS = Object.keys(MONSTERS)

export interface Monster {
  kind: string
  ground: string
}

/**
 * Return the monster that a name contains, if any. Its portraits are all monsters, its own first, then the same on other
 * grounds. The drawings are in a separate file.
 */
export function monsterIn(name: string, people: People, face = 0): Monster | undefined {
  const own = people === 'crypt' ? kindIn(name, MONSTERS) : undefined
  if (!own) return undefined
  const count = OF_MONSTERS.length
  const at = OF_MONSTERS.indexOf(own) + face
  const ground = OF_MONSTERS[(at + Math.floor(face / count)) % count]!
  return { kind: OF_MONSTERS[at % count]!, ground: MONSTERS[ground]! }
}

/** Return a monster as SVG content for a view box of 100 by 100; `drawn` has the symbols of its file. */
export function monster({ kind, ground }: Monster, state: PortraitState, drawn: Record<string, string>): string {
  const parts = draw([kind, `${kind}-${state === 'up' ? 'open' : 'shut'}`], drawn)
  const lying = () => draw(['lie-monster']) + moved(lists.lying.monster, parts)
  return painted(state === 'down' ? lying() : draw(['ground']) + parts, { ground }, state)
}

/** Return a portrait as SVG content for a view box of 100 by 100; `face` is its number among the name's portraits. */
export function portrait(
  name: string,
  people: Humans,
  state: PortraitState = 'up',
  face = 0,
  chosen: Partial<Look> = {},
): string {
  if (state === 'hidden') return PARTS[`hidden-${people}`]!
  const look = person(face ? `${name} ${face}` : name, people, chosen)
  const colours = { ...look, collar: COLLARS[look.cloth] ?? look.trim }
  const standing = () => draw(['ground', ...order(look, state === 'dead' ? 'x' : '')])
  return painted(state === 'down' ? lying(look) : standing(), colours, state)
}

/** Draw a character on the ground with closed eyes; the hat lies on the ground too, unless it is tied on. */
function lying(look: Look): string {
  const keeps = lists.keeps.includes(look.headwear)
  const head = draw(order(look, 'closed', keeps ? look.headwear : '', false))
  const hat = look.headwear && !keeps ? moved(lists.lying.hat, draw([`hat-${look.headwear}`])) : ''
  return draw(['lie-ground']) + moved(lists.lying.all, draw(['lie-body']) + moved(lists.lying.head, head) + hat)
}

/** Fill in the colours; a dead character is grey. */
function painted(svg: string, colours: Record<string, unknown>, state: PortraitState): string {
  const filled = svg.replace(/var\(--(\w+)\)/g, (_, name: string) =>
    name === 'skin' && state === 'dead' ? pale(String(colours[name])) : String(colours[name]),
  )
  return state === 'dead' ? filled.replace(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/g, grey) : filled
}

const hex = (value: number) => `#${Math.trunc(value).toString(16).padStart(2, '0').repeat(3)}`

/** Return a dull grey in place of a colour; ink stays ink. */
function grey(colour: string): string {
  if (colour === INK) return colour
  const digits = colour.length === 4 ? colour.slice(1).replace(/./g, '$&$&') : colour.slice(1)
  const [r, g, b] = digits.match(/../g)!.map((part) => parseInt(part, 16)) as [number, number, number]
  return hex(((30 * r + 59 * g + 11 * b) * 68) / 10000 + 40)
}

/** The skin of the dead, light enough for the crosses to show; `grey` is applied afterwards. */
const pale = (skin: string) => hex((parseInt(grey(skin).slice(1, 3), 16) * 3) / 4 + 66)

/** Return a badge for a portrait's corner, for a view box of 20 by 20. */
export const badge = (of: Badge) => PARTS[`badge-${of}`]!
