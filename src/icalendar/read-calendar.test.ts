import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { CalendarFailure } from './failure.ts'
import { openCalendarProcess } from './read-calendar.ts'

const MIB = 1024 ** 2
const wanted = {
  timezone: 'UTC',
  today: '2026-11-23',
  daysBack: 30,
  daysAhead: 366,
  most: 5_000,
  daysOfEvent: 31,
  titleUnits: 2_049,
}
const signal = new AbortController().signal
const event = (uid: number) =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${uid}\r\nDTSTART:20261124T110000Z\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\n`
const dir = mkdtempSync(join(tmpdir(), 'almanac-calendars-'))
afterAll(() => rmSync(dir, { recursive: true }))
const textOf = (events: number) =>
  `BEGIN:VCALENDAR\r\n${Array.from({ length: events }, (_, index) => event(index)).join('')}END:VCALENDAR\r\n`
function calendar(events: number) {
  const path = join(dir, `${events}.ics`)
  writeFileSync(path, textOf(events))
  return { path, compressed: false, charset: null }
}

test('a calendar that takes more of a processor than it may is a failure, and the next one is read', async () => {
  const hasty = openCalendarProcess({ heapMegabytes: 256, residentBytes: 640 * MIB, seconds: 0.05 })
  const failure = await hasty(calendar(500), wanted, signal).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CalendarFailure)
  expect(failure).toMatchObject({
    code: 'imported-calendar:too_complex',
    message: expect.stringContaining('too much memory or time'),
  })
})

test('so is one that takes more memory', async () => {
  // The program itself has some 12 MB.
  const small = openCalendarProcess({ heapMegabytes: 32, residentBytes: 640 * MIB, seconds: 20 })
  await expect(small(calendar(3_000), wanted, signal)).rejects.toMatchObject({ code: 'imported-calendar:too_complex' })
  expect((await small(calendar(1), wanted, signal)).notes).toHaveLength(366)
})

test('a reading is broken off by its signal', async () => {
  const read = openCalendarProcess()
  const stop = new AbortController()
  const reading = read(calendar(2_000), wanted, stop.signal)
  stop.abort(new Error('Stopped.'))
  await expect(reading).rejects.toThrow('Stopped.')
})

test('a compressed file is unpacked there too, and no further than a calendar may be long', async () => {
  const read = openCalendarProcess()
  const path = join(dir, 'compressed')
  writeFileSync(path, gzipSync(textOf(2)))
  expect((await read({ path, compressed: true, charset: null }, wanted, signal)).notes).toHaveLength(732)
  writeFileSync(path, gzipSync(`${textOf(1)}${' '.repeat(20_000_000)}`))
  await expect(read({ path, compressed: true, charset: null }, wanted, signal)).rejects.toThrow('could not be read')
})
