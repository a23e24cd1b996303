import { expect, test } from 'vitest'
import '../../time/temporal.ts'
import { isStartOfDay, noteTime } from './note-time.ts'

const preferences = { locale: 'en-GB', hourCycle: 'auto', weekStart: 'auto' } as const

test('a note at the start of its day in the zone has no time', () => {
  expect(noteTime('2030-06-12T22:00:00.000Z', 'Europe/Berlin', preferences)).toBeNull()
  expect(noteTime('2030-06-12T22:00:00.000Z', 'UTC', preferences)).toBe('22:00')
  expect(noteTime('2030-06-12T22:15:00.000Z', 'Europe/Berlin', preferences)).toBe('00:15')
})

test('where the clocks skip midnight, the day starts at what they show first', () => {
  // Beirut goes from 00:00 to 01:00 on 29 March 2026.
  expect(isStartOfDay('2026-03-28T22:00:00.000Z', 'Asia/Beirut')).toBe(true)
  expect(isStartOfDay('2026-03-28T23:00:00.000Z', 'Asia/Beirut')).toBe(false)
})

test('where the clocks show midnight twice, the day starts at the first', () => {
  // Havana goes from 01:00 back to 00:00 on 1 November 2026.
  expect(isStartOfDay('2026-11-01T04:00:00.000Z', 'America/Havana')).toBe(true)
  expect(isStartOfDay('2026-11-01T05:00:00.000Z', 'America/Havana')).toBe(false)
})
