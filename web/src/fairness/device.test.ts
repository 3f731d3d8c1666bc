import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientFrame, ServerFrame } from '../api/protocol.ts'
import type { Drawn } from '../api/wire.ts'
import { Device, LINKS_AN_ANSWER, type StoredDevice } from './device.ts'
import { leadsTo } from './chain.ts'
import type { GivenLink } from './witness.ts'

/** Create a device that records its frames, links and complaints. */
function device(kept: StoredDevice | null = null) {
  const sent: ClientFrame[] = []
  const gave: GivenLink[] = []
  const complaints: unknown[] = []
  const own = new Device(
    {
      seat: 'p2',
      say: (frame) => sent.push(frame),
      given: (link) => gave.push(link),
      complain: (what, about) => complaints.push({ what, ...about }),
    },
    kept,
  )
  return { own, sent, gave, complaints }
}

/** Create a device that sits at a table as number 2. */
function sitting() {
  const sits = device()
  sits.own.sat()
  sits.own.numbered(2)
  return sits
}

const asks = (round: number, id = `id${round}`, fixed = 'f0', devices = [1, 2]) =>
  ({ t: 'round', round, id, by: 'gm', fixed, devices, number: 2 }) as Extract<ServerFrame, { t: 'round' }>
/** Return a round as logged with entry `n`: device 1 gave its link, and device 2 `link`. */
const logged = (n: number, round: number, link?: string, more: Partial<Drawn> = {}): Drawn => ({
  n,
  round,
  links: { 1: 'aa', ...(link && { 2: link }) },
  fixed: 'f0',
  ...more,
})
const away = { withheld: { 2: 'p2' } }
const links = (sent: ClientFrame[]) => sent.flatMap((frame) => (frame.t === 'link' ? [frame.link] : []))

test('it takes part with its anchor, and gives a link each time it is asked', () => {
  const { own, sent, gave, complaints } = sitting()
  own.asked(asks(1))
  own.asked(asks(4))
  const [joins] = sent as [{ t: 'device'; anchor: string }]
  const [first, second] = links(sent)
  assert.equal(joins.t, 'device')
  assert.ok(leadsTo(first!, joins.anchor) && leadsTo(second!, first!))
  assert.deepEqual(
    gave.map(({ device, round, id }) => [device, round, id]),
    [
      [2, 1, 'id1'],
      [2, 4, 'id4'],
    ],
  )
  own.changed([logged(3, 1, first), logged(4, 4, second)])
  assert.deepEqual(complaints, [])
})

test('for one round it answers for one answer only, and for none that is over', () => {
  const { own, sent, complaints } = sitting()
  own.asked(asks(3))
  own.asked(asks(3))
  own.asked(asks(3, 'another'))
  own.asked(asks(3, 'id3', 'f1'))
  own.asked(asks(2))
  assert.equal(new Set(links(sent)).size, 1)
  assert.equal(links(sent).length, 2)
  assert.deepEqual(complaints, [
    { what: 'asked_twice', round: 3 },
    { what: 'asked_twice', round: 3 },
    { what: 'asked_twice', round: 2 },
  ])
})

test('back again it has its number, and tells of its last round', () => {
  const { own, sent } = sitting()
  own.asked(asks(3))
  own.sat()
  assert.deepEqual(sent.at(-1), { t: 'device', number: 2, anchor: links(sent)[0], round: 3 })
})

test('reloaded it is the same device', () => {
  const { own, sent } = sitting()
  own.asked(asks(3))
  const again = device(own.stored())
  again.own.sat()
  again.own.numbered(2)
  again.own.asked(asks(4))
  assert.deepEqual(again.sent[0], { t: 'device', number: 2, anchor: links(sent)[0], round: 3 })
  assert.ok(leadsTo(links(again.sent)[0]!, links(sent)[0]!))
})

test('unknown to the table it takes part as a new one', () => {
  const { own, sent } = sitting()
  own.asked(asks(3))
  own.renew()
  const [before, after] = sent.flatMap((frame) => (frame.t === 'device' ? [frame.anchor] : []))
  assert.ok(before && after && before !== after)
})

test('a link that is not in the log is missed, and one that is another', () => {
  const { own, complaints } = sitting()
  for (const round of [1, 2, 3]) own.asked(asks(round))
  own.changed([logged(9, 2)])
  own.changed([logged(10, 3, 'bb')])
  assert.deepEqual(complaints, [
    { what: 'missing', round: 1 },
    { what: 'missing', n: 9, round: 2 },
    { what: 'other_link', n: 10, round: 3 },
  ])
})

test('said to be away it takes part again, and complains if it had given its link', () => {
  const { own, sent, complaints } = device()
  own.sat()
  own.numbered(2, 1)
  own.changed([logged(5, 1, undefined, away), logged(5, 2)])
  assert.deepEqual(complaints, [])
  own.asked(asks(3))
  own.changed([logged(6, 3, undefined, away), logged(6, 4)])
  assert.deepEqual(complaints, [{ what: 'said_away', n: 6, round: 3 }])
  assert.equal(sent.filter((frame) => frame.t === 'device').length, 3)
})

test('left out once it complains, and takes part again', () => {
  const { own, sent, complaints } = device()
  own.sat()
  own.numbered(2, 5)
  own.changed([logged(5, 5)]) // it was being asked when it arrived
  assert.deepEqual(complaints, [])
  own.changed([logged(6, 6)])
  assert.deepEqual(complaints, [{ what: 'left_out', n: 6 }])
  assert.equal(sent.filter((frame) => frame.t === 'device').length, 2)
})

test('left out of every second draw it complains of each', () => {
  const { own, sent, complaints } = sitting()
  for (const round of [1, 2, 3, 4, 5, 6]) {
    if (round % 2) own.asked(asks(round))
    const link = links(sent).at(-1)!
    own.changed([logged(round, round, round % 2 ? link : undefined)])
    own.numbered(2, round)
  }
  assert.deepEqual(
    complaints,
    [2, 4, 6].map((n) => ({ what: 'left_out', n })),
  )
})

test('said to have withheld a link without being asked, it complains', () => {
  const { own, complaints } = sitting()
  own.changed([logged(6, 2, undefined, away)])
  assert.deepEqual(complaints, [{ what: 'not_asked', n: 6, round: 2 }])
})

test('out of a draw for another device of its seat, it complains of nothing and joins again', () => {
  const { own, sent, complaints } = sitting()
  own.asked(asks(1, 'id', 'f0', [1, 2, 3]))
  own.changed([logged(6, 1, links(sent)[0], { withheld: { 3: 'p2' } }), logged(6, 2)])
  assert.deepEqual(complaints, [])
  assert.equal(sent.filter((frame) => frame.t === 'device').length, 2)
})

test('a round that the server puts off without end is not waited for', () => {
  const { own, complaints } = device()
  own.sat()
  own.numbered(2, 2 ** 31)
  own.changed([logged(5, 1)]) // begun before it was confirmed
  assert.deepEqual(complaints, [])
  own.numbered(2, 2 ** 31)
  own.changed([logged(6, 2)])
  assert.deepEqual(complaints, [{ what: 'left_out', n: 6 }])
})

test('a draw with another commitment or other devices than it was shown is reported', () => {
  for (const [fixed, devices] of [
    ['f1', [1, 2]],
    ['f0', [1, 2, 3]],
    ['f0', [2]],
  ] as const) {
    const { own, sent, complaints } = sitting()
    own.asked(asks(1, 'id', fixed, [...devices]))
    own.changed([logged(5, 1, links(sent)[0])])
    assert.deepEqual(complaints, [{ what: 'other_draw', n: 5, round: 1 }])
  }
})

test('a server that never answers it is complained of after some draws', () => {
  const { own, complaints } = device()
  own.sat()
  for (const n of [1, 2, 3]) own.changed([logged(n, n)])
  assert.deepEqual(complaints, [])
  own.changed([logged(4, 4)])
  assert.deepEqual(complaints, [{ what: 'left_out', n: 4 }])
})

test('who sits down at a table that has drawn often complains of nothing', () => {
  const { own, complaints } = device()
  own.sat(
    [1, 2, 3, 4, 5, 6].map((n) => logged(n, n)),
    6,
    1,
  )
  assert.deepEqual(complaints, [])
})

test('asked again for one answer it gives another link, though not without end, and misses each in the log', () => {
  let { own, sent, complaints } = sitting()
  const all = [...sent]
  for (let round = 1; round <= 20; round++) {
    own.asked(asks(round, 'one', `f${round}`))
    own.sat()
    own.numbered(2)
    if (round === 4) {
      all.push(...sent)
      ;({ own, sent, complaints } = device(own.stored()))
      own.sat()
      own.numbered(2)
    }
  }
  assert.equal(new Set(links([...all, ...sent])).size, LINKS_AN_ANSWER)
  assert.equal(complaints.length, 20 - LINKS_AN_ANSWER)
  own.changed([logged(5, 30)])
  const missing = complaints.filter((one) => (one as { what: string }).what === 'missing')
  assert.equal(missing.length, LINKS_AN_ANSWER)
})

test('what is in the log already is not asked again', () => {
  const { own, sent, complaints } = sitting()
  own.asked(asks(1, 'one'))
  own.changed([logged(4, 1, links(sent)[0])])
  own.asked(asks(2, 'one'))
  assert.equal(links(sent).length, 1)
  assert.deepEqual(complaints, [{ what: 'asked_twice', round: 2 }])
})

test('a link that was given before the connection was lost is looked for when it is back', () => {
  for (const rounds of [[], [logged(5, 2)]]) {
    const { own, complaints } = sitting()
    own.asked(asks(1))
    own.sat(rounds, 5, 1)
    assert.deepEqual(complaints, rounds.length ? [{ what: 'missing', round: 1 }] : [])
  }
})

test('a link in the log from which nothing was dealt is told of', () => {
  const { own, sent, complaints } = sitting()
  own.asked(asks(1))
  own.asked(asks(2))
  const [first, second] = links(sent)
  own.changed([logged(5, 1, first), logged(5, 2, second)])
  assert.deepEqual(complaints, [{ what: 'unused', round: 1 }])
})

test('a device whose place was taken says so', () => {
  const { own, complaints } = sitting()
  own.numbered(0)
  assert.deepEqual(complaints, [{ what: 'replaced' }])
})
