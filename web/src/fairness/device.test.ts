import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientFrame, ServerFrame } from '../api/protocol.ts'
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

const asks = (round: number, id = `id${round}`, fixed = 'f0', after = 0) =>
  ({ t: 'round', round, id, by: 'gm', fixed, number: 2, after }) as Extract<ServerFrame, { t: 'round' }>
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
  own.changed([
    { n: 3, round: 1, links: { 2: first! } },
    { n: 4, round: 4, links: { 1: 'aa', 2: second! } },
  ])
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
  own.changed([{ n: 9, round: 2, links: { 1: 'aa' } }])
  own.changed([{ n: 10, round: 3, links: { 1: 'aa', 2: 'bb' } }])
  assert.deepEqual(complaints, [
    { what: 'missing', round: 1 },
    { what: 'missing', n: 9, round: 2 },
    { what: 'other_link', n: 10, round: 3 },
  ])
})

test('said to be away it takes part again, and complains if it had given its link', () => {
  const { own, sent, complaints } = sitting()
  own.numbered(2, 1)
  own.changed([{ n: 5, round: 1, links: { 1: 'aa' }, away: [2] }])
  assert.deepEqual(complaints, [])
  own.asked(asks(2))
  own.changed([{ n: 6, round: 2, links: { 1: 'aa' }, away: [2] }])
  assert.deepEqual(complaints, [{ what: 'said_away', n: 6, round: 2 }])
  assert.equal(sent.filter((frame) => frame.t === 'device').length, 3)
})

test('left out once it complains, and takes part again', () => {
  const { own, sent, complaints } = sitting()
  own.numbered(2, 5)
  own.changed([{ n: 5, round: 5, links: { 1: 'aa' } }]) // it was being asked when it arrived
  assert.deepEqual(complaints, [])
  own.changed([{ n: 6, round: 6, links: { 1: 'aa' } }])
  assert.deepEqual(complaints, [{ what: 'left_out', n: 6 }])
  assert.equal(sent.filter((frame) => frame.t === 'device').length, 2)
})

test('left out of every second draw it complains of each', () => {
  const { own, sent, complaints } = sitting()
  for (const round of [1, 2, 3, 4, 5, 6]) {
    if (round % 2) own.asked(asks(round))
    const link = links(sent).at(-1)!
    own.changed([{ n: round, round, links: round % 2 ? { 2: link } : { 1: 'aa' } }])
    own.numbered(2, round)
  }
  assert.deepEqual(
    complaints,
    [2, 4, 6].map((n) => ({ what: 'left_out', n })),
  )
})

test('said to have left, or to have been away without being asked, it complains', () => {
  const { own, complaints } = sitting()
  own.changed([{ n: 5, round: 1, links: { 1: 'aa' }, left: [2] }])
  own.numbered(2, 1)
  own.changed([{ n: 6, round: 2, links: { 1: 'aa' }, away: [2] }])
  assert.deepEqual(complaints, [
    { what: 'said_left', n: 5 },
    { what: 'not_asked', n: 6, round: 2 },
  ])
})

test('a server that never answers it is complained of after some draws', () => {
  const { own, complaints } = device()
  own.sat()
  for (const n of [1, 2, 3]) own.changed([{ n, round: n, links: { 1: 'aa' } }])
  assert.deepEqual(complaints, [])
  own.changed([{ n: 4, round: 4, links: { 1: 'aa' } }])
  assert.deepEqual(complaints, [{ what: 'left_out', n: 4 }])
})

test('who sits down at a table that has drawn often complains of nothing', () => {
  const { own, complaints } = device()
  own.sat(
    [1, 2, 3, 4, 5, 6].map((n) => ({ n, round: n, links: { 1: 'aa' } })),
    6,
    1,
  )
  assert.deepEqual(complaints, [])
})

test('asked again for one answer, over any number of connections and reloads, it gives the same link', () => {
  let { own, sent, gave, complaints } = sitting()
  const all = [...sent]
  const found: unknown[] = []
  for (let round = 1; round <= 20; round++) {
    own.asked(asks(round, 'one'))
    own.sat()
    own.numbered(2)
    if (round === 10) {
      all.push(...sent)
      found.push(...complaints)
      ;({ own, sent, gave, complaints } = device(own.stored()))
      own.sat()
      own.numbered(2)
    }
  }
  assert.equal(new Set(links([...all, ...sent])).size, 1)
  assert.equal(found.length + complaints.length, 19)
  assert.deepEqual(found[0], { what: 'asked_again', round: 1 })
  assert.equal(gave.length, 10)
})

test('where somebody was away it gives another link, though not without end', () => {
  const { own, sent, complaints } = sitting()
  for (let round = 1; round <= 20; round++) own.asked(asks(round, 'one', 'f0', round - 1))
  assert.equal(new Set(links(sent)).size, LINKS_AN_ANSWER)
  assert.equal(complaints.length, 20 - LINKS_AN_ANSWER)
})

test('what is in the log already is not asked again', () => {
  const { own, sent, complaints } = sitting()
  own.asked(asks(1, 'one'))
  own.changed([{ n: 4, round: 1, links: { 2: links(sent)[0]! } }])
  own.asked(asks(2, 'one'))
  assert.equal(links(sent).length, 1)
  assert.deepEqual(complaints, [{ what: 'asked_twice', round: 2 }])
})

test('a link that was given before the connection was lost is looked for when it is back', () => {
  for (const rounds of [[], [{ n: 5, round: 2, links: { 1: 'aa' } }]]) {
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
  own.changed([
    { n: 5, round: 1, links: { 2: first! } },
    { n: 5, round: 2, links: { 2: second! } },
  ])
  assert.deepEqual(complaints, [{ what: 'unused', round: 1 }])
})

test('a device whose place was taken says so', () => {
  const { own, complaints } = sitting()
  own.numbered(0)
  assert.deepEqual(complaints, [{ what: 'replaced' }])
})
