import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'
import {
  actionsOf,
  anyRate,
  cardsOf,
  done,
  NO_SET,
  NOT_SIGNED_IN,
  OTHER_SITE,
  statusAndCode,
  WRONG_ROLE,
} from '../_util/browser/dashboard-api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

const body = { scope: 'all' }
const newSeries = (more: object = {}) => api.create({ repeat: { interval: 'DAY', occurrences: 4 }, ...more })
const seriesOf = ({ seriesId }: { seriesId?: string }): [string, string][] => [['filters[series]', seriesId ?? '']]

test('reviewers take nothing off, and no one takes off what is not theirs', async () => {
  const first = await newSeries()
  const { id } = first
  const people = {
    reviewer: await signInAs(api, 'reviewer'),
    limited: await signInAs(api, 'owner', { socialSetIds: [newId()] }),
    stranger: await signInAs(api, 'owner', { accountId: await api.newAccount() }),
  }
  for (const preview of [true, false]) {
    const ask = (person: (typeof people)['reviewer']) =>
      person.request('POST', `/post-sets/${id}/remove`, { body: { ...body, preview } })
    expect(statusAndCode(await ask(people.reviewer))).toEqual(WRONG_ROLE)
    expect(statusAndCode(await ask(people.limited))).toEqual(NO_SET)
    expect(statusAndCode(await ask(people.stranger))).toEqual(NO_SET)
  }
  expect(await cardsOf(api, people.reviewer, seriesOf(first))).toHaveLength(4)
})

test('no one is let in without a session, with a key, or from another site', async () => {
  const { id } = await newSeries()
  const own = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
  const path = `/internal/post-sets/${id}/remove`
  expect(statusAndCode(await api.request('POST', path, { key: null, body, headers: own }))).toEqual(NOT_SIGNED_IN)
  expect(statusAndCode(await api.request('POST', path, { body, headers: own }))).toEqual(NOT_SIGNED_IN)
  const person = await signInAs(api, 'owner')
  const headers = { origin: 'https://evil.test' }
  expect(statusAndCode(await person.request('POST', `/post-sets/${id}/remove`, { body, headers }))).toEqual(OTHER_SITE)
  expect((await api.request('GET', `/v1/post-sets/${id}`)).status).toBe(200)
})

test('an author takes the drafts of a series off, and leaves what is scheduled', async () => {
  const author = await signInAs(api, 'author')
  const first = await newSeries()
  const [, , third] = await cardsOf(api, author, seriesOf(first))
  await actionsOf(await signInAs(api, 'editor')).patch(third?.id ?? '', { status: 'SCHEDULED' })
  const { removed, left } = await done(author.request('POST', `/post-sets/${first.id}/remove`, { body }))
  expect(removed).toHaveLength(3)
  expect(left).toEqual([
    {
      id: third?.id,
      why: expect.objectContaining({ message: 'It is scheduled, and your role can only change drafts.' }),
    },
  ])
  // Named itself it is refused, and nothing else goes with it.
  const others = await newSeries()
  const [one] = await cardsOf(api, author, seriesOf(others))
  await actionsOf(await signInAs(api, 'editor')).patch(one?.id ?? '', { status: 'SCHEDULED' })
  expect(statusAndCode(await author.request('POST', `/post-sets/${one?.id}/remove`, { body }))).toEqual(WRONG_ROLE)
  expect(await cardsOf(api, author, seriesOf(others))).toHaveLength(4)
})

test('the whole series goes once, from whichever end it is asked for at the same time', async () => {
  const editor = await signInAs(api, 'editor')
  const first = await newSeries()
  const ids = (await cardsOf(api, editor, seriesOf(first))).map(({ id }) => id)
  const answers = await Promise.all(ids.map((id) => editor.request('POST', `/post-sets/${id}/remove`, { body })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
  expect(await cardsOf(api, editor, seriesOf(first))).toEqual([])
})
