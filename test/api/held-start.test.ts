import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs, signInAsOperator } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { holdAsCopy, putInState } from '../_util/engine/held-start.ts'

/** What API and dashboard answer while the start is held, and who may let it go on. */

let api: Api
let owner: Person
let operator: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  owner = await signInAs(api, 'owner')
  operator = await signInAsOperator(api, 'reviewer')
})
afterAll(() => api.close())

const resume = (person: Person, body: object) => person.request('POST', '/held-start/resume', { body })
const startSeenBy = async (person: Person) => (await done(person.request('GET', '/holds'))).start

test('social sets answer it as their hold; only operators see what was noticed, and may answer', async () => {
  expect(await startSeenBy(owner)).toBeNull()
  expect(statusAndCode(await resume(operator, { late: 'PARK' }))).toEqual([409, 'request:refused'])
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
  const lastRanAt = new Date('2030-06-01T08:00:00Z')
  await holdAsCopy(api.db, lastRanAt)
  const { id } = await api.create({
    ...{ socialSetId, status: 'SCHEDULED', scheduledAt: new Date().toISOString() },
    posts: [{ accountType: 'BLUESKY', caption: 'hello', media: [] }],
  })
  const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
  const hold = { since, by: 'Almanac', reason: expect.stringMatching(/may be a copy/) }
  for (const list of [api.request('GET', '/v1/social-sets?size=100'), owner.request('GET', '/social-sets?size=100')]) {
    expect((await done(list)).data.find((set: { id: string }) => set.id === socialSetId).hold).toEqual(hold)
  }
  const detail = await done(owner.request('GET', `/post-sets/${id}/deliveries`))
  expect(JSON.stringify(detail)).toContain('may be a copy')
  expect(await startSeenBy(owner)).toEqual({ since, copy: true, signs: [] })
  expect(await startSeenBy(operator)).toEqual({ since, copy: true, signs: ['The table was made anew.'] })

  const NOT_FOUND = [404, 'route:not_found']
  expect(statusAndCode(await owner.request('GET', '/held-start/due'))).toEqual(NOT_FOUND)
  expect(statusAndCode(await resume(owner, { late: 'PARK' }))).toEqual(NOT_FOUND)
  const due = await done(operator.request('GET', '/held-start/due'))
  expect(due).toEqual({ lastRanAt: lastRanAt.toISOString(), postSets: 1, withNetworks: 0 })
  for (const wrong of [{ late: 'LATER' }, {}, { late: 'PUBLISH', postSets: -1 }]) {
    expect(statusAndCode(await resume(operator, wrong))).toEqual([400, 'request:invalid_body'])
  }
  for (const body of [{ late: 'PUBLISH' }, { late: 'PUBLISH', postSets: 2 }]) {
    expect(statusAndCode(await resume(operator, body))).toEqual([409, 'request:refused'])
  }
  expect(await done(resume(operator, { late: 'PARK' }))).toEqual({ publishing: 0, parked: 1, failed: 0 })
  expect(await startSeenBy(owner)).toBeNull()
  const [label] = (await done(owner.request('GET', '/labels'))).data
  expect(label).toMatchObject({ name: 'May have gone out already' })
  expect(await done(api.request('GET', `/v1/post-sets/${id}`))).toMatchObject({ status: 'DRAFT', labelsId: [label.id] })
})

test('a hold that was there meanwhile is asked about what may have gone out, and says so when it is released', async () => {
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
  const { hold } = await done(
    owner.request('POST', '/holds', { body: { scope: 'SOCIAL_SET', id: socialSetId, reason: 'Wrong campaign' } }),
    201,
  )
  const posts = [{ accountType: 'BLUESKY', caption: 'hello', media: [] }]
  const scheduledAt = new Date().toISOString()
  await api.create({ socialSetId, status: 'SCHEDULED', scheduledAt, posts })
  const begun = await api.create({ socialSetId, status: 'DRAFT', scheduledAt, posts })
  await putInState(api.db, begun.id, 'LOOKING_UP')
  await holdAsCopy(api.db)
  await done(resume(operator, { late: 'PARK' }))
  const waiting = { postSets: 1, mayHaveGoneOut: 1, withNetworks: 1 }
  expect(await done(owner.request('GET', `/holds/${hold.id}/waiting`))).toEqual(waiting)
  const release = (body: object) => owner.request('POST', `/holds/${hold.id}/release`, { body })
  for (const body of [{ late: 'PUBLISH' }, { late: 'PUBLISH', mayHaveGoneOut: 2 }]) {
    expect(statusAndCode(await release(body))).toEqual([409, 'request:refused'])
  }
  expect(statusAndCode(await release({ late: 'PUBLISH', mayHaveGoneOut: -1 }))).toEqual([400, 'request:invalid_body'])
  expect(await done(release({ late: 'PUBLISH', mayHaveGoneOut: 1 }))).toEqual({ publishing: 1, parked: 0, failed: 0 })
})
