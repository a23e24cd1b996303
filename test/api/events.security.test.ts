import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { type EventStream, follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, NO_SOCIAL_SET, NOT_SIGNED_IN, OTHER_SITE, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

const path = (socialSetId: string) => `/live?socialSetId=${socialSetId}`

test('no one follows without a session, with a key, or from another site', async () => {
  const person = await signInAs(api, 'owner')
  const url = `/internal${path(api.socialSetId)}`
  expect(statusAndCode(await api.request('GET', url, { key: null }))).toEqual(NOT_SIGNED_IN)
  expect(statusAndCode(await api.request('GET', url))).toEqual(NOT_SIGNED_IN)
  const headers = { 'sec-fetch-site': 'cross-site' }
  expect(statusAndCode(await person.request('GET', path(api.socialSetId), { headers }))).toEqual(OTHER_SITE)
})

test('social sets that are not seen are not there, and nothing of them is heard', async () => {
  const accountId = await api.newAccount()
  const theirs = await api.newSocialSet({ accountId })
  const hidden = await api.newSocialSet()
  const limited = await signInAs(api, 'owner', { socialSetIds: [api.socialSetId] })
  for (const id of [theirs, hidden, newId(), 'nonsense']) {
    expect(statusAndCode(await limited.request('GET', path(id)))).toEqual(NO_SOCIAL_SET)
  }
  expect(statusAndCode(await limited.request('GET', `${path(api.socialSetId)}&x=1`))).toEqual([
    400,
    'request:invalid_query',
  ])

  const stream = await follow(api, limited, api.socialSetId)
  // Others do follow them, so that they are reported in this process.
  const others = [
    await follow(api, await signInAs(api, 'owner'), hidden),
    await follow(api, await signInAs(api, 'owner', { accountId }), theirs),
  ]
  for (const each of [stream, ...others]) await each.until('ready')
  const made = [
    await api.create({ socialSetId: hidden }),
    await api.create({ socialSetId: theirs }, await api.newKey({ accountId })),
  ]
  for (const [index, other] of others.entries()) await other.until('post-sets', [made[index]?.id])
  const { id } = await api.create()
  await stream.until('post-sets', [id])
  expect(stream.events).toEqual([
    ['ready', null],
    ['post-sets', [id]],
  ])
  for (const each of [stream, ...others]) each.close()
})

test('a fifth stream of a member is refused, until another one has gone', async () => {
  const person = await signInAs(api, 'reviewer')
  const streams = await Promise.all(Array.from({ length: 4 }, () => follow(api, person, api.socialSetId)))
  expect(streams.map(({ status }) => status)).toEqual(Array(4).fill(200))
  const fifth = await person.request('GET', path(api.socialSetId))
  expect(statusAndCode(fifth)).toEqual([429, 'rate-limit:exceeded'])
  expect(fifth.headers.get('retry-after')).toBe('60')
  const other = await follow(api, await signInAs(api, 'reviewer'), api.socialSetId)
  expect(other.status).toBe(200)
  streams[0]?.close()
  await vi.waitFor(async () => {
    const again = await follow(api, person, api.socialSetId)
    expect(again.status).toBe(200)
    streams.push(again)
  })
  for (const stream of [...streams, other]) stream.close()
})

const ENDS: [string, (person: Person) => Promise<unknown>][] = [
  ['signing out', (person) => person.request('DELETE', '/session')],
  [
    'a session that is over',
    ({ userId }) =>
      api.db
        .updateTable('sessions')
        .set({ expires_at: new Date(0) })
        .where('user_id', '=', userId)
        .execute(),
  ],
  ['leaving the account', ({ userId }) => api.db.deleteFrom('memberships').where('user_id', '=', userId).execute()],
  [
    'losing sight of the social set',
    ({ userId }) =>
      api.db
        .updateTable('memberships')
        .set({ social_set_ids: [newId()] })
        .where('user_id', '=', userId)
        .execute(),
  ],
]

test.each(ENDS)('%s ends a stream within a minute', async (_, end) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let stream: EventStream | null = null
  try {
    const person = await signInAs(api, 'editor')
    stream = await follow(api, person, api.socialSetId)
    await stream.until('ready')
    vi.advanceTimersByTime(59_000)
    const { id } = await api.create()
    await stream.until('post-sets', [id])
    await end(person)
    vi.advanceTimersByTime(59_000)
    await stream.ended
  } finally {
    vi.useRealTimers()
    stream?.close()
  }
})
