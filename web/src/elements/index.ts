/** The page's shared components as custom elements, for views that have no build step (docs/page-contract.md). */
import type { Component } from 'svelte'
import type { Elements } from '$contract'
import { ATTRIBUTES } from './attributes.ts'
import CardPicker from './CardPicker.svelte'
import Card from './Card.svelte'
import Choices from './Choices.svelte'
import Deck from './Deck.svelte'
import { define } from './define.svelte.ts'
import Die from './Die.svelte'
import Grid from './Grid.svelte'
import Hand from './Hand.svelte'
import Odds from './Odds.svelte'
import Pile from './Pile.svelte'
import Rule from './Rule.svelte'
import Seat from './Seat.svelte'

const PARTS: Record<keyof Elements, Component<any>> = {
  'ch-card': Card,
  'ch-hand': Hand,
  'ch-fan': Hand,
  'ch-pile': Pile,
  'ch-deck': Deck,
  'ch-die': Die,
  'ch-seat': Seat,
  'ch-rule': Rule,
  'ch-choices': Choices,
  'ch-card-picker': CardPicker,
  'ch-odds': Odds,
  'ch-grid': Grid,
}

for (const name of Object.keys(PARTS) as (keyof Elements)[]) define(name, PARTS[name], ATTRIBUTES[name])
