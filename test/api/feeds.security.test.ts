import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { issueFeedAddress } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let editor: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  await api.setClock('2026-11-23T09:00:00Z')
  editor = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const PUT = (socialSetId: string) => done(editor.request('PUT', `/social-sets/${socialSetId}/calendar-feed`))
const pathOf = (url: string) => new URL(url).pathname
const open = (path: string, init: RequestInit = {}) => fetch(`${api.url}${path}`, init)

test('calendars-10: unknown, closed and misspelled addresses, and those of links that are closed, answer alike', async () => {
  const socialSetId = await api.newSocialSet()
  const closed = pathOf((await PUT(socialSetId)).url)
  await editor.request('DELETE', `/social-sets/${socialSetId}/calendar-feed`)
  const of = { accountId: api.accountId, publicUrl: 'https://almanac.test', createdBy: null }
  const shared = await issueFeedAddress(api.db, { ...of, of: { sharedCalendarId: newId() } })
  const answers = await Promise.all(
    [closed, pathOf(shared.url), `/feeds/${'a'.repeat(43)}.ics`, '/feeds/short.ics', `/feeds/${'%00'.repeat(40)}`].map(
      async (path) => {
        const answer = await open(path)
        const { requestId, ...problem } = (await answer.json()) as { requestId: string; code: string }
        expect(requestId).toEqual(expect.any(String))
        const headers = Object.fromEntries(answer.headers)
        return { status: answer.status, problem, cache: headers['cache-control'], names: Object.keys(headers).sort() }
      },
    ),
  )
  expect(answers[0]).toMatchObject({ status: 404, problem: { code: 'calendar-feed:not_found' } })
  for (const answer of answers) expect(answer).toEqual(answers[0])
})

test('the token is in no log and no row, also with something behind it', async () => {
  const { url } = await PUT(await api.newSocialSet())
  const path = pathOf(url)
  const token = path.slice('/feeds/'.length, -'.ics'.length)
  expect((await open(path)).status).toBe(200)
  expect((await open(`${path}?key=${token}`)).status).toBe(200)
  for (const more of [`${path}/`, `${path}/more`, `/feed/${token}`, `/${token}`])
    expect((await open(more)).status).toBe(404)
  expect((await open(path, { method: 'POST' })).status).toBe(405)
  expect(api.logged()).toContain('/feeds/….ics')
  expect(api.logged()).not.toContain(token)
  const rows = await api.db.selectFrom('calendar_feeds').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('no cache keeps it for others, no engine lists it, and nothing in it runs', async () => {
  const { url } = await PUT(await api.newSocialSet())
  const { headers } = await open(pathOf(url), { headers: { origin: 'https://evil.example' } })
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'private, no-cache',
    'x-robots-tag': 'noindex, nofollow',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "sandbox; default-src 'none'",
  })
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(headers.get('set-cookie')).toBeNull()
})

test('texts cannot break out of their lines', async () => {
  const socialSetId = await api.newSocialSet({ name: 'Brand' })
  const { url } = await PUT(socialSetId)
  const evil = 'Hello\r\nEND:VEVENT\nBEGIN:VEVENT\rUID:evil\u2028\u0007\u202e;,\\n'
  const posts = [{ accountType: 'BLUESKY', caption: evil, media: [] }]
  await api.create({ socialSetId, scheduledAt: '2026-12-01T10:00:00Z', posts })
  const note = { socialSetId, content: evil, hexColor: '#faf785', scheduledAt: '2026-12-01T10:00:00Z' }
  await done(api.request('POST', '/v1/notes', { body: note }), 201)
  const text = await (await open(pathOf(url))).text()
  expect(text.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(2)
  expect(text.match(/^UID:/gm)).toHaveLength(2)
  expect(text).not.toMatch(/[^\r]\n|\r[^\n]/)
  for (const letter of ['\u0007', '\u202e']) expect(text).not.toContain(letter)
})

test('a feed is bounded: the nearest posts, the beginning of long captions', async () => {
  const socialSetId = await api.newSocialSet()
  const { url } = await PUT(socialSetId)
  const posts = [{ accountType: 'BLUESKY', caption: 'ü'.repeat(60_000), media: [] }]
  await api.create({ socialSetId, scheduledAt: '2026-12-01T10:00:00Z', posts })
  for (const scheduledAt of ['2026-08-01T10:00:00Z', '2028-01-01T10:00:00Z'])
    await api.create({ socialSetId, scheduledAt })
  const text = await (await open(pathOf(url))).text()
  expect(text.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(1)
  expect(Buffer.byteLength(text)).toBeLessThan(8_000)
})
