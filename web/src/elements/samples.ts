/** A sample of each element as it is written, for the page that shows elements live and for its tests. */
import type { Cell, Elements } from '$contract'
import { TableClient } from '../client/client.svelte.ts'
import { TableContext } from '../client/context.svelte.ts'
import type { Game } from '../api/http.ts'
import type { Answer, Offer, Seat } from '../api/protocol.ts'
import { hyphened } from './attributes.ts'

/** Attributes by property name: their text, or whether they are present. */
export type Written = Record<string, string | boolean>

export interface Sample {
  name: keyof Elements
  /** The attributes of the element to try. */
  given: Written
  /** A property that isn't an attribute. */
  cells?: Cell[]
  /** A text in front of the element. */
  before?: string
  /** Further elements, in HTML. */
  more?: string
}

export const SAMPLES: Sample[] = [
  {
    name: 'ch-card',
    given: { card: 'H7', turned: false, mini: false },
    more: '<ch-card card="RJ"></ch-card>\n<ch-card turned></ch-card>\n<ch-card card="S10" mini></ch-card>',
  },
  {
    name: 'ch-hand',
    given: { cards: 'H7 SJ D4 CA C9', chosen: 'SJ', closed: 'CA', chooses: true, label: 'Your hand' },
  },
  {
    name: 'ch-fan',
    given: { cards: 'S10 SJ SQ SK SA', chooses: false, label: 'A straight' },
    more: '<ch-fan count="6" label="Ben’s hand"></ch-fan>',
  },
  {
    name: 'ch-pile',
    given: { cards: 'H2 D9 C4 SQ H7', label: 'Discards' },
    more: '<ch-pile cards="CK" count="12" label="Seen last"></ch-pile>\n<ch-pile label="Nothing yet"></ch-pile>',
  },
  {
    name: 'ch-deck',
    given: { left: '23', label: 'Cards' },
    more: '<ch-deck left="1" label="The last"></ch-deck>\n<ch-deck left="0" label="None left"></ch-deck>',
  },
  {
    name: 'ch-die',
    given: { shows: '5', sides: '' },
    more: '<ch-die shows="2"></ch-die>\n<ch-die shows="17" sides="20"></ch-die>',
  },
  {
    name: 'ch-seat',
    given: { seat: 'p1', bare: false },
    more: '<ch-seat seat="p2"></ch-seat>\n<ch-seat seat="p3"></ch-seat>\n<ch-seat seat="p4"></ch-seat>',
  },
  { name: 'ch-rule', before: 'The highest card wins.', given: { rule: 'H-3' } },
  { name: 'ch-choices', given: { leaveOut: '', only: '' } },
  {
    name: 'ch-card-picker',
    given: { cards: 'HA H2 H3 H5 H6 H7 H8 H10 HJ HQ HK SJ SQ SA BJ', label: 'Which card?', confirm: '', problem: '' },
  },
  {
    name: 'ch-odds',
    given: { share: '0.36', label: 'takes the round' },
    more: '<ch-odds share="0.001" label="nobody does"></ch-odds>',
  },
  {
    name: 'ch-grid',
    given: { chooses: true, label: 'The board' },
    cells: [
      { x: 0, y: 0, card: 'H7' },
      { x: 1, y: 0, card: 'S7' },
      { x: 2, y: 0 },
      { x: 0, y: 1, turned: true },
      { x: 1, y: 1, closed: true },
    ],
  },
]

/** Return the code of a sample. */
export function source({ name, cells, before, more }: Sample, given: Written): string {
  const attributes = Object.entries(given).flatMap(([key, value]) => {
    if (value === false || value === '') return []
    return value === true ? [hyphened(key)] : [`${hyphened(key)}="${value.replaceAll('"', '&quot;')}"`]
  })
  const script = cells && `grid.cells = [\n${cells.map((cell) => `  ${literal(cell)},\n`).join('')}]`
  return [before, `<${[name, ...attributes].join(' ')}></${name}>`, more, script].filter(Boolean).join('\n')
}

const literal = (cell: Cell) =>
  `{ ${Object.entries(cell)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? `'${value}'` : String(value)}`)
    .join(', ')} }`

/** A table for display: nothing is sent, and every action is accepted and reported. */
class SampleClient extends TableClient {
  constructor(
    seats: Seat[],
    offers: Offer[],
    readonly answered: (answer: Answer) => void,
  ) {
    super('sample', '', false)
    this.you = 'p1'
    this.seats = seats
    this.offers = offers
    this.doc = {
      view: {},
      asks: { key: 'take', kind: 'ask', rule: 'H-2', seats: ['p1'], with: {} },
    }
    this.status = 'here'
  }
  override answer = (answer: Answer): Promise<string | null> => {
    this.answered(answer)
    return Promise.resolve(null)
  }
}

export function sampleTable(answered: (answer: Answer) => void): TableContext {
  const seats = [
    { seat: 'p1', name: 'Ada', here: true },
    { seat: 'p2', name: 'בן', here: false },
    { seat: 'p3', name: '', here: false },
    { seat: 'p4', name: '', here: false, bot: 'bold' },
  ]
  const offers = [
    { do: 'take', fields: {} },
    { do: 'pass', fields: {} },
    { do: 'bet', fields: { chips: { type: 'integer', minimum: 1, maximum: 9 } } },
  ] as const satisfies Offer[]
  return new TableContext(new SampleClient(seats, [...offers], answered), GAME)
}

/** The rule H-3 of the sample. */
export const RULE = { title: 'Highest wins', text: 'The highest card wins the round, aces high.' }

const GAME = {
  name: 'sample',
  rules: { 'H-3': RULE.title },
  words: {
    ...{
      title: 'Sample',
      tagline: '',
      original: '',
      asks: {},
      events: {},
      fields: { chips: 'Chips' },
      values: {},
      options: {},
    },
    ...{
      steps: {},
      decks: {},
      bots: { bold: { title: 'Bold', text: '' } },
      page: {},
      actions: { take: 'Take a card', pass: 'Pass', bet: 'Bet' },
    },
  },
  facts: {},
  options: {},
  decks: ['cards'],
} as unknown as Game
