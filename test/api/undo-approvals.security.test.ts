import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { CHANGES, reviewsOf, setRule } from '../_util/api/approvals.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate } from '../_util/browser/dashboard-api.ts'

let api: Api
let accountId: string
let socialSetId: string
let boss: Person
let second: Person
let writer: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  accountId = await api.newAccount()
  socialSetId = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
  boss = await signInAs(api, 'owner', { accountId })
  second = await signInAs(api, 'editor', { accountId })
  writer = await signInAs(api, 'author', { accountId })
})
afterAll(() => api.close())

const now = (id: string) => actionsOf(boss).read(id)
/** Takes the change back that led to the version that it has now, or to another one. */
const undo = async (person: Person, id: string, version?: number) => {
  const given = version ?? (await now(id)).version
  const { done, refused } = await actionsOf(person).bulk([{ id, version: given }], { undo: true })
  return done.length > 0 ? 'done' : refused[0]?.code
}

test('an approval that was taken back is given again by reviewing alone', async () => {
  await setRule(api, { rule: 'REQUIRED', reviewers: 2 }, socialSetId)
  const { id } = await reviewsOf(writer).ask(api, { socialSetId })
  await reviewsOf(second).approve(id)
  const first = (await now(id)).version
  await reviewsOf(boss).approve(id)
  expect(await undo(boss, id)).toBe('done')
  const back = (await now(id)).version
  expect(await undo(second, id, first)).toBe('done')
  expect(await undo(boss, id, back)).toBe('request:refused')
  expect(await undo(second, id)).toBe('request:refused')
  expect((await now(id)).approval).toBe('PENDING')
  expect(await reviewsOf(boss).read(id)).toMatchObject({ approvals: { given: [] }, cannotApprove: null })

  // Nor after the rule has become another, nor when it is the client who would be asked.
  for (const rule of ['REQUIRED', 'TEAM_THEN_CLIENT'] as const) {
    await setRule(api, { rule }, socialSetId)
    const again = await reviewsOf(writer).ask(api, { socialSetId })
    await reviewsOf(second).approve(again.id)
    expect(await undo(second, again.id)).toBe('done')
    await setRule(api, { rule, reviewers: 2 }, socialSetId)
    expect(await undo(second, again.id)).toBe('request:refused')
    expect((await now(again.id)).approval).toBe('PENDING')
  }
})

test('a request for changes that was taken back can be made again', async () => {
  await setRule(api, {}, socialSetId)
  const { id } = await reviewsOf(writer).ask(api, { socialSetId })
  await reviewsOf(second).approve(id)
  await reviewsOf(boss).decide(id, CHANGES)
  expect(await undo(boss, id)).toBe('done')
  expect((await now(id)).approval).toBe('APPROVED')
  expect(await undo(boss, id)).toBe('done')
  expect((await now(id)).approval).toBe('DENIED')
})

test('undo approves nothing for the member who changed it last', async () => {
  await setRule(api, {}, socialSetId)
  const { id } = await reviewsOf(second).ask(api, { socialSetId })
  await reviewsOf(boss).approve(id)
  await reviewsOf(second).decide(id, CHANGES)
  expect(await undo(second, id)).toBe('request:refused')
  expect((await now(id)).approval).toBe('DENIED')
  const other = await reviewsOf(second).ask(api, { socialSetId })
  await reviewsOf(boss).approve(other.id)
  await reviewsOf(second).patch(other.id, { approval: 'PENDING' })
  expect(await undo(second, other.id)).toBe('request:refused')
  expect((await now(other.id)).approval).toBe('PENDING')
})

test('an approval with a reason comes back only while no one else is left', async () => {
  const account = await api.newAccount()
  const brand = await api.newSocialSet({ accountId: account, connected: ['BLUESKY'] })
  const owner = await signInAs(api, 'owner', { accountId: account })
  const editor = await signInAs(api, 'editor', { accountId: account })
  await setRule(api, { rule: 'REQUIRED', reviewers: 2 }, brand)
  const read = async (id: string) => (await actionsOf(owner).read(id)).approval
  const approveAlone = async () => {
    const { id } = await reviewsOf(editor).ask(api, { socialSetId: brand })
    await reviewsOf(owner).approve(id)
    expect((await reviewsOf(owner).approveAlone(id)).body).toMatchObject({ approval: 'APPROVED' })
    const { version } = (await reviewsOf(owner).decide(id, CHANGES)).body
    return { id, version }
  }
  const [one, two] = [await approveAlone(), await approveAlone()]
  expect(await undo(owner, one.id, one.version)).toBe('done')
  expect(await read(one.id)).toBe('APPROVED')
  await signInAs(api, 'editor', { accountId: account })
  expect(await undo(owner, two.id, two.version)).toBe('request:refused')
  expect(await read(two.id)).toBe('DENIED')
})
