import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardInText, cardName, isCard, typedCard } from './cards.ts'

test('a card may be typed in any order and case', () => {
  for (const typed of ['QS', 'sq', ' q s ', 'Q♠', '♠︎Q']) assert.equal(typedCard(typed), 'SQ', typed)
  for (const typed of ['10h', 'H10', 'th']) assert.equal(typedCard(typed), 'H10', typed)
  for (const typed of ['rj', 'red joker', 'Joker red', 'JR']) assert.equal(typedCard(typed), 'RJ', typed)
  assert.equal(typedCard('black joker'), 'BJ')
  assert.equal(typedCard('jd'), 'DJ')
  for (const typed of ['', 'q', '11h', 'joker', 'qx', 'hh']) assert.equal(typedCard(typed), null, typed)
})

test('cards have names', () => {
  assert.equal(cardName('HK'), 'king of hearts')
  assert.equal(cardInText('HK'), 'the king of hearts')
  assert.equal(cardInText('RJ'), 'the red joker')
  assert.equal(cardName('S10b'), '10 of spades')
  assert.equal(cardName('BJ'), 'the black joker')
  assert.ok(isCard('DJ') && isCard('RJ') && !isCard('Ada') && !isCard('H1'))
})
