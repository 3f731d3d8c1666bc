/** A picture of an evening, drawn to be sent. */
import { saveFile } from './api.ts'
import type { TableContext } from './context.svelte.ts'
import type { Told } from './told.svelte.ts'

/** What is on it: whose evening it was, its numbers, and what there is to tell. */
export interface Pictured {
  title: string
  under: string
  people: string
  numbers: { n: string; text: string }[]
  said: string[]
}

const WIDE = 1080
const HIGH = 1350
const EDGE = 84
const INNER = WIDE - 2 * EDGE
const NUMBERS = 4
const COLOURS = {
  ground: '#0c1713',
  light: '#1c382c',
  ink: '#eef0e8',
  quiet: '#9db0a5',
  brass: '#dfaa4a',
  line: '#2a4337',
}

const style = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Lines in which a text fits this width. */
function lines(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
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

class Pen {
  y = EDGE
  readonly #pen: CanvasRenderingContext2D
  readonly #serif = style('--serif') || 'serif'
  readonly #sans = style('--sans') || 'sans-serif'

  constructor(pen: CanvasRenderingContext2D) {
    this.#pen = pen
    pen.textBaseline = 'top'
  }

  font(size: number, serif = false, weight = 400) {
    this.#pen.font = `${weight} ${size}px ${serif ? this.#serif : this.#sans}`
  }

  /** A text below what was written, in so many lines at most; how far it goes down. */
  write(text: string, size: number, colour: string, { x = EDGE, width = INNER, most = 2, serif = false } = {}): number {
    this.font(size, serif)
    this.#pen.fillStyle = colour
    const all = lines(this.#pen, text, width)
    const shown = all.slice(0, most)
    if (all.length > most) shown[most - 1] += '…'
    shown.forEach((line, place) => this.#pen.fillText(line, x, this.y + place * size * 1.3, width))
    return shown.length * size * 1.3
  }

  ground() {
    const lamp = this.#pen.createRadialGradient(WIDE / 2, HIGH * 0.3, 0, WIDE / 2, HIGH * 0.3, HIGH * 0.8)
    lamp.addColorStop(0, COLOURS.light)
    lamp.addColorStop(1, COLOURS.ground)
    this.#pen.fillStyle = lamp
    this.#pen.fillRect(0, 0, WIDE, HIGH)
  }

  rule() {
    this.#pen.fillStyle = COLOURS.line
    this.#pen.fillRect(EDGE, this.y, INNER, 2)
    this.y += 44
  }
}

function head(pen: Pen, { title, under, people }: Pictured) {
  pen.y += pen.write(title, 76, COLOURS.ink, { serif: true }) + 12
  pen.y += pen.write(under, 34, COLOURS.quiet, { most: 1 }) + 4
  if (people) pen.y += pen.write(people, 34, COLOURS.quiet) + 4
  pen.y += 36
}

/** The first numbers, two beside each other. */
function numbers(pen: Pen, all: Pictured['numbers']) {
  const width = INNER / 2 - 24
  const shown = all.slice(0, NUMBERS)
  for (let row = 0; row < shown.length; row += 2) {
    const top = pen.y
    const ends = shown.slice(row, row + 2).map(({ n, text }, place) => {
      const at = { x: EDGE + place * (INNER / 2 + 24), width }
      pen.y = top
      pen.y += pen.write(n, 104, COLOURS.brass, { ...at, serif: true, most: 1 }) - 8
      pen.y += pen.write(text, 34, COLOURS.quiet, at)
      return pen.y
    })
    pen.y = Math.max(...ends) + 28
  }
}

function moments(pen: Pen, said: string[]) {
  for (const one of said) {
    if (pen.y > HIGH - EDGE - 150) return
    pen.y += pen.write(one, 40, COLOURS.ink) + 22
  }
}

/** The picture as a PNG, 1080 by 1350 points. */
export async function picture(of: Pictured): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDE, height: HIGH })
  const pen = new Pen(canvas.getContext('2d')!)
  pen.ground()
  head(pen, of)
  if (of.numbers.length) numbers(pen, of.numbers)
  pen.rule()
  moments(pen, of.said)
  pen.y = HIGH - EDGE + 12
  pen.write('Cardhouse', 32, COLOURS.quiet, { serif: true, most: 1 })
  return new Promise((done) => canvas.toBlob((blob) => done(blob!), 'image/png'))
}

/** Have it sent the way this device sends things, or else saved; gives the words for what was done. */
export async function send(table: TableContext, told: Told): Promise<'picture_sent' | 'picture_saved'> {
  const of: Pictured = {
    title: told.name,
    under: told.day,
    people: told.people.map(({ name }) => name).join(', '),
    numbers: told.figures.map((one) => ({
      n: String(one.n),
      text: table.say(told.text(one.key), { ...one.about, n: one.n }),
    })),
    said: told.highlights.map(({ text, about }) => table.say(text, about)),
  }
  const file = new File([await picture(of)], `${of.title}.png`, { type: 'image/png' })
  if (navigator.canShare?.({ files: [file] })) {
    const shared = await navigator.share({ files: [file], title: of.title }).then(
      () => true,
      // Whoever thinks better of it doesn't want the file either.
      (error: Error) => error.name === 'AbortError',
    )
    if (shared) return 'picture_sent'
  }
  saveFile(file, file.name)
  return 'picture_saved'
}
