import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGuardedFetch } from '#media'
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

const SECRET = 'private-0123456789abcdef'
const body = (url: string) => ({ socialSetId: api.socialSetId, name: 'Agency', hexColor: '#e1effc', url })

test('the address is in no answer, log, message, row or event', async () => {
  const url = stage.serve(`/${SECRET}/basic.ics`, calendarOf(eventOf('1', 'Lunch', 'DTSTART:20261124T110000Z')))
  const answers: unknown[] = []
  const ask = async (method: string, path: string, given?: object) => {
    const answer = await editor.request(method, path, given ? { body: given } : {})
    answers.push(answer.body)
    return answer.body
  }
  const { id } = await ask('POST', '/imported-calendars', body(url))
  await stage.reader.readDue()
  await ask('PATCH', `/imported-calendars/${id}`, { url: `${url}?token=${SECRET}` })
  stage.refuse(`/${SECRET}/basic.ics`, 500)
  await stage.reader.readDue()
  await ask('POST', `/imported-calendars/${id}/fetch`)
  await ask('GET', `/imported-calendars?socialSetId=${api.socialSetId}`)
  await ask('PATCH', `/imported-calendars/${id}`, { url: `ftp://${stage.server.host}/${SECRET}` })
  await ask('PATCH', `/imported-calendars/${id}`, { url: `https://${SECRET}:pw@example.com/` })
  // A server that sends elsewhere.
  stage.server.on(`/${SECRET}/basic.ics`, (_, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:1/${SECRET}` }).end(),
  )
  await stage.due(api.socialSetId)
  await stage.reader.readDue()
  await ask('GET', `/imported-calendars?socialSetId=${api.socialSetId}`)
  const { failure } = await stage.read(editor, id)
  expect(failure?.code).toBe('imported-calendar:url_blocked')
  expect(stage.logged.length).toBeGreaterThan(1)
  const rows = await api.db.selectFrom('imported_calendars').selectAll().where('id', '=', id).execute()
  const shown = JSON.stringify([answers, stage.logged, stage.reported, rows]) + api.logged()
  expect(shown).not.toContain(SECRET)
  // Nor in the bytes that are sealed.
  expect(rows[0]?.secret?.toString('latin1')).not.toContain(SECRET)
  await editor.request('DELETE', `/imported-calendars/${id}`)
})

test.each([
  'http://127.0.0.1:22/calendar.ics',
  'http://localhost/calendar.ics',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/calendar.ics',
  'http://10.0.0.1/calendar.ics',
])('an address of the inner network is not reached: %s', async (url) => {
  const { id } = await stage.add(editor, body(url))
  await stage.reader.readDue()
  expect((await stage.read(editor, id)).failure?.code).toBe('imported-calendar:url_blocked')
  await editor.request('DELETE', `/imported-calendars/${id}`)
})

test('a guarded fetch sends conditions to no one who was not asked', async () => {
  const fetch = createGuardedFetch({ trustedHosts: [stage.server.host] })
  const url = stage.serve('/plain.ics', 'text', 'one')
  const options = { signal: new AbortController().signal, maxBytes: 100, timeoutMs: 5_000, idleTimeoutMs: 5_000 }
  const known = { etag: '"one"', lastModified: 'Mon, 23 Nov 2026 09:00:00 GMT' }
  expect(await fetch.downloadIfChanged(url, known, options)).toEqual({ kind: 'unchanged' })
  expect(stage.lastRequest('/plain.ics')?.headers).toMatchObject({
    'if-none-match': '"one"',
    'if-modified-since': 'Mon, 23 Nov 2026 09:00:00 GMT',
  })
  // A server that says "unchanged" without having been asked has not sent the file.
  stage.refuse('/plain.ics', 304)
  expect(await fetch.download(url, options)).toMatchObject({ kind: 'failed', code: 'media-upload:http_error' })
  await fetch.close()
})

test('calendars-03: titles with script, marks of direction, controls, emptiness and a megabyte harm no one', async () => {
  const long = 'x'.repeat(1_000_000)
  const text = calendarOf(
    eventOf('1', '<script>alert(1)</script>', 'DTSTART:20261124T010000Z'),
    eventOf('2', 'Cafe\u202eevil\u2066\u0007\u0000', 'DTSTART:20261124T020000Z'),
    eventOf('3', 'Two\\nlines', 'DTSTART:20261124T030000Z'),
    eventOf('4', '', 'DTSTART:20261124T040000Z'),
    eventOf('5', long, 'DTSTART:20261124T050000Z'),
    eventOf('6', '👩‍👩‍👧'.repeat(500), 'DTSTART:20261124T060000Z'),
    eventOf(long, 'A long id', 'DTSTART:20261124T070000Z'),
  )
  const socialSetId = await api.newSocialSet()
  const { id } = await stage.add(editor, { ...body(stage.serve('/titles.ics', text)), socialSetId })
  const contents = (await stage.notes(socialSetId)).map(({ content }) => content)
  expect(contents.slice(0, 4)).toEqual(['<script>alert(1)</script>', 'Cafeevil', 'Two lines', 'Event without a title'])
  expect(contents[4]).toBe(`${'x'.repeat(1_023)}…`)
  expect([...(contents[5] ?? '')]).toHaveLength(1_024)
  // Its line is cut, so its id is not known: it is left out.
  expect(contents).toHaveLength(6)
  expect(await stage.read(editor, id)).toMatchObject({ status: 'OK', unreadable: 1 })
})

test('roles that do not run the calendar see what is imported and change nothing', async () => {
  const file = { name: 'a.ics', content: calendarOf() }
  const given = { socialSetId: api.socialSetId, name: 'Agency', hexColor: '#e1effc', file }
  const { id } = await stage.add(editor, given)
  for (const role of ['author', 'reviewer'] as const) {
    const person = await signInAs(api, role)
    expect((await done(person.request('GET', `/imported-calendars?socialSetId=${api.socialSetId}`))).data).toHaveLength(
      1,
    )
    const refused = [403, 'auth:insufficient_role']
    expect(statusAndCode(await person.request('POST', '/imported-calendars', calendarBody(given)))).toEqual(refused)
    expect(statusAndCode(await person.request('DELETE', `/imported-calendars/${id}`))).toEqual(refused)
    expect(statusAndCode(await person.request('PUT', `/social-sets/${api.socialSetId}/calendar-feed`))).toEqual(refused)
  }
  await editor.request('DELETE', `/imported-calendars/${id}`)
})
