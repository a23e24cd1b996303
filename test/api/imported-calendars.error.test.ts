import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LIMITS } from '#contract'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import {
  type CalendarStage,
  calendarBody,
  calendarOf,
  eventOf,
  openCalendarStage,
} from '../_util/api/imported-calendars.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'

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
const lunch = eventOf('lunch', 'Lunch', 'DTSTART:20261124T110000Z')
const SHOWN = ['2026-11-24T11:00:00.000Z Lunch']
const body = (more: object = {}) => ({ socialSetId: api.socialSetId, name: 'Agency', hexColor: COLOR, ...more })
const post = (more: object) => editor.request('POST', '/imported-calendars', calendarBody(body(more)))

async function imported(path: string, text: string | Uint8Array) {
  const socialSetId = await api.newSocialSet()
  const url = stage.serve(path, text)
  const { id } = await stage.add(editor, body({ socialSetId, url }))
  await stage.reader.readDue()
  return { socialSetId, id }
}

describe('an address that fails', () => {
  test('calendars-09: keeps what was known, says why and since when, slows down and is reported after a day', async () => {
    const { socialSetId, id } = await imported('/fails.ics', calendarOf(lunch))
    stage.refuse('/fails.ics', 404)
    const nextAt = async (at: string) => {
      await api.setClock(at)
      expect(await stage.shown(socialSetId)).toEqual(SHOWN)
      const { status, failure, nextAt: next, fetchedAt } = await stage.read(editor, id)
      expect(status).toBe('FAILING')
      expect(fetchedAt).toBe('2026-11-23T09:00:00.000Z')
      expect(failure).toEqual({
        code: 'imported-calendar:http_error',
        message: `${stage.server.host} answered 404 (Not Found) instead of the file. Check the address.`,
        since: '2026-11-23T09:30:00.000Z',
      })
      return next
    }
    expect(await nextAt('2026-11-23T09:30:00Z')).toBe('2026-11-23T10:00:00.000Z')
    expect(await nextAt('2026-11-23T10:00:00Z')).toBe('2026-11-23T11:00:00.000Z')
    expect(await nextAt('2026-11-23T11:00:00Z')).toBe('2026-11-23T13:00:00.000Z')
    expect(await nextAt('2026-11-23T13:00:00Z')).toBe('2026-11-23T17:00:00.000Z')
    expect(await nextAt('2026-11-23T17:00:00Z')).toBe('2026-11-24T01:00:00.000Z')
    expect(stage.reported).toEqual([])
    // Not twelve hours later: then it would be reported late.
    expect(await nextAt('2026-11-24T01:00:00Z')).toBe('2026-11-24T09:30:00.000Z')
    expect(stage.reported).toEqual([])
    expect(await nextAt('2026-11-24T09:30:00Z')).toBe('2026-11-24T21:30:00.000Z')
    expect(stage.reported).toEqual([
      { calendarId: id, name: 'Agency', message: expect.stringContaining('answered 404') },
    ])
    await nextAt('2026-11-24T21:30:00Z')
    expect(stage.reported).toHaveLength(1)

    stage.serve('/fails.ics', calendarOf(lunch))
    await api.setClock('2026-11-25T09:30:00Z')
    await stage.shown(socialSetId)
    expect(await stage.read(editor, id)).toMatchObject({
      status: 'OK',
      failure: null,
      nextAt: '2026-11-25T10:00:00.000Z',
    })
    await api.setClock('2026-11-23T09:00:00Z')
  })

  test.each([
    ['a page', '<!doctype html><title>Sign in</title>', 'not_a_calendar', 'does not begin with BEGIN:VCALENDAR'],
    ['a calendar that breaks off', calendarOf(lunch).slice(0, -30), 'not_a_calendar', 'breaks off'],
    ['one line of 10 MB', 'BEGIN'.repeat(2_000_000).slice(0, 9_999_999), 'not_a_calendar', 'does not begin with'],
    ['more than 10 MB', `${calendarOf(lunch)}${' '.repeat(10_000_000)}`, 'too_large', 'larger than 10 MB'],
    [
      'parts nested in each other',
      calendarOf(['BEGIN:VEVENT', ...Array(5_000).fill('BEGIN:X'), ...Array(5_000).fill('END:X'), 'END:VEVENT']),
      'not_a_calendar',
      'nests more than 20 parts',
    ],
    [
      'an event each second',
      calendarOf(eventOf('s', 'S', 'DTSTART:20260101T000000Z', 'RRULE:FREQ=SECONDLY')),
      'too_complex',
      'repeats too often',
    ],
    [
      'an event at all seconds of all hours',
      calendarOf(
        eventOf(
          's',
          'S',
          'DTSTART:20260101T000000Z',
          `RRULE:FREQ=YEARLY;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYHOUR=${upTo(24)};BYMINUTE=${upTo(60)};BYSECOND=${upTo(60)}`,
        ),
      ),
      'too_complex',
      'repeats too often',
    ],
    [
      'thirty events each hour',
      calendarOf(
        ...Array.from({ length: 30 }, (_, index) =>
          eventOf(`${index}`, 'S', 'DTSTART:20260101T000000Z', 'RRULE:FREQ=HOURLY'),
        ),
      ),
      'too_complex',
      'too many events',
    ],
  ])('calendars-09: %s is a failure in words, and what was known stays', async (name, text, code, words) => {
    const path = `/${encodeURIComponent(name)}.ics`
    const { socialSetId, id } = await imported(path, calendarOf(lunch))
    stage.serve(path, text)
    await stage.due(socialSetId)
    expect(await stage.shown(socialSetId)).toEqual(SHOWN)
    const { status, failure } = await stage.read(editor, id)
    expect([status, failure?.code]).toEqual(['FAILING', `imported-calendar:${code}`])
    expect(failure?.message).toMatch(new RegExp(words))
  })

  test('a rule that never comes is the first time of its event alone', async () => {
    const text = calendarOf(
      eventOf('never', 'Never again', 'DTSTART:20261124T110000Z', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'),
    )
    const { socialSetId } = await imported('/never.ics', text)
    expect(await stage.shown(socialSetId)).toEqual(['2026-11-24T11:00:00.000Z Never again'])
  })
})

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index).join(',')

test('events that cannot be read are left out and counted', async () => {
  const { socialSetId, id } = await imported(
    '/unreadable.ics',
    calendarOf(
      lunch,
      eventOf('no-start', 'No beginning'),
      eventOf('no-time', 'No time', 'DTSTART:20261399T990000Z'),
      eventOf('no-rule', 'No rule', 'DTSTART:20261124T110000Z', 'RRULE:FREQ=NEVER'),
      eventOf('no-line', 'No line', 'DTSTART;TZID="Europe'),
    ),
  )
  expect(await stage.shown(socialSetId)).toEqual(SHOWN)
  expect(await stage.read(editor, id)).toMatchObject({ status: 'OK', unreadable: 4 })
})

test('an address whose key is gone is asked for again', async () => {
  const { socialSetId, id } = await imported('/sealed.ics', calendarOf(lunch))
  await api.db.updateTable('imported_calendars').set({ secret_key_id: 'gone' }).where('id', '=', id).execute()
  await stage.due(socialSetId)
  expect(await stage.shown(socialSetId)).toEqual(SHOWN)
  const { failure } = await stage.read(editor, id)
  expect(failure).toMatchObject({
    code: 'imported-calendar:unreadable_address',
    message: expect.stringContaining('Give it again'),
  })
  const again = { url: stage.serve('/sealed.ics', calendarOf(lunch)) }
  await done(editor.request('PATCH', `/imported-calendars/${id}`, { body: again }))
  await stage.shown(socialSetId)
  expect(await stage.read(editor, id)).toMatchObject({ status: 'OK' })
})

describe('a body', () => {
  test.each([
    ['no origin', {}, 'url'],
    ['two origins', { url: 'https://example.com', file: { name: 'a.ics', content: calendarOf() } }, 'file'],
    ['no name', { name: ' ', url: 'https://example.com' }, 'name'],
    ['no color', { hexColor: '#123456', url: 'https://example.com' }, 'hexColor'],
    ['no address', { url: 'calendar' }, 'url'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'url'],
    ['a password in the address', { url: 'https://me:secret@example.com/a.ics' }, 'url'],
    ['a file that is none', { file: { name: 'a.ics', content: 'Hello' } }, 'file'],
    ['an empty file', { file: { name: 'a.ics', content: '' } }, 'file'],
    ['a file without a name', { file: { name: ' ', content: calendarOf() } }, 'file'],
    ['more than 10 MB', { file: { name: 'a.ics', content: calendarOf() + ' '.repeat(10_000_000) } }, 'file'],
    ['an unknown field', { url: 'https://example.com', secret: 1 }, 'secret'],
  ])('with %s is refused at its place', async (_, more, path) => {
    const answer = await post(more)
    expect(statusAndCode(answer)).toEqual([400, 'request:invalid_body'])
    expect(answer.body.errors.map((entry: { path: string }) => entry.path)).toEqual([path])
    expect(JSON.stringify(answer.body)).not.toContain('secret@')
  })

  test('of JSON holds no file, and has the size of any other', async () => {
    const file = { name: 'a.ics', content: calendarOf() }
    const answer = await editor.request('POST', '/imported-calendars', { body: body({ file }) })
    expect(statusAndCode(answer)).toEqual([400, 'request:invalid_body'])
    file.content = 'x'.repeat(LIMITS.bodyBytes)
    const large = await editor.request('POST', '/imported-calendars', { body: body({ file }) })
    expect(statusAndCode(large)).toEqual([413, 'request:too_large'])
  })

  test('of a file leaves nothing on the disk, whether it is taken, refused or broken off', async () => {
    const files = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('almanac-calendar-'))
    const before = await files()
    const socialSetId = await api.newSocialSet()
    const file = { name: 'a.ics', content: calendarOf() }
    const added = await stage.add(editor, body({ socialSetId, file }))
    await post({ socialSetId, file: { ...file, content: 'Hello' } })
    await post({ socialSetId: newId(), file })
    const { raw = '', headers = {} } = calendarBody(body({ socialSetId, file }))
    const cut = await editor.request('POST', '/imported-calendars', { raw: raw.slice(0, -20), headers })
    expect(statusAndCode(cut)).toEqual([400, 'request:invalid_body'])
    await stage.shown(socialSetId)
    expect(await stage.read(editor, added.id)).toMatchObject({ status: 'OK' })
    await vi.waitFor(async () => expect((await files()).filter((name) => !before.includes(name))).toEqual([]), {
      timeout: 20_000,
    })
    await editor.request('DELETE', `/imported-calendars/${added.id}`)
  })

  test('of 10 MB in short lines, which JSON makes longer, is taken', async () => {
    const socialSetId = await api.newSocialSet()
    const content = calendarOf(lunch, Array(1_200_000).fill('X-A:bc'))
    expect(content.length).toBeGreaterThan(9_500_000)
    const added = await stage.add(editor, body({ socialSetId, file: { name: 'a.ics', content } }))
    await stage.shown(socialSetId)
    expect(await stage.read(editor, added.id)).toMatchObject({ status: 'OK', notes: 1 })
    await editor.request('DELETE', `/imported-calendars/${added.id}`)
  })

  test('with webcal is one with https', async () => {
    const socialSetId = await api.newSocialSet()
    const added = await stage.add(
      editor,
      body({ socialSetId, url: 'webcal://p01-calendars.example.com/published/2/secret' }),
    )
    expect(added.address).toBe('p01-calendars.example.com/…')
    await editor.request('DELETE', `/imported-calendars/${added.id}`)
  })

  test('of a change cannot make a file of an address, or an address of a file', async () => {
    const file = { name: 'a.ics', content: calendarOf(lunch) }
    const of = [
      await stage.add(editor, body({ file })),
      await stage.add(editor, body({ url: stage.serve('/kind.ics', '') })),
    ]
    const change = (id: string | undefined, given: object) =>
      editor.request('PATCH', `/imported-calendars/${id}`, calendarBody(given))
    expect(statusAndCode(await change(of[0]?.id, { url: 'https://example.com' }))).toEqual([
      400,
      'request:invalid_body',
    ])
    expect(statusAndCode(await change(of[1]?.id, { file }))).toEqual([400, 'request:invalid_body'])
    for (const { id } of of) await editor.request('DELETE', `/imported-calendars/${id}`)
  })
})

test('calendars-07: a social set has 20 calendars', async () => {
  const socialSetId = await api.newSocialSet()
  const file = { name: 'a.ics', content: calendarOf() }
  for (let index = 0; index < 20; index++) await stage.add(editor, body({ socialSetId, file, name: `Plan ${index}` }))
  expect(statusAndCode(await post({ socialSetId, file }))).toEqual([409, 'imported-calendar:limit_reached'])
  await api.db.deleteFrom('imported_calendars').where('social_set_id', '=', socialSetId).execute()
})

test('a paused calendar is not fetched by hand', async () => {
  const { id } = await imported('/paused.ics', calendarOf())
  await done(editor.request('PATCH', `/imported-calendars/${id}`, { body: { paused: true } }))
  expect(statusAndCode(await editor.request('POST', `/imported-calendars/${id}/fetch`))).toEqual([
    409,
    'request:refused',
  ])
})

test('what is paused or changed while it is read is not written', async () => {
  const socialSetId = await api.newSocialSet()
  const file = stage.server.halting('/halts.ics', Buffer.from(calendarOf(lunch)), 20)
  const { id } = await stage.add(editor, body({ socialSetId, url: file.url }))
  const reading = stage.reader.readDue()
  while (file.begun() === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(await stage.read(editor, id)).toMatchObject({ status: 'FETCHING' })
  await done(editor.request('PATCH', `/imported-calendars/${id}`, { body: { paused: true } }))
  file.goOn()
  await reading
  expect(await stage.shown(socialSetId)).toEqual([])
  expect(await stage.read(editor, id)).toMatchObject({ status: 'PAUSED', fetchedAt: null })
})
