import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, cardsOf, NO_SET, statusAndCode, WRONG_ROLE } from '../_util/browser/dashboard-api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

const body = { scheduledAt: '2030-06-02T10:00:00Z', scope: 'all' }
const newSeries = (more: object = {}) => api.create({ repeat: { interval: 'DAY', occurrences: 5 }, ...more })

test('an author moves the drafts of a series that others have begun, and leaves what is scheduled', async () => {
  const author = await signInAs(api, 'author')
  const editor = actionsOf(await signInAs(api, 'editor'))
  const first = await newSeries()
  const [, , third] = await cardsOf(api, author, [['filters[series]', first.seriesId]])
  await editor.patch(third?.id ?? '', { status: 'SCHEDULED' })
  const { moved, left } = await actionsOf(author).move(first.id, body)
  expect(moved).toHaveLength(4)
  expect(left).toEqual([
    { id: third?.id, why: expect.objectContaining({ message: expect.stringContaining('Schedule and publish') }) },
  ])
})

test('reviewers move nothing, and no one moves what is not theirs', async () => {
  const { id } = await newSeries()
  const reviewer = await signInAs(api, 'reviewer')
  const limited = await signInAs(api, 'owner', { socialSetIds: [newId()] })
  const stranger = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  const ask = (person: typeof limited, preview: boolean) =>
    person.request('POST', `/post-sets/${id}/move`, { body: { ...body, preview } })
  for (const preview of [true, false]) {
    expect(statusAndCode(await ask(reviewer, preview))).toEqual(WRONG_ROLE)
    for (const person of [limited, stranger]) expect(statusAndCode(await ask(person, preview))).toEqual(NO_SET)
  }
})

describe('at the same time', () => {
  test('moves of the same series from both ends come one after the other', async () => {
    const editor = await signInAs(api, 'editor')
    const first = await newSeries()
    const series: [string, string][] = [['filters[series]', first.seriesId]]
    const ids = (await cardsOf(api, editor, series)).map(({ id }) => id)
    const days = ids.flatMap((id, index) => [
      { id, scheduledAt: `2030-06-${String(index + 2).padStart(2, '0')}T10:00:00Z` },
    ])
    // Each says where its own set is to be; they hold the same rows.
    const answers = await Promise.all(
      days.map(({ id, scheduledAt }) =>
        editor.request('POST', `/post-sets/${id}/move`, { body: { scheduledAt, scope: 'all' } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const times = (await cardsOf(api, editor, series)).map(({ scheduledAt }) => Date.parse(scheduledAt))
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(steps).toEqual(Array(4).fill(86_400_000))
  })

  test('a set that is moved while another one deletes it is one or the other', async () => {
    const editor = await signInAs(api, 'editor')
    for (let turn = 0; turn < 5; turn++) {
      const first = await newSeries()
      const [moving, deleting] = await Promise.all([
        editor.request('POST', `/post-sets/${first.id}/move`, { body }),
        editor.request('DELETE', `/post-sets/${first.id}`),
      ])
      expect(deleting.status).toBe(204)
      expect([200, 404]).toContain(moving.status)
      const { postSet } = await actionsOf(editor).restore(first.id)
      expect(postSet.scheduledAt).toBe(moving.status === 200 ? '2030-06-02T10:00:00.000Z' : first.scheduledAt)
    }
  })
})
