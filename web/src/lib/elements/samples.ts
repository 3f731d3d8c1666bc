/** Each of the page's elements as one writes it, for the page that shows them living and for its tests. */
import { TableClient } from '../client.svelte.ts'
import { TableContext } from '../context.svelte.ts'
import type { Game } from '../api.ts'
import type { Answer, Offer, Seat } from '../protocol.ts'

export interface Sample {
  name: string
  /** What it is for, in a sentence. */
  about: string
  /** As it is written. */
  html: string
  /** Properties of the first element, beside its attributes. */
  with?: Record<string, unknown>
}

export const SAMPLES: Sample[] = [
  {
    name: 'ch-card',
    about: 'A card, face up or turned, as the game draws its cards. It flies by itself from where it lay.',
    html: '<ch-card card="H7"></ch-card> <ch-card card="RJ"></ch-card> <ch-card turned></ch-card> <ch-card card="S10" mini></ch-card>',
  },
  {
    name: 'ch-hand',
    about: 'Cards side by side. Where one chooses, each is a button, and choosing tells “choose” with the card.',
    html: '<ch-hand cards="H7 SJ D4 CA" chosen="SJ" closed="CA" chooses label="Your hand"></ch-hand>',
  },
  {
    name: 'ch-fan',
    about: 'Cards as one holds them; of a hand that nobody sees, how many.',
    html: '<ch-fan cards="S10 SJ SQ SK SA" label="A straight"></ch-fan> <ch-fan count="6" label="Ben’s hand"></ch-fan>',
  },
  {
    name: 'ch-pile',
    about: 'Cards one on the other, the last on top, and how many they are.',
    html: '<ch-pile cards="H2 D9 C4 SQ H7" label="The discard pile"></ch-pile>',
  },
  {
    name: 'ch-deck',
    about: 'The deck and what is left in it: cards that appear come from here.',
    html: '<ch-deck left="23" label="Cards"></ch-deck> <ch-deck left="0" label="Cards"></ch-deck>',
  },
  {
    name: 'ch-die',
    about: 'A die as it fell; of other than six sides its number.',
    html: '<ch-die shows="5"></ch-die> <ch-die shows="2"></ch-die> <ch-die shows="17" sides="20"></ch-die>',
  },
  {
    name: 'ch-seat',
    about: 'Who sits in a seat, and whether they are there.',
    html: '<ch-seat seat="p1"></ch-seat> <ch-seat seat="p2"></ch-seat>',
  },
  {
    name: 'ch-rule',
    about: 'A rule’s id, which opens its text.',
    html: 'The highest card wins. <ch-rule rule="H-3"></ch-rule>',
  },
  {
    name: 'ch-choices',
    about: 'What may be answered now, as buttons and forms; only some of it, or all but some.',
    html: '<ch-choices only="take"></ch-choices>',
  },
  {
    name: 'ch-card-picker',
    about: 'One of the cards there can be, by a tap or typed; it tells “choose” with the card.',
    html: '<ch-card-picker cards="H7 H9 HK SJ D4 CA BJ" label="Which card?"></ch-card-picker>',
  },
  {
    name: 'ch-odds',
    about: 'A chance as a bar and in percent, never 0 or 100 of what is neither.',
    html: '<ch-odds share="0.36" label="takes the round"></ch-odds> <ch-odds share="0.001" label="nobody does"></ch-odds>',
  },
  {
    name: 'ch-grid',
    about:
      'Cards in columns and rows. Where one chooses, each place is a button and tells “choose” with x, y and card.',
    html: '<ch-grid chooses label="The board"></ch-grid>',
    with: {
      cells: [
        { x: 0, y: 0, card: 'H7' },
        { x: 1, y: 0, card: 'S7' },
        { x: 2, y: 0 },
        { x: 0, y: 1, turned: true },
        { x: 1, y: 1, closed: true },
      ],
    },
  },
]

/** A table that is there for its looks: nothing is sent, and every answer is taken. */
class SampleClient extends TableClient {
  constructor(seats: Seat[], offers: Offer[]) {
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
  override answer = (_: Answer): Promise<string | null> => Promise.resolve(null)
}

export function sampleTable(): TableContext {
  const seats = [
    { seat: 'p1', name: 'Ada', here: true },
    { seat: 'p2', name: 'בן', here: false },
  ]
  return new TableContext(new SampleClient(seats, [{ do: 'take', fields: {} }]), GAME)
}

const GAME = {
  name: 'sample',
  rules: { 'H-3': { title: 'Highest wins', text: 'The highest card wins the round, aces high.' } },
  words: {
    ...{ title: 'Sample', tagline: '', asks: {}, events: {}, fields: {}, values: {}, options: {}, steps: {} },
    ...{ decks: {}, bots: {}, page: {}, actions: { take: 'Take a card' } },
  },
  facts: {},
  options: {},
  decks: ['cards'],
} as unknown as Game
