/** The page's shared parts as custom elements, for views that are built with nothing (docs/page-contract.md). */
import Choices from '../../parts/Choices.svelte'
import CardPicker from './CardPicker.svelte'
import Card from './Card.svelte'
import Deck from './Deck.svelte'
import { define } from './define.svelte.ts'
import Die from './Die.svelte'
import Grid from './Grid.svelte'
import Hand from './Hand.svelte'
import Odds from './Odds.svelte'
import Pile from './Pile.svelte'
import Rule from './Rule.svelte'
import Seat from './Seat.svelte'

define('ch-card', Card, { card: 'text', turned: 'flag', mini: 'flag', label: 'text' })
define('ch-hand', Hand, { cards: 'words', chosen: 'words', closed: 'words', chooses: 'flag', label: 'text' })
define('ch-fan', Hand, { cards: 'words', count: 'number', label: 'text' }, ['fanned'])
define('ch-pile', Pile, { cards: 'words', label: 'text' })
define('ch-deck', Deck, { left: 'number', label: 'text', pack: 'text' })
define('ch-die', Die, { shows: 'number', sides: 'number' })
define('ch-seat', Seat, { seat: 'text' })
define('ch-rule', Rule, { rule: 'text' })
define('ch-choices', Choices, { leaveOut: 'words', only: 'words' })
define('ch-card-picker', CardPicker, { cards: 'words', label: 'text', confirm: 'text', problem: 'text' })
define('ch-odds', Odds, { share: 'number', label: 'text' })
define('ch-grid', Grid, { chooses: 'flag', label: 'text' }, ['cells'])
