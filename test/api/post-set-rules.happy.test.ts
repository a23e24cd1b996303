import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLabel, labelPostSet, lockPostSet, unlockPostSet } from '#operations'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const APPROVALS = ['NONE', 'PENDING', 'EXTERNAL_PENDING', 'APPROVED', 'DENIED']
const list = async (socialSetId: string, query = ''): Promise<Body[]> =>
  (await api.request('GET', `/v1/post-sets?socialSetId=${socialSetId}${query}`)).body.data

test.each(['DRAFT', 'SCHEDULED'])(
  'states-19, states-21: any approval follows any other, and the set stays %s',
  async (status) => {
    for (const from of APPROVALS) {
      for (const to of APPROVALS) {
        const { id } = await api.create({ status, approval: from })
        const answer = await api.request('PATCH', `/v1/post-sets/${id}`, { body: { approval: to } })
        expect([answer.status, answer.body.approval, answer.body.status], `${from} to ${to}`).toEqual([200, to, status])
      }
    }
  },
)

test('post-sets-07, shape-26: sets are found by each network that a filter may name', async () => {
  const socialSetId = await api.newSocialSet()
  const common = { caption: '', media: [] }
  const posts: Record<string, object[]> = {
    INSTAGRAM: [INSTAGRAM_POST],
    FACEBOOK: [{ ...common, accountType: 'FACEBOOK', type: 'TEXT', richCaption: [] }],
    TWITTER: [{ ...common, accountType: 'TWITTER' }],
    LINKEDIN: [
      { ...common, accountType: 'LINKEDIN_PAGE', richCaption: [] },
      { ...common, accountType: 'LINKEDIN_PERSONAL', richCaption: [] },
    ],
    GMB: [{ ...common, accountType: 'GMB', ctaType: 'NONE' }],
    PINTEREST: [{ ...common, accountType: 'PINTEREST', title: '', website: '' }],
    TIKTOK: [{ ...common, accountType: 'TIKTOK' }],
    YOUTUBE: [{ ...common, accountType: 'YOUTUBE', title: '', privacy: 'PUBLIC' }],
    THREADS: [{ ...common, accountType: 'THREADS' }],
    BLUESKY: [BLUESKY_POST],
  }
  const made: Record<string, string[]> = {}
  for (const [network, each] of Object.entries(posts)) {
    made[network] = []
    for (const post of each) made[network].push((await api.create({ socialSetId, posts: [post] })).id)
  }
  for (const [network, ids] of Object.entries(made)) {
    const found = await list(socialSetId, `&filters[socialNetworks][]=${network}`)
    expect(found.map(({ id }) => id).toSorted(), network).toEqual(ids.toSorted())
  }
})

test('states-20, post-sets-08: sets are found by each approval, and by several at once', async () => {
  const socialSetId = await api.newSocialSet()
  for (const approval of APPROVALS) await api.create({ socialSetId, approval })
  for (const approval of APPROVALS) {
    const found = await list(socialSetId, `&filters[approval][]=${approval}`)
    expect(found.map((set) => set.approval)).toEqual([approval])
  }
  const query = APPROVALS.map((approval) => `&filters[approval][]=${approval}`).join('')
  expect(await list(socialSetId, query)).toHaveLength(5)
})

test('post-sets-01, post-sets-13: a list holds the sets of its social set alone, each as it is read by its id', async () => {
  const socialSetId = await api.newSocialSet()
  const mediaLibraryId = await api.newMedia({ socialSetId })
  const made = [
    await api.create({ socialSetId, scheduledAt: '2030-01-01T00:00:00Z' }),
    await api.create({ socialSetId, scheduledAt: '2030-01-02T00:00:00Z', posts: [INSTAGRAM_POST, BLUESKY_POST] }),
    await api.create({
      socialSetId,
      scheduledAt: '2030-01-03T00:00:00Z',
      posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId, altText: 'a loaf' }] }],
    }),
  ]
  await api.create()
  const sets = await list(socialSetId)
  expect(sets).toEqual(made)
  for (const set of sets) expect((await api.request('GET', `/v1/post-sets/${set.id}`)).body).toEqual(set)
})

test('publish-08: labels and the lock of a scheduled set ask nothing about its posts', async () => {
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
  const { id } = await api.create({ socialSetId, status: 'SCHEDULED' })
  const broken = { status: 'RECONNECT_REQUIRED' as const }
  await api.db.updateTable('connections').set(broken).where('social_set_id', '=', socialSetId).execute()
  const operator = { type: 'OPERATOR', id: null, name: 'operator' } as const
  const label = await createLabel(api, { accountId: api.accountId, name: 'Autumn', color: null })
  await labelPostSet(api, { postSetId: id, label: label.id, remove: false }, operator)
  await lockPostSet(api, id, operator)
  expect((await api.request('GET', `/v1/post-sets/${id}`)).body).toMatchObject({
    status: 'SCHEDULED',
    labelsId: [label.id],
    isLocked: true,
  })
  await unlockPostSet(api, id, operator)
})
