import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Note } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import {
  type CalendarStage,
  calendarBody,
  calendarOf,
  eventOf,
  openCalendarStage,
} from '../_util/api/imported-calendars.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let stage: CalendarStage
let editor: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  await api.setClock('2026-11-23T09:00:00Z')
  stage = await openCalendarStage(api)
  editor = await signInAs(api, 'editor')
})
afterAll(async () => {
  await stage.close()
  await api.close()
})

const COLOR = '#e1effc'
const lunch = (start = 'DTSTART:20261124T110000Z', title = 'Lunch') => eventOf('lunch', title, start, 'DURATION:PT1H')
/** A calendar of a social set of its own, in Europe/Berlin. */
async function imported(path: string, text: string, etag?: string) {
  const socialSetId = await api.newSocialSet()
  const url = stage.serve(path, text, etag)
  const { id } = await stage.add(editor, { socialSetId, name: 'Agency', hexColor: COLOR, url })
  return { socialSetId, id, url, notes: await stage.notes(socialSetId) }
}
const patchNote = (id: string, body: object) => done(api.request('PATCH', `/v1/notes/${id}`, { body }))
const byContent = (notes: Note[]) => Object.fromEntries(notes.map((note) => [note.content, note]))

test('resources-06, calendars-01: a calendar that is added by its address is read, and its events are notes', async () => {
  const socialSetId = await api.newSocialSet()
  const url = stage.serve(
    '/secret-token/basic.ics',
    calendarOf(
      lunch(),
      eventOf('fair', 'Trade fair', 'DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:20261204'),
      eventOf(
        'night',
        'Night shift',
        'DTSTART;TZID=Europe/Berlin:20261205T220000',
        'DTEND;TZID=Europe/Berlin:20261206T060000',
      ),
      eventOf('weekly', 'Stand-up', 'DTSTART;TZID=Europe/Berlin:20261123T093000', 'RRULE:FREQ=WEEKLY;COUNT=3'),
      eventOf('off', 'Called off', 'DTSTART:20261124T110000Z', 'STATUS:CANCELLED'),
    ),
  )
  const added = await stage.add(editor, { socialSetId, name: '  Agency ', hexColor: COLOR, url })
  expect(added).toEqual({
    id: expect.any(String),
    socialSetId,
    name: 'Agency',
    hexColor: COLOR,
    source: 'ADDRESS',
    address: `${stage.server.host}/…`,
    fileName: null,
    status: 'WAITING',
    fetchedAt: null,
    nextAt: '2026-11-23T09:00:00.000Z',
    failure: null,
    notes: 0,
    leftOut: 0,
    unreadable: 0,
    createdAt: '2026-11-23T09:00:00.000Z',
  })
  const notes = await stage.notes(socialSetId)
  expect(notes.map(({ scheduledAt, content }) => [scheduledAt, content])).toEqual([
    ['2026-11-23T08:30:00.000Z', 'Stand-up'],
    ['2026-11-24T11:00:00.000Z', 'Lunch'],
    ['2026-11-30T08:30:00.000Z', 'Stand-up'],
    ['2026-11-30T23:00:00.000Z', 'Trade fair'],
    ['2026-12-01T23:00:00.000Z', 'Trade fair'],
    ['2026-12-02T23:00:00.000Z', 'Trade fair'],
    ['2026-12-05T21:00:00.000Z', 'Night shift'],
    ['2026-12-05T23:00:00.000Z', 'Night shift'],
    ['2026-12-07T08:30:00.000Z', 'Stand-up'],
  ])
  for (const note of notes) {
    expect(note).toMatchObject({ source: { type: 'GOOGLE_IMPORT' }, type: 'ONE_TIME', hexColor: COLOR })
  }
  expect(await stage.read(editor, added.id)).toEqual({
    ...added,
    status: 'OK',
    fetchedAt: '2026-11-23T09:00:00.000Z',
    nextAt: '2026-11-23T09:30:00.000Z',
    notes: 9,
  })
  const list = await done(editor.request('GET', `/imported-calendars?socialSetId=${socialSetId}`))
  expect(list).toMatchObject({ limits: { calendars: 20, notes: 5_000 }, notes: 9 })
})

test('a calendar in the charset that its server names is read by that', async () => {
  const socialSetId = await api.newSocialSet()
  const url = stage.server.on('/latin.ics', (_, response) => {
    const text = calendarOf(lunch(undefined, 'Müller & Söhne'))
    response.writeHead(200, { 'content-type': 'text/calendar; charset=ISO-8859-1' }).end(Buffer.from(text, 'latin1'))
  })
  await stage.add(editor, { socialSetId, name: 'Agency', hexColor: COLOR, url })
  expect(await stage.shown(socialSetId)).toEqual(['2026-11-24T11:00:00.000Z Müller & Söhne'])
})

test('calendars-04: a note keeps its id; its title and time follow the event', async () => {
  const { socialSetId, notes } = await imported('/follow.ics', calendarOf(lunch()))
  stage.serve('/follow.ics', calendarOf(lunch('DTSTART:20261201T120000Z', 'Late lunch')))
  await stage.due(socialSetId)
  const [note, ...others] = await stage.notes(socialSetId)
  expect(others).toEqual([])
  expect(note).toEqual({ ...notes[0], content: 'Late lunch', scheduledAt: '2026-12-01T12:00:00.000Z' })
})

test('calendars-04: what someone has changed stays; the time follows all the same', async () => {
  const { socialSetId, notes } = await imported('/changed.ics', calendarOf(lunch()))
  const id = notes[0]?.id ?? ''
  await patchNote(id, { content: 'Lunch with the client' })
  stage.serve('/changed.ics', calendarOf(lunch('DTSTART:20261125T120000Z', 'Dinner')))
  await stage.due(socialSetId)
  expect(await stage.shown(socialSetId)).toEqual(['2026-11-25T12:00:00.000Z Lunch with the client'])
  await patchNote(id, { hexColor: '#ffe5e5' })
  await stage.due(socialSetId)
  expect((await stage.notes(socialSetId))[0]).toMatchObject({ id, hexColor: '#ffe5e5' })
})

test('calendars-05: a note that was deleted does not come back, no matter who deleted it', async () => {
  const text = calendarOf(
    lunch(),
    eventOf('tea', 'Tea', 'DTSTART:20261124T150000Z'),
    eventOf('walk', 'Walk', 'DTSTART:20261124T160000Z'),
  )
  const { socialSetId, notes } = await imported('/deleted.ics', text)
  const of = byContent(notes)
  expect((await api.request('DELETE', `/v1/notes/${of.Lunch?.id}`)).status).toBe(204)
  expect((await editor.request('DELETE', `/notes/${of.Tea?.id}`)).status).toBe(204)
  await stage.due(socialSetId)
  expect(await stage.shown(socialSetId)).toEqual(['2026-11-24T16:00:00.000Z Walk'])
  // What a member deleted can be restored, and is the note of its event again.
  await done(editor.request('POST', `/notes/${of.Tea?.id}/restore`))
  stage.serve('/deleted.ics', calendarOf(lunch(), eventOf('tea', 'Tea', 'DTSTART:20261126T150000Z')))
  await stage.due(socialSetId)
  expect(await stage.notes(socialSetId)).toEqual([{ ...of.Tea, scheduledAt: '2026-11-26T15:00:00.000Z' }])
})

test('calendars-05: what vanishes from a calendar goes; what has left the window stays', async () => {
  const { socialSetId } = await imported(
    '/vanishes.ics',
    calendarOf(
      lunch(),
      eventOf('old', 'Long ago', 'DTSTART:20261025T120000Z'),
      eventOf('far', 'Too far', 'DTSTART:20271125T120000Z'),
    ),
  )
  expect(await stage.shown(socialSetId)).toEqual([
    '2026-10-25T12:00:00.000Z Long ago',
    '2026-11-24T11:00:00.000Z Lunch',
  ])
  await api.setClock('2026-11-30T09:00:00Z')
  stage.serve('/vanishes.ics', calendarOf())
  await stage.due(socialSetId)
  expect(await stage.shown(socialSetId)).toEqual(['2026-10-25T12:00:00.000Z Long ago'])
  await api.setClock('2026-11-23T09:00:00Z')
})

test('a server is asked whether its calendar has changed, and once a day for all of it', async () => {
  const { socialSetId, id } = await imported('/etag.ics', calendarOf(lunch()), 'one')
  expect(stage.lastRequest('/etag.ics')?.headers['if-none-match']).toBeUndefined()
  await stage.due(socialSetId)
  expect(await stage.shown(socialSetId)).toHaveLength(1)
  expect(stage.lastRequest('/etag.ics')?.headers['if-none-match']).toBe('"one"')
  expect(await stage.read(editor, id)).toMatchObject({ status: 'OK', notes: 1, nextAt: '2026-11-23T09:30:00.000Z' })
  await api.setClock('2026-11-24T09:00:00Z')
  await stage.shown(socialSetId)
  expect(stage.lastRequest('/etag.ics')?.headers['if-none-match']).toBeUndefined()
  await api.setClock('2026-11-23T09:00:00Z')
})

test('calendars-01: a file is a calendar too, and is read again each day', async () => {
  const socialSetId = await api.newSocialSet()
  const weekly = eventOf(
    'weekly',
    'Stand-up',
    'DTSTART:20200106T093000',
    'RRULE:FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=24,25',
  )
  const file = { name: 'plan.ics', content: `\uFEFF${calendarOf(weekly)}` }
  const added = await stage.add(editor, { socialSetId, name: 'Plan', hexColor: COLOR, file })
  expect(added).toMatchObject({ source: 'FILE', address: null, fileName: 'plan.ics', status: 'WAITING' })
  // A time without a zone is by the clock of the social set. Next year's November is not in the list of the stage.
  expect(await stage.shown(socialSetId)).toEqual([
    '2026-11-24T08:30:00.000Z Stand-up',
    '2026-11-25T08:30:00.000Z Stand-up',
  ])
  expect(await stage.read(editor, added.id)).toMatchObject({ notes: 3, nextAt: '2026-11-24T09:00:00.000Z' })
  await api.setClock('2026-11-24T09:00:00Z')
  await stage.shown(socialSetId)
  expect(await stage.read(editor, added.id)).toMatchObject({ notes: 4 })
  await api.setClock('2026-11-23T09:00:00Z')
  // Servers write warnings in front of what is saved from them.
  const other = { name: 'plan-2.ics', content: `<br />\n<b>Warning</b>: date()<br />\n${calendarOf(lunch())}` }
  await done(editor.request('PATCH', `/imported-calendars/${added.id}`, calendarBody({ file: other })))
  expect(await stage.shown(socialSetId)).toEqual(['2026-11-24T11:00:00.000Z Lunch'])
})

test('a calendar is renamed, recolored, paused, resumed, fetched now and given another address', async () => {
  const { socialSetId, id, notes } = await imported(
    '/settings.ics',
    calendarOf(lunch(), eventOf('tea', 'Tea', 'DTSTART:20261124T150000Z')),
  )
  const change = (body: object) => done(editor.request('PATCH', `/imported-calendars/${id}`, { body }))
  await patchNote(byContent(notes).Tea?.id ?? '', { hexColor: '#ffe5e5' })
  expect(await change({ name: 'Client', hexColor: '#f2edff' })).toMatchObject({ name: 'Client', hexColor: '#f2edff' })
  expect((await stage.notes(socialSetId)).map(({ content, hexColor }) => [content, hexColor])).toEqual([
    ['Lunch', '#f2edff'],
    ['Tea', '#ffe5e5'],
  ])

  expect(await change({ paused: true })).toMatchObject({ status: 'PAUSED', nextAt: null })
  stage.serve('/settings.ics', calendarOf())
  await stage.due(socialSetId)
  expect(await stage.shown(socialSetId)).toHaveLength(2)
  expect(await change({ paused: false })).toMatchObject({ status: 'OK', nextAt: '2026-11-23T09:00:00.000Z' })
  expect(await stage.shown(socialSetId)).toEqual([])

  await change({ url: stage.serve('/other.ics', calendarOf(lunch())) })
  expect(await stage.shown(socialSetId)).toEqual(['2026-11-24T11:00:00.000Z Lunch'])
  await api.setClock('2026-11-23T09:01:00Z')
  const fetched = await done(editor.request('POST', `/imported-calendars/${id}/fetch`))
  expect(fetched).toMatchObject({ nextAt: '2026-11-23T09:01:00.000Z' })
  await stage.reader.readDue()
  // Not more often than every 15 seconds.
  expect(await done(editor.request('POST', `/imported-calendars/${id}/fetch`))).toMatchObject({
    nextAt: '2026-11-23T09:01:15.000Z',
  })
  await api.setClock('2026-11-23T09:00:00Z')
})

test('calendars-06: a calendar that is removed takes its notes with it, but those that someone has changed', async () => {
  const { socialSetId, id, notes } = await imported(
    '/removed.ics',
    calendarOf(lunch(), eventOf('tea', 'Tea', 'DTSTART:20261124T150000Z')),
  )
  await patchNote(byContent(notes).Tea?.id ?? '', { content: 'Tea for two' })
  expect(await done(editor.request('GET', `/imported-calendars/${id}/removal`))).toEqual({ removed: 1, kept: 1 })
  expect((await editor.request('DELETE', `/imported-calendars/${id}`)).status).toBe(204)
  expect(await stage.shown(socialSetId)).toEqual(['2026-11-24T15:00:00.000Z Tea for two'])
  expect((await done(editor.request('GET', `/imported-calendars?socialSetId=${socialSetId}`))).data).toEqual([])
})

test('calendars-02: an event lasts 31 days at the most, and is seen on those inside the window', async () => {
  const { notes } = await imported(
    '/long.ics',
    calendarOf(
      eventOf('year', 'Year of the horse', 'DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:20271201'),
      eventOf('early', 'Autumn', 'DTSTART;VALUE=DATE:20261020', 'DTEND;VALUE=DATE:20261026'),
    ),
  )
  expect(notes.filter(({ content }) => content === 'Year of the horse')).toHaveLength(31)
  expect(notes.filter(({ content }) => content === 'Autumn').map(({ scheduledAt }) => scheduledAt)).toEqual([
    '2026-10-23T22:00:00.000Z',
    '2026-10-24T22:00:00.000Z',
  ])
})

test('calendars-07: of more than 5,000 notes those of the nearest days are shown, over all calendars of a social set', async () => {
  const daily = (uid: string, hour: number) =>
    eventOf(uid, uid, `DTSTART:20260101T${String(hour).padStart(2, '0')}0000Z`, 'RRULE:FREQ=DAILY')
  const many = calendarOf(...Array.from({ length: 13 }, (_, index) => daily(`event ${index}`, index)))
  const { socialSetId, id } = await imported('/many.ics', many)
  // 13 a day: for 192 days back and ahead, of which 30 are back.
  expect(await stage.read(editor, id)).toMatchObject({ notes: 5_000, leftOut: 13 * 397 - 5_000 })
  const url = stage.serve('/few.ics', calendarOf(daily('near', 12)))
  const few = await stage.add(editor, { socialSetId, name: 'Few', hexColor: COLOR, url })
  await stage.reader.readDue()
  const [big, small] = [await stage.read(editor, id), await stage.read(editor, few.id)]
  expect(big.notes + small.notes).toBe(5_000)
  expect(small.notes).toBeGreaterThan(350)
  expect(small.notes + small.leftOut).toBe(397)
  expect(big.notes + big.leftOut).toBe(13 * 397)
  // Their room is used again.
  await editor.request('DELETE', `/imported-calendars/${few.id}`)
  await stage.reader.readDue()
  expect(await stage.read(editor, id)).toMatchObject({ notes: 5_000 })
})

test('another timezone of the social set moves what goes by its clock', async () => {
  const text = calendarOf(eventOf('day', 'All day', 'DTSTART;VALUE=DATE:20261124'), lunch())
  const { socialSetId } = await imported('/zone.ics', text, 'same')
  const admin = await signInAs(api, 'admin')
  await done(
    admin.request('PATCH', `/social-sets/${socialSetId}`, { body: { timezone: 'America/New_York', keep: 'clock' } }),
  )
  expect(await stage.shown(socialSetId)).toEqual(['2026-11-24T05:00:00.000Z All day', '2026-11-24T11:00:00.000Z Lunch'])
})

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['gzip', (bytes) => gzipSync(bytes)],
  ['br', (bytes) => brotliCompressSync(bytes)],
  ['deflate', (bytes) => deflateRawSync(bytes)],
  ['none', (bytes) => bytes],
  ['utf-8', (bytes) => bytes],
  ['identity, chunked', (bytes) => bytes],
])('a calendar may come in a coding that was not asked for, or with a word that is none: %s', async (coding, pack) => {
  const socialSetId = await api.newSocialSet()
  const bytes = pack(Buffer.from(calendarOf(lunch(undefined, 'Brötchen'))))
  const url = stage.server.on(`/coded-${encodeURIComponent(coding)}.ics`, (_, response) =>
    response.writeHead(200, { 'content-type': 'text/calendar', 'content-encoding': coding }).end(bytes),
  )
  const { id } = await stage.add(editor, { socialSetId, name: 'Agency', hexColor: COLOR, url })
  expect(await stage.shown(socialSetId)).toEqual(['2026-11-24T11:00:00.000Z Brötchen'])
  expect((await stage.read(editor, id)).failure).toBeNull()
})

test('a calendar that unpacks to more than a calendar may have fails, and nothing of it is kept', async () => {
  const socialSetId = await api.newSocialSet()
  const bomb = gzipSync(Buffer.alloc(100_000_000, ' '))
  const url = stage.server.on('/bomb.ics', (_, response) =>
    response.writeHead(200, { 'content-type': 'text/calendar', 'content-encoding': 'gzip' }).end(bomb),
  )
  const { id } = await stage.add(editor, { socialSetId, name: 'Agency', hexColor: COLOR, url })
  expect(await stage.shown(socialSetId)).toEqual([])
  expect((await stage.read(editor, id)).failure?.code).toBe('imported-calendar:too_large')
})
