import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
let act: ReturnType<typeof actionsOf>
let tokyo: string
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
  act = actionsOf(person)
  tokyo = await api.newSocialSet({ name: 'Tokyo', timezone: 'Asia/Tokyo', connected: ['BLUESKY'] })
})
afterAll(() => api.close())

type Version = { id: string; version: number }
const copyTo = (sets: Version[], move = false, socialSetId = tokyo) => act.bulk(sets, { copyTo: { socialSetId, move } })
const undo = (copies: Version[]) => act.bulk(copies, { undo: true })
/** The only one of a bulk answer. */
async function one(answer: Promise<Body>): Promise<Body> {
  const { done: sets, refused } = await answer
  expect(refused).toEqual([])
  expect(sets).toHaveLength(1)
  return sets[0]
}
const status = async (id: string) => (await person.request('GET', `/post-sets/${id}`)).status
const libraryOf = async (socialSetId: string): Promise<Body[]> =>
  (await done(person.request('GET', `/media-library/browse?socialSetId=${socialSetId}`))).data
const stored = async () => (await done(person.request('GET', '/usage'))).storageBytes.used

test('a copy is a draft of the other brand, at the same time on its clocks, with all that the post says', async () => {
  const [photo, second] = [await api.newMedia(), await api.newMedia()]
  const label = newId()
  await api.db
    .insertInto('labels')
    .values({ id: label, account_id: api.accountId, name: newId(), color: null })
    .execute()
  const original = await api.create({
    approval: 'APPROVED',
    externalId: newId(),
    repeat: { interval: 'DAY', occurrences: 2 },
    posts: [
      {
        ...BLUESKY_POST,
        caption: 'One',
        media: [{ mediaLibraryId: photo, altText: 'A loaf' }],
        thread: [{ caption: 'Two', media: [{ mediaLibraryId: second }] }],
      },
      { ...INSTAGRAM_POST, firstComment: 'More', media: [{ mediaLibraryId: photo }], options: {} },
      { accountType: 'PINTEREST', caption: '', title: 'Bread', website: '', board: { id: '1', name: 'B' }, media: [] },
    ],
  })
  await act.label(original.id, [label])
  const made = await one(copyTo([{ id: original.id, version: 2 }]))
  expect(made).toMatchObject({ version: 1, message: null, before: { status: 'DRAFT', labelsId: [label] } })
  const copy = await act.read(made.id)
  // 12:00 in Berlin, and in Tokyo.
  expect(copy).toMatchObject({
    socialSetId: tokyo,
    status: 'DRAFT',
    approval: 'NONE',
    scheduledAt: '2030-06-01T03:00:00.000Z',
    labelsId: [],
    version: 1,
  })
  expect(copy.seriesId ?? null).toBeNull()
  expect(copy.externalId ?? null).toBeNull()
  const [bluesky, instagram, pin] = copy.posts as Body[]
  expect(bluesky).toMatchObject({ caption: 'One', media: [{ altText: 'A loaf' }], thread: [{ caption: 'Two' }] })
  expect(instagram).toMatchObject({ accountType: 'INSTAGRAM', firstComment: 'More' })
  // A board is one of the account that the other brand has.
  expect([pin.title, pin.board]).toEqual(['Bread', null])
  // One item for each file, of the other library.
  const files = await libraryOf(tokyo)
  expect(files).toHaveLength(2)
  expect(bluesky.media[0].mediaLibraryId).toBe(instagram.media[0].mediaLibraryId)
  expect(files.map(({ id }) => id).sort()).toEqual(
    [bluesky.media[0].mediaLibraryId, bluesky.thread[0].media[0].mediaLibraryId].sort(),
  )
  // Nothing is shared but bytes, and nothing of the original has changed.
  const ids = (set: Body): string[] => JSON.stringify(set).match(/"id":"[0-9a-f-]{36}"/g) ?? []
  const old = new Set(ids(original))
  expect(ids(copy).filter((id) => old.has(id))).toEqual([])
  expect(await act.read(original.id)).toMatchObject({ status: 'DRAFT', approval: 'APPROVED', version: 2 })
  expect(await api.history(made.id)).toMatchObject([
    { action: 'created', actor_name: 'Ada', changes: { copyOf: original.id, status: 'DRAFT' } },
  ])
})

test('a move takes the original off, in the same step; events name both', async () => {
  const original = await api.create({ status: 'SCHEDULED' })
  const made = await one(copyTo([original], true))
  expect([await status(original.id), await status(made.id)]).toEqual([404, 200])
  expect((await api.history(original.id)).map(({ action }) => action)).toEqual(['created', 'deleted'])
  const { rows } = await sql<{ id: string; what: string; place: string }>`
    select data ->> 'postSetId' as id, what, social_set_id as place from happened
    where data ->> 'postSetId' in (${original.id}, ${made.id}) order by what, at`.execute(api.db)
  expect(rows).toEqual([
    { id: original.id, what: 'created', place: api.socialSetId },
    { id: made.id, what: 'created', place: tokyo },
    { id: original.id, what: 'deleted', place: api.socialSetId },
  ])
  const found = await done(
    person.request('GET', `/post-sets?${new URLSearchParams({ socialSetId: tokyo, page: '1', size: '100' })}`),
  )
  expect(found.data.map(({ id }: Body) => id)).toContain(made.id)
})

test('several go at once, each by itself', async () => {
  const [first, second] = [await api.create(), await api.create()]
  await act.lock(second.id)
  const { done: gone, refused } = await copyTo([first, { ...second, version: 2 }], true)
  expect([gone.length, refused.map(({ id, code }) => [id, code])]).toEqual([1, [[second.id, 'post-set:locked']]])
  expect([await status(first.id), await status(second.id)]).toEqual([404, 200])
  // A copy of what is locked takes nothing away.
  expect((await act.read((await one(copyTo([{ ...second, version: 2 }]))).id)).isLocked).toBe(false)
})

describe('files', () => {
  test('that the brand has of the same bytes already are used again, and each brand counts its own', async () => {
    const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
    const photo = await api.newMedia()
    const posts = [{ ...BLUESKY_POST, media: [{ mediaLibraryId: photo }] }]
    const bytes = async () =>
      Number(
        (
          await sql<{ sum: string }>`select coalesce(sum(bytes), 0) as sum from media_items
            where social_set_id = ${socialSetId} and closed_at is null`.execute(api.db)
        ).rows[0]?.sum,
      )
    const before = await stored()
    for (let time = 0; time < 2; time++) await one(copyTo([await api.create({ posts })], false, socialSetId))
    expect([await libraryOf(socialSetId).then((files) => files.length), await bytes()]).toEqual([1, 50_000])
    expect(await stored()).toBe(before + 50_000)
  })

  test('bring their copies, covers and posters, which both name', async () => {
    const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
    const video = await api.newMedia({ facts: { type: 'VIDEO', mimeType: 'video/mp4', durationMs: 5_000 } })
    await sql`insert into media_renditions (id, media_id, spec, facts, storage_key)
      values (gen_random_uuid(), ${video}, 'small', '{}', ${`${video}-small`})`.execute(api.db)
    await sql`insert into media_covers (media_id, at_ms, storage_key, state)
      values (${video}, 1000, ${`${video}-cover`}, 'DRAWN')`.execute(api.db)
    const made = await one(
      copyTo(
        [await api.create({ posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: video }] }] })],
        false,
        socialSetId,
      ),
    )
    const item = (await act.read(made.id)).posts[0].media[0].mediaLibraryId
    const { rows } = await sql<Body>`
      select thumbnail_key, (select storage_key from media_renditions where media_id = media_items.id) as copy,
        (select storage_key from media_covers where media_id = media_items.id) as cover from media_items where id = ${item}`.execute(
      api.db,
    )
    expect(rows).toEqual([{ thumbnail_key: `${video}-thumbnail`, copy: `${video}-small`, cover: `${video}-cover` }])
  })
})

describe('undo', () => {
  test('of a copy takes it off, with the files that came along and that no other post has', async () => {
    const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
    const [photo, other] = [await api.newMedia(), await api.newMedia()]
    const media = [photo, other].map((mediaLibraryId) => ({ mediaLibraryId }))
    const original = await api.create({ posts: [{ ...BLUESKY_POST, media }] })
    const made = await one(copyTo([original], false, socialSetId))
    const [, used] = (await act.read(made.id)).posts[0].media as Body[]
    await api.create({ socialSetId, posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: used.mediaLibraryId }] }] })
    expect(await one(undo([made]))).toMatchObject({ id: made.id, message: null })
    expect([await status(made.id), await status(original.id)]).toEqual([404, 200])
    expect((await libraryOf(socialSetId)).map(({ id }) => id)).toEqual([used.mediaLibraryId])
    // The copy can be restored as all that was deleted, and its file with it.
    await act.restore(made.id)
    expect(await libraryOf(socialSetId)).toHaveLength(2)
  })

  test('of a move brings the original back as it was', async () => {
    const original = await api.create({ status: 'SCHEDULED', externalId: newId() })
    const made = await one(copyTo([original], true))
    expect(await one(undo([made]))).toMatchObject({ id: original.id, message: null })
    expect(await status(made.id)).toBe(404)
    expect(await act.read(original.id)).toMatchObject({
      status: 'SCHEDULED',
      externalId: original.externalId,
      scheduledAt: original.scheduledAt,
    })
  })

  test('brings it back as a draft when its time is past', async () => {
    const scheduledAt = new Date(Date.now() + 86_400_000)
    const original = await api.create({ status: 'SCHEDULED', scheduledAt: scheduledAt.toISOString() })
    const made = await one(copyTo([original], true))
    await api.setClock(new Date(scheduledAt.getTime() + 1_000).toISOString())
    try {
      const back = await one(undo([made]))
      expect(back.message).toMatchObject({ code: 'why:draft_time_passed' })
      expect(await act.read(original.id)).toMatchObject({ status: 'DRAFT' })
    } finally {
      await api.setClock(null)
    }
  })
})
