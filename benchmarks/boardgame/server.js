// Card initiative's shape on boardgame.io: an answer changes a little, and the whole state is sent to each of four.
//
//   node server.js [FOLDER]
//
// prints its address. What is played is kept in memory, or in files in FOLDER.
const { FlatFile, Server } = require('boardgame.io/server')

const NAMES = ['Ada', 'Wyatt', 'Josephine', 'Doc', 'Clementine', 'Ike', 'Big Nose Kate', 'Curly']
const CARDS = ['SA', 'SK', 'SQ', 'S9', 'HA', 'HJ', 'H8', 'H3']

const setup = () => ({
  round: 1,
  acting: null,
  deck_left: 54,
  drawn: [],
  discard: [],
  characters: NAMES.map((name, place) => ({
    name,
    card: CARDS[place],
    side: place % 2 ? 'Law' : 'Gang',
    controller: String(place % 4),
    hidden: false,
    acted: 0,
    where: ['deck'],
    out: false,
  })),
})

// The next card of the order is turned up, and whoever has it acts.
const act = ({ G }) => {
  if (G.discard.length === NAMES.length) {
    G.round += 1
    G.discard = []
  }
  const character = G.characters[G.discard.length]
  character.acted += 1
  character.where = ['discard']
  G.acting = character.name
  G.drawn = [character.card]
  G.discard.push(character.card)
}

const turn = { activePlayers: { all: 'play' }, stages: { play: {} } }
const game = { name: 'initiative', minPlayers: 4, maxPlayers: 4, setup, moves: { act }, turn }
const folder = process.argv[2]
const server = Server({
  games: [game],
  origins: [/./],
  authenticateCredentials: () => true,
  ...(folder ? { db: new FlatFile({ dir: folder, logging: false }) } : {}),
})
console.info = console.log = () => {}
server.run({ port: 0 }).then(({ appServer }) => {
  process.stdout.write(`http://127.0.0.1:${appServer.address().port}\n`)
})
