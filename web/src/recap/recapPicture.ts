/** The recap of a finished table as a picture to share, in its game's world, with the page's drawings. */
import { mount, unmount } from 'svelte'
import serif from '../faces/serif-700.woff?url'
import Recap from './Recap.svelte'
import { saveFile } from '../api/http.ts'
import { at } from '../lib/base.ts'
import { contextOf, type TableContext } from '../client/context.svelte.ts'
import type { TableRecap } from './recap.svelte.ts'

const WIDE = 1080
const HIGH = 1350
const EDGE = 60
const INNER = WIDE - 2 * EDGE
const SKY = 420
/** The most portraits in the strip. */
const FACES = 9
const DARK = 'rgb(28 15 8 / 0.88)'
const PALE = '#fff1d8'
const SOFT = '#eccfae'
const GOLD = '#f3c76a'

/** The most frames to wait for drawings. */
const PATIENCE = 120

type Pen = CanvasRenderingContext2D

/** Break a text into lines of this width. */
function lines(pen: Pen, text: string, width: number): string[] {
  const found: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word
    if (line && pen.measureText(longer).width > width) {
      found.push(line)
      line = word
    } else line = longer
  }
  return line ? [...found, line] : found
}

interface Written {
  font: string
  size: number
  colour: string
  width?: number
  most?: number
  high?: number
}

/** Write a text from this line down, with at most `most` lines; return its lower end. */
function write(
  pen: Pen,
  text: string,
  x: number,
  y: number,
  { font, size, colour, width = INNER, most = 2, high = 1.25 }: Written,
) {
  pen.font = `${size}px ${font}`.replace(/^(\d+px) (\d+) /, '$2 $1 ')
  pen.fillStyle = colour
  const all = lines(pen, text, width)
  const shown = all.slice(0, most)
  if (all.length > most) shown[most - 1] += '…'
  shown.forEach((line, place) => pen.fillText(line, x, y + place * size * high, width))
  return y + shown.length * size * high
}

function panel(pen: Pen, x: number, y: number, width: number, height: number, fill: string, radius = 18) {
  pen.beginPath()
  pen.roundRect(x, y, width, height, radius)
  pen.fillStyle = fill
  pen.fill()
}

const loaded = (url: string): Promise<HTMLImageElement | null> =>
  new Promise((done) => {
    const image = new Image()
    image.onload = () => done(image)
    image.onerror = () => done(null)
    image.src = url
  })

/** Return the address in a style's url(…). */
const addressIn = (value: string) => /url\("?([^"()]*)"?\)/.exec(value)?.[1] ?? ''

/** The properties of drawings that come from style sheets. */
const INLINED = ['fill', 'stroke', 'stroke-width', 'stroke-linejoin', 'paint-order', 'opacity', 'font', 'text-anchor']

/** Turn an SVG of the page into an image with its computed style. */
function drawn(svg: SVGSVGElement, faces: string): Promise<HTMLImageElement | null> {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const copies = [...copy.querySelectorAll<SVGElement>('*')]
  ;[...svg.querySelectorAll('*')].forEach((part, place) => {
    const look = getComputedStyle(part)
    for (const name of INLINED) copies[place]!.style.setProperty(name, look.getPropertyValue(name))
  })
  const [, , width, height] = (svg.getAttribute('viewBox') ?? '0 0 100 100').split(' ').map(Number)
  copy.setAttribute('width', String(width! * 4))
  copy.setAttribute('height', String(height! * 4))
  copy.removeAttribute('style')
  copy.insertAdjacentHTML('afterbegin', `<style>${faces}</style>`)
  return loaded(`data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`)
}

/** An SVG image can only use typefaces embedded in it. */
async function faceIn(address: string, family: string, weight: number): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer())
  const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return `@font-face{font-family:${family};font-weight:${weight};src:url(data:font/woff;base64,${data})}`
}

/** Return the recap on the page, or a hidden one, and a function that removes it. */
async function recapElement(table: TableContext, shown: boolean): Promise<[HTMLElement, () => void]> {
  const onPage = () => document.querySelector<HTMLElement>('main.table .recap')
  for (let frame = 0; shown && frame < PATIENCE && !onPage(); frame++) await new Promise(requestAnimationFrame)
  const there = onPage()
  const place = document.createElement('div')
  let close = () => {}
  if (!there) {
    place.style.cssText = 'position: fixed; top: 0; left: -2000px; width: 1000px'
    document.querySelector('main.table')!.append(place)
    const part = mount(Recap, { target: place, props: {}, context: contextOf(table) })
    close = () => (void unmount(part), place.remove())
  }
  const found = () => there ?? place
  const ready = () => {
    const portraits = [...found().querySelectorAll('.portrait > svg:first-child')]
    return portraits.length > 0 && portraits.every((one) => one.childElementCount > 0)
  }
  for (let frame = 0; frame < PATIENCE && !ready(); frame++) await new Promise(requestAnimationFrame)
  return [found(), close]
}

/** Draw an image on its own ground, with rounded corners. */
async function place(
  pen: Pen,
  svg: SVGSVGElement | null,
  faces: string,
  x: number,
  y: number,
  width: number,
  height: number,
) {
  const image = svg && (await drawn(svg, faces))
  if (!image) return
  const ground = getComputedStyle(svg).backgroundColor
  pen.save()
  pen.shadowColor = 'rgb(0 0 0 / 0.4)'
  pen.shadowBlur = 14
  pen.shadowOffsetY = 5
  panel(pen, x, y, width, height, ground === 'rgba(0, 0, 0, 0)' ? '#2a2018' : ground, width * 0.09)
  pen.restore()
  pen.save()
  pen.clip(new Path2D(roundedPath(x, y, width, height, width * 0.09)))
  pen.drawImage(image, x, y, width, height)
  pen.restore()
}

const roundedPath = (x: number, y: number, w: number, h: number, r: number) =>
  `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1-${r} ${r}h-${w - 2 * r}a${r} ${r} 0 0 1-${r}-${r}v-${h - 2 * r}a${r} ${r} 0 0 1 ${r}-${r}z`

/** Draw the cloth, and the world's sky above it. */
async function ground(pen: Pen, look: CSSStyleDeclaration) {
  const light = pen.createRadialGradient(WIDE / 2, HIGH * 0.44, 0, WIDE / 2, HIGH * 0.44, HIGH * 0.72)
  ;['--cloth-lit', '--cloth', '--cloth-edge'].forEach((name, stop) =>
    light.addColorStop([0, 0.62, 1][stop]!, look.getPropertyValue(name).trim()),
  )
  pen.fillStyle = light
  pen.fillRect(0, 0, WIDE, HIGH)
  const texture = await loaded(addressIn(look.getPropertyValue('--texture')))
  const pattern = texture && pen.createPattern(texture, 'repeat')
  if (pattern) {
    pen.fillStyle = pattern
    pen.fillRect(0, 0, WIDE, HIGH)
  }
  const horizon = await loaded(addressIn(look.getPropertyValue('--horizon')))
  // A horizon is 1200 by 240; its middle and its lower edge are always visible.
  const width = SKY * 5
  if (horizon) pen.drawImage(horizon, (WIDE - width) / 2, 0, width, SKY)
}

async function picture(table: TableContext, tableRecap: TableRecap, shown: boolean): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDE, height: HIGH })
  const pen = canvas.getContext('2d')!
  const look = getComputedStyle(document.querySelector('main.table')!)
  const style = (name: string) => look.getPropertyValue(name).trim()
  const [display, sans] = [style('--display'), style('--sans')]
  const world = table.game.page.world?.face
  const faces = await Promise.all([
    faceIn(serif, "'Cardhouse Serif'", 700),
    ...(world ? [faceIn(at(world), display.split(',')[0]!, 400)] : []),
  ]).then(
    (all) => all.join(''),
    () => '',
  )
  await Promise.allSettled([`400 40px ${display}`, `400 30px ${sans}`].map((font) => document.fonts.load(font)))
  pen.textBaseline = 'top'
  await ground(pen, look)

  panel(pen, EDGE, 70, INNER, 236, DARK)
  write(pen, tableRecap.name, EDGE + 36, 92, { font: display, size: 84, colour: PALE, width: INNER - 72, most: 1 })
  const names = tableRecap.people.map(({ name }) => name).join(', ')
  const under = write(pen, tableRecap.day, EDGE + 38, 198, {
    font: sans,
    size: 32,
    colour: SOFT,
    width: INNER - 76,
    most: 1,
  })
  write(pen, names, EDGE + 38, under, { font: sans, size: 32, colour: SOFT, width: INNER - 76, most: 1 })

  const ink = style('--cloth-ink')
  const quiet = style('--cloth-quiet')
  const fill = style('--cloth-scheme') === 'light' ? 'rgb(255 248 230 / 0.5)' : 'rgb(0 0 0 / 0.28)'
  pen.textAlign = 'center'
  let size = 88
  pen.font = `${size}px ${display}`
  while (size > 40 && pen.measureText(tableRecap.headline).width > INNER) pen.font = `${(size -= 4)}px ${display}`
  write(pen, tableRecap.headline, WIDE / 2, SKY + 36 + (88 - size) / 2, { font: display, size, colour: ink, most: 1 })
  pen.textAlign = 'start'

  const [recap, close] = await recapElement(table, shown)
  const one = (from: ParentNode | undefined, selector: string) => from?.querySelector<SVGSVGElement>(selector) ?? null
  const items = [...recap.querySelectorAll('.moments > li')]
  const step = 192
  for (const [place_, { title, text, about, card, who }] of tableRecap.shown.entries()) {
    const y = SKY + 160 + place_ * step
    panel(pen, EDGE, y, INNER, step - 18, fill)
    const left = EDGE + (who ? 172 : 28)
    const width = INNER - (who ? 172 : 28) - (card ? 160 : 28)
    if (who) await place(pen, one(items[place_], '.portrait > svg:first-child'), faces, EDGE + 22, y + 23, 128, 128)
    if (card) await place(pen, one(items[place_], ':scope > .card svg'), faces, EDGE + INNER - 136, y + 11, 109, 152)
    const below = title
      ? write(pen, table.say(title, about), left, y + 26, { font: display, size: 44, colour: ink, width, most: 1 })
      : y + 30
    write(pen, table.say(text, about), left, below, { font: sans, size: 30, colour: ink, width })
  }

  const all = [...recap.querySelectorAll('.people > li')]
  const people = all.slice(0, all.length > FACES ? FACES - 1 : FACES)
  const strip = HIGH - 196
  const wide = all.length > FACES ? INNER : people.length * 103 + 25
  const begin = (WIDE - wide) / 2
  panel(pen, begin, strip, wide, 112, DARK)
  for (const [place_, person] of people.entries())
    await place(pen, one(person, '.portrait > svg:first-child'), faces, begin + 22 + place_ * 103, strip + 14, 84, 84)
  const more = tableRecap.people.length - people.length
  if (more > 0) write(pen, `+${more}`, EDGE + INNER - 84, strip + 38, { font: sans, size: 30, colour: GOLD, width: 70 })
  close()

  const figures = tableRecap.shownFigures.map(
    (figure) => `${figure.n} ${table.say(tableRecap.text(figure.key), { ...figure.about, n: figure.n })}`,
  )
  write(pen, figures.join(' · '), EDGE, HIGH - 70, { font: sans, size: 26, colour: quiet, width: INNER - 200, most: 1 })
  pen.textAlign = 'end'
  write(pen, 'Cardhouse', WIDE - EDGE, HIGH - 72, { font: style('--serif'), size: 32, colour: ink, most: 1 })
  frame(pen)
  return new Promise((done) => canvas.toBlob((blob) => done(blob!), 'image/png'))
}

function frame(pen: Pen) {
  pen.lineWidth = 20
  pen.strokeStyle = '#231a13'
  pen.strokeRect(10, 10, WIDE - 20, HIGH - 20)
  pen.lineWidth = 3
  pen.strokeStyle = '#c08a45'
  pen.strokeRect(21.5, 21.5, WIDE - 43, HIGH - 43)
}

/**
 * Share the picture as the device does, or save it; return the key of a confirmation. The drawings come from the recap,
 * if the page shows it.
 */
export async function send(
  table: TableContext,
  tableRecap: TableRecap,
  shown: boolean,
): Promise<'picture_sent' | 'picture_saved'> {
  const file = new File([await picture(table, tableRecap, shown)], `${tableRecap.name}.png`, { type: 'image/png' })
  if (navigator.canShare?.({ files: [file] })) {
    const shared = await navigator.share({ files: [file], title: tableRecap.name }).then(
      () => true,
      // Someone who cancels sharing doesn't want a file either.
      (error: Error) => error.name === 'AbortError',
    )
    if (shared) return 'picture_sent'
  }
  saveFile(file, file.name)
  return 'picture_saved'
}
