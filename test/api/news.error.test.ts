import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { addNews } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { happenings } from '../_util/api/news.ts'
import { anyRate, NO_SOCIAL_SET, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const BAD_QUERY = [400, 'request:invalid_query']
const BAD_BODY = [400, 'request:invalid_body']
const NO_NEWS = [404, 'news:not_found']

test.each([
  'size=0',
  'size=101',
  'unread=yes',
  'cursor=nothing',
  `cursor=2026-01-01T00:00:00.000Z_nothing`,
  `cursor=yesterday_${newId()}`,
  'cause=PLAN',
])('a list with %s is refused', async (query) => {
  expect(statusAndCode(await person.request('GET', `/news?${query}`))).toEqual(BAD_QUERY)
})

test.each([{}, { until: 'yesterday' }, { until: 5 }, { until: '2026-01-01T00:00:00Z', more: 1 }])(
  'a mark of %j is refused',
  async (body) => {
    expect(statusAndCode(await person.request('PUT', '/news/read', { body }))).toEqual(BAD_BODY)
  },
)

test('what is no news cannot be read', async () => {
  for (const id of ['nothing', newId()]) {
    expect(statusAndCode(await person.request('PUT', `/news/${id}/read`))).toEqual(NO_NEWS)
  }
})

test.each([
  [{ choices: {} }, BAD_BODY],
  [{ socialSetId: null }, BAD_BODY],
  [{ socialSetId: null, choices: { WEATHER: 'MAIL' } }, BAD_BODY],
  [{ socialSetId: null, choices: { COMMENTED: 'SMS' } }, BAD_BODY],
  [{ socialSetId: null, choices: { COMMENTED: 'MAIL' }, more: 1 }, BAD_BODY],
  [{ socialSetId: newId(), choices: { COMMENTED: 'MAIL' } }, NO_SOCIAL_SET],
  [{ socialSetId: 'nothing', choices: { COMMENTED: 'SMS' } }, NO_SOCIAL_SET],
])('choices of %j are refused', async (body, answer) => {
  expect(statusAndCode(await person.request('PUT', '/news/choices', { body }))).toEqual(answer)
})

test('what is about the account cannot be chosen for a social set, and nothing of the rest is stored', async () => {
  const body = { socialSetId: api.socialSetId, choices: { COMMENTED: 'MAIL', PLAN: 'MAIL' } }
  const answer = await person.request('PUT', '/news/choices', { body })
  expect(statusAndCode(answer)).toEqual(BAD_BODY)
  expect(answer.body.errors).toMatchObject([{ path: 'choices.PLAN' }])
  expect(await api.db.selectFrom('news_choices').selectAll().execute()).toEqual([])
})

test('an inner comment for guests is an error of ours, and what is rolled back is no news', async () => {
  const { comment } = happenings(api)
  await expect(comment(newId(), { inner: true, guestIds: [newId()] })).rejects.toThrow('inner')
  const rolledBack = api.db.transaction().execute(async (trx) => {
    const place = { accountId: api.accountId, actor: null, socialSetId: api.socialSetId }
    await addNews(trx, [{ ...place, kind: 'STILL_WAITING', postSetId: newId() }])
    throw new Error('Not after all.')
  })
  await expect(rolledBack).rejects.toThrow('Not after all.')
  expect(await api.db.selectFrom('news').selectAll().execute()).toEqual([])
})

test('a link that is none of ours ends no mails', async () => {
  for (const token of ['', 'nothing', 'bS4x.AAAA', 'x'.repeat(5_000), '%00']) {
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(`${api.url}/unsubscribe?token=${token}`, { method })
      expect(answer.status).toBe(404)
      expect(await answer.text()).toContain('This link does not work')
    }
  }
  const large = await fetch(`${api.url}/unsubscribe`, { method: 'POST', body: 'x'.repeat(20_000) })
  expect(large.status).toBe(413)
})
