import { expect, test } from 'vitest'
import { createSlots } from './lanes.ts'

const LANES = ['a', 'b', 'c', 'd']
const onTime = () => 0.99

/** Lets a lane take all that it may, as often as it may. */
function fill(slots: ReturnType<typeof createSlots>, lane: string): number {
  let taken = 0
  for (;;) {
    const room = slots.rooms([lane]).reduce((sum, { room }) => sum + room, 0)
    if (room === 0) return taken
    for (let each = 0; each < room; each++) slots.enter(lane, 'one')
    taken += room
  }
}

test('a lane alone borrows everything but what the others keep', () => {
  const slots = createSlots(LANES, { slots: 20, kept: 3, share: 100, random: onTime })
  expect(fill(slots, 'a')).toBe(11)
  expect(slots.rooms(LANES)).toEqual(
    ['b', 'c', 'd'].map((lane) => ({ lane, room: 3, late: 0, overShare: [], roomOverShare: 3 })),
  )
})

test('lanes that are looked at together divide what can be lent, and never pass the whole', () => {
  const slots = createSlots(LANES, { slots: 20, kept: 3, share: 100, random: onTime })
  const rooms = slots.rooms(LANES)
  expect(rooms.map(({ room }) => room)).toEqual([5, 5, 5, 5])
  for (const { lane, room } of rooms) for (let each = 0; each < room; each++) slots.enter(lane, 'one')
  expect(slots.rooms(LANES)).toEqual([])
})

test('what is left is lent again', () => {
  const slots = createSlots(LANES, { slots: 20, kept: 3, share: 100, random: onTime })
  fill(slots, 'a')
  for (let each = 0; each < 9; each++) slots.leave('a', 'one')
  expect(fill(slots, 'b')).toBe(11)
  expect(slots.rooms(['a'])).toEqual([{ lane: 'a', room: 1, late: 0, overShare: [], roomOverShare: 1 }])
})

test('one of eight is a late one, by chance where there is less room', () => {
  const late = (random: number, room: number) =>
    createSlots(['a'], { slots: room, kept: room, share: 100, random: () => random }).rooms(['a'])[0]?.late
  expect([late(0.99, 8), late(0.99, 20), late(0.4, 20), late(0.99, 1), late(0.1, 1)]).toEqual([1, 2, 3, 0, 1])
})

test('a lane is filled a share at a time, and an account that has its share leaves the last slots to others', () => {
  const slots = createSlots(LANES, { slots: 52, kept: 4, share: 25, random: onTime })
  const roomOf = (lane: string) => {
    const [room] = slots.rooms([lane])
    return room && [room.room, room.overShare, room.roomOverShare]
  }
  const enter = (count: number, accountId: string) => {
    for (let each = 0; each < count; each++) slots.enter('a', accountId)
  }
  expect(roomOf('a')).toEqual([10, [], 10])
  enter(9, 'pile')
  expect(roomOf('a')).toEqual([10, [], 10])
  enter(1, 'pile')
  expect(roomOf('a')).toEqual([10, ['pile'], 10])
  enter(25, 'pile')
  expect(roomOf('a')).toEqual([5, ['pile'], 3])
  enter(3, 'pile')
  expect(roomOf('a')).toEqual([2, ['pile'], 0])
  enter(2, 'other')
  expect(roomOf('a')).toBeUndefined()
  for (let each = 0; each < 29; each++) slots.leave('a', 'pile')
  expect(roomOf('a')).toEqual([10, [], 10])
})
