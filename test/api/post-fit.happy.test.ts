import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountType, accountTypes, type MediaFacts } from '#contract'
import { type Api, type Body, IMAGE, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

/** What becomes of pictures whose shape a network does not take. */

let api: Api
let editor: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  editor = await signInAs(api, 'admin')
})
afterAll(() => api.close())

const newBrand = () => api.newSocialSet({ connected: ['INSTAGRAM', 'FACEBOOK', 'BLUESKY'] })
const file = (socialSetId: string, width: number, height: number) =>
  api.newMedia({ socialSetId, facts: { ...IMAGE, width, height } })
const post = (media: string[], more: object = {}) => ({
  ...{ accountType: 'INSTAGRAM', type: media.length > 1 ? 'CAROUSEL' : 'IMAGE', caption: 'Bread', collaborators: [] },
  media: media.map((mediaLibraryId) => ({ mediaLibraryId })),
  ...more,
})
const set = (socialSetId: string, posts: object[], more: object = {}) => ({
  ...{ socialSetId, scheduledAt: '2031-05-01T10:00:00Z', status: 'SCHEDULED', approval: 'NONE', posts },
  ...more,
})
const create = (body: object) => api.request('POST', '/v1/post-sets', { body })
const codes = ({ body }: { body: Body }) => (body.errors ?? []).map(({ code }: Body) => code)

test('a picture that is too tall is refused, unless it is cut or put before a copy of itself', async () => {
  const socialSetId = await newBrand()
  const tall = await file(socialSetId, 1000, 3000)
  const refused = await create(set(socialSetId, [post([tall])]))
  expect([refused.status, codes(refused)]).toEqual([422, ['post:media_ratio']])
  for (const fit of ['CROP', 'PAD']) {
    const { status, body } = await create(set(socialSetId, [post([tall], { fit })]))
    expect([status, body.posts[0].fit]).toEqual([201, fit])
    // The picture is answered as the library has it.
    expect(body.posts[0].media[0]).toMatchObject({ width: 1000, height: 3000, crop: null })
  }
  // What a person has cropped stays as that.
  const crop = { x: 0, y: 0, width: 0.1, height: 1 }
  const own = await create(set(socialSetId, [{ ...post([]), media: [{ mediaLibraryId: tall, crop }], fit: 'CROP' }]))
  expect([own.status, codes(own)]).toEqual([422, ['post:media_ratio']])
  const { errors } = (await create(set(socialSetId, [post([tall], { fit: 'SQUEEZE' })]))).body
  expect(errors[0]).toMatchObject({ code: 'request:invalid_body', path: 'posts[0].fit' })
})

describe('what the brand has', () => {
  const fitOf = ({ posts: [first] }: Body) => first.fit
  const choose = (socialSetId: string, fit: string) =>
    done(editor.request('PATCH', `/social-sets/${socialSetId}`, { body: { fit } }))

  test('is written into new posts, and no change of it touches one that is there', async () => {
    const socialSetId = await newBrand()
    const tall = await file(socialSetId, 1000, 3000)
    const before = await done(create(set(socialSetId, [post([tall])], { status: 'DRAFT' })), 201)
    expect(fitOf(before)).toBe('REFUSE')
    expect((await choose(socialSetId, 'PAD')).socialSet.fit).toBe('PAD')
    const path = `/v1/post-sets/${before.id}`
    expect(fitOf((await api.request('GET', path)).body)).toBe('REFUSE')
    // What was read is sent back, with and without it.
    const [{ fit: _, ...kept }] = before.posts
    for (const posts of [before.posts, [kept], [{ ...kept, fit: null }]]) {
      expect(fitOf(await done(api.request('PATCH', path, { body: { posts } })))).toBe('REFUSE')
    }
    const { id: __, ...another } = kept
    const both = await done(
      api.request('PATCH', path, { body: { posts: [kept, { ...another, ...FACEBOOK, media: [] }] } }),
    )
    expect(both.posts.map(({ fit }: Body) => fit)).toEqual(['REFUSE', 'PAD'])

    const after = await done(
      create(set(socialSetId, [post([tall])], { repeat: { interval: 'DAY', occurrences: 2 } })),
      201,
    )
    expect(fitOf(after)).toBe('PAD')
    await choose(socialSetId, 'REFUSE')
    const all = await api.request('GET', `/v1/post-sets?socialSetId=${socialSetId}&filters[status][]=SCHEDULED`)
    expect(all.body.data.map(fitOf)).toEqual(['PAD', 'PAD'])
    expect(fitOf((await create(set(socialSetId, [post([tall], { fit: 'CROP' })]))).body)).toBe('CROP')
  })

  const FACEBOOK = { accountType: 'FACEBOOK', type: 'TEXT', richCaption: ['Bread'] }

  test('is answered by both ways to read brands, and one of none is refused', async () => {
    const socialSetId = await newBrand()
    await choose(socialSetId, 'CROP')
    const { body } = await api.request('GET', '/v1/social-sets?size=100')
    expect(body.data.find(({ id }: Body) => id === socialSetId).fit).toBe('CROP')
    const refused = await editor.request('PATCH', `/social-sets/${socialSetId}`, { body: { fit: 'NONE' } })
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'fit'])
  })
})

test('a change of it is an edit: history names it', async () => {
  const socialSetId = await newBrand()
  const media = [await file(socialSetId, 1000, 1000)]
  const made = await done(create(set(socialSetId, [post(media)])), 201)
  const [first] = made.posts
  await done(api.request('PATCH', `/v1/post-sets/${made.id}`, { body: { posts: [{ ...first, fit: 'PAD' }] } }))
  const { changes } = await api.db
    .selectFrom('history')
    .select('changes')
    .where('post_set_id', '=', made.id)
    .orderBy('version', 'desc')
    .executeTakeFirstOrThrow()
  expect(changes).toMatchObject({ posts: { changed: [{ fields: { fit: { from: null, to: 'PAD' } } }] } })
})

const SIZES: Partial<MediaFacts>[] = [
  [400, 1200],
  [3000, 500],
  [1000, 1000],
  [1600, 1200],
].map(([width = 0, height = 0]) => ({ width, height }))

test('with either, no network that has shapes finds one wrong', async () => {
  const { body } = await api.request('GET', '/v1/networks?size=100')
  const shaped = body.data.flatMap(({ accountType, forms }: Body) =>
    forms
      .filter(({ shape }: Body) => shape)
      .map(({ type, media }: Body) => ({ accountType, type, most: media.images })),
  )
  expect(shaped.map(({ accountType, type }: Body) => [accountType, type].join(' ')).sort()).toEqual([
    ...['FACEBOOK STORY', 'GMB ', 'INSTAGRAM CAROUSEL', 'INSTAGRAM IMAGE', 'INSTAGRAM STORY', 'PINTEREST ', 'THREADS '],
  ])
  const types = [...new Set(shaped.map(({ accountType }: Body) => accountType))] as AccountType[]
  expect(types.every((type) => accountTypes.includes(type))).toBe(true)
  const socialSetId = await api.newSocialSet({ connected: types })
  const files = await Promise.all(
    SIZES.map((facts) => api.newMedia({ socialSetId, facts: { ...IMAGE, bytes: 100_000, ...facts } })),
  )
  for (const { accountType, type, most } of shaped) {
    for (const fit of ['CROP', 'PAD', 'REFUSE']) {
      const several = most > 1 && type !== 'IMAGE'
      for (const media of several ? [files] : files.map((each) => [each])) {
        const items = media.map((mediaLibraryId) => ({ mediaLibraryId }))
        const fields = { ...(type ? { type } : {}), ...(accountType === 'GMB' ? { ctaType: 'NONE' } : {}) }
        const given = {
          accountType,
          caption: 'Bread',
          media: items,
          fit,
          ...fields,
          ...NEEDS[accountType as AccountType],
        }
        const answer = await api.request('POST', '/v1/post-sets/validate', { body: set(socialSetId, [given]) })
        const wrong = [...answer.body.problems, ...answer.body.warnings].filter(({ code }: Body) =>
          ['post:media_ratio', 'post:media_dimensions', 'request:invalid_body'].includes(code),
        )
        const words = wrong.filter(({ message }: Body) => !/coarse|at least \d+ pixels|pixels in/.test(message))
        if (fit === 'REFUSE') refusals.push(...words)
        else expect(words, `${accountType} ${type} ${fit}`).toEqual([])
      }
    }
  }
  // Without it the same pictures were found wrong.
  expect(new Set(refusals.map(({ accountType }) => accountType))).toEqual(new Set(['INSTAGRAM', 'PINTEREST']))
})
const refusals: Body[] = []
const NEEDS: Partial<Record<AccountType, object>> = {
  INSTAGRAM: { collaborators: [] },
  FACEBOOK: { richCaption: ['Bread'] },
  PINTEREST: { title: 'Bread', website: '', board: { id: '1', name: 'Bread' } },
}
