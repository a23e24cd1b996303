import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { reviewsOf, setRule } from '../_util/api/approvals.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done, publishAs } from '../_util/browser/dashboard-api.ts'

/** A file takes the place of another one in posts, and comes back. */

let api: Api
let editor: Person
let author: Person
let reviewer: Person
let from: string
let to: string
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  editor = await signInAs(api, 'editor')
  author = await signInAs(api, 'author')
  reviewer = await signInAs(api, 'reviewer')
})
beforeEach(async () => {
  await api.db.deleteFrom('post_sets').execute()
  await setRule(api, {})
  ;[from, to] = [await file('Old.jpg'), await file('New.jpg')]
})
afterAll(() => api.close())

async function file(name: string, { altText = null, facts = {} }: { altText?: string | null; facts?: object } = {}) {
  const id = await api.newMedia({ facts })
  await done(author.request('PATCH', `/media-library/${id}`, { body: { name, altText } }))
  return id
}
const withFile = (more: object = {}) => ({ ...BLUESKY_POST, media: [{ mediaLibraryId: from, ...more }] })
const postWith = (more: object = {}, posts: object[] = [withFile()]) => api.create({ posts, ...more })
const planned = (other = to, person = editor): Promise<Body> =>
  done(person.request('GET', `/media-library/${from}/replacement?with=${other}`))
const replace = (
  ids: { id: string; version?: number }[],
  { person = editor, other = to, keeps }: { person?: typeof editor; other?: string; keeps?: boolean } = {},
) =>
  actionsOf(person).bulk(ids, {
    replaceMedia: { from, to: other, ...(keeps === undefined ? {} : { keepAltTexts: keeps }) },
  })
const undo = (ids: { id: string; version: number }[], person = editor) => actionsOf(person).bulk(ids, { undo: true })
const filesOf = (set: Body) =>
  set.posts.map(({ media, thread }: Body) =>
    [media, ...(thread ?? []).map((part: Body) => part.media)].flat().map((item: Body) => item.mediaLibraryId),
  )
const read = (id: string) => actionsOf(editor).read(id)

test('a plan lists drafts, scheduled, approved, locked and publishing posts, the next one first, and writes nothing', async () => {
  const future = (day: number) => ({ scheduledAt: `2030-06-0${day}T10:00:00Z` })
  const draft = await postWith(future(5))
  const scheduled = await postWith({ ...future(4), status: 'SCHEDULED' })
  const approved = await postWith({ ...future(3), approval: 'APPROVED' })
  const locked = await postWith(future(2))
  await actionsOf(editor).lock(locked.id)
  const publishing = await postWith(future(1))
  await publishAs(api, publishing.id, 'PUBLISHING', [null])
  await publishAs(api, (await postWith()).id, 'PUBLISHED', ['POSTED'])
  await postWith({}, [BLUESKY_POST])
  const { data, total, published } = await planned()
  expect({ total, published }).toEqual({ total: 5, published: 1 })
  expect(data.map(({ id, asksAgain, refused }: Body) => [id, asksAgain, refused?.code ?? null])).toEqual([
    [publishing.id, false, 'post-set:read_only'],
    [locked.id, false, 'post-set:locked'],
    [approved.id, true, null],
    [scheduled.id, false, null],
    [draft.id, false, null],
  ])
  expect(data[4]).toMatchObject({
    excerpt: 'hello',
    accountTypes: ['BLUESKY'],
    status: 'DRAFT',
    version: draft.version,
  })
  expect((await read(draft.id)).version).toBe(draft.version)

  const { done: changed, refused } = await replace(data)
  expect(changed.map(({ id }) => id)).toEqual([approved.id, scheduled.id, draft.id])
  expect(refused.map(({ id, code }) => [id, code])).toEqual([
    [publishing.id, 'post-set:read_only'],
    [locked.id, 'post-set:locked'],
  ])
  for (const { id } of changed) expect(filesOf(await read(id))).toEqual([[to]])
  expect(await read(approved.id)).toMatchObject({ approval: 'PENDING' })
  expect(await read(scheduled.id)).toMatchObject({ status: 'SCHEDULED' })
  expect((await api.history(draft.id)).at(-1)).toMatchObject({
    action: 'updated',
    changes: { replaced: { from: { id: from, name: 'Old.jpg' }, to: { id: to, name: 'New.jpg' } } },
  })

  const back = await undo(changed)
  expect(back.refused).toEqual([])
  for (const { id } of back.done) expect(filesOf(await read(id))).toEqual([[from]])
  expect(await read(approved.id)).toMatchObject({ approval: 'APPROVED' })
  expect(await read(scheduled.id)).toMatchObject({ status: 'SCHEDULED' })
})

test('what a post said of the file stays or goes with it, in further parts too, and undo brings all of it back', async () => {
  const crop = { x: 0, y: 0.25, width: 1, height: 0.5 }
  const said = { altText: 'The old loaf', crop, tags: [] }
  const thread = [{ caption: 'More', media: [{ mediaLibraryId: from, altText: null }] }]
  const other = await file('Other.jpg')
  const posts = [
    { ...BLUESKY_POST, media: [{ mediaLibraryId: other }, { mediaLibraryId: from, ...said }], thread },
    { ...INSTAGRAM_POST, media: [{ mediaLibraryId: other }] },
  ]
  const made = await postWith({}, posts)
  const wide = await file('Wide.jpg', { altText: 'A wide loaf', facts: { width: 1920, height: 1080 } })
  const [changed] = (await replace([made], { other: wide })).done
  const after = await read(made.id)
  expect(filesOf(after)).toEqual([[other, wide, wide], [other]])
  expect(after.posts[0]?.media[1]).toMatchObject({ altText: 'A wide loaf', crop: null })
  // Places of other files are the same ones.
  expect(after.posts[0]?.media[0]?.id).toBe(made.posts[0]?.media[0]?.id)
  expect(after.posts[1]).toEqual(made.posts[1])
  await undo([{ id: made.id, version: changed?.version ?? 0 }])
  const restored = await read(made.id)
  expect(filesOf(restored)).toEqual([[other, from, from], [other]])
  expect(restored.posts[0]?.media[1]).toMatchObject(said)
  expect((await api.history(made.id)).at(-1)?.changes.replaced).toMatchObject({ from: { id: wide }, to: { id: from } })

  // Of a file of the same shape that says nothing of itself, the crop of the post holds, and its text if that is wanted.
  const { data } = await planned()
  expect(data.find(({ id }: Body) => id === made.id)).toMatchObject({ describesOld: true })
  const [kept] = (await replace([{ id: made.id }], { keeps: true })).done
  expect((await read(made.id)).posts[0]?.media[1]).toMatchObject(said)
  await undo([{ id: made.id, version: kept?.version ?? 0 }])
  const [dropped] = (await replace([{ id: made.id }])).done
  expect((await read(made.id)).posts[0]?.media[1]).toMatchObject({ ...said, altText: null })
  await undo([{ id: made.id, version: dropped?.version ?? 0 }])
  expect((await read(made.id)).posts[0]?.media[1]).toMatchObject(said)
})

test('undo leaves what was written or decided since, and says so', async () => {
  const [edited, approved, moved] = [await postWith(), await postWith({ approval: 'PENDING' }), await postWith()]
  const { done: changed } = await replace([edited, approved, moved])
  await actionsOf(author).patch(edited.id, { posts: [{ ...BLUESKY_POST, caption: 'Another text', media: [] }] })
  await reviewsOf(reviewer).approve(approved.id)
  await actionsOf(editor).patch(moved.id, { scheduledAt: '2030-06-20T10:00:00Z' })
  const { done: back, refused } = await undo(changed)
  expect(back.map(({ id }) => id)).toEqual([moved.id])
  expect(refused.map(({ id, code }) => [id, code])).toEqual([
    [edited.id, 'post-set:version_conflict'],
    [approved.id, 'post-set:version_conflict'],
  ])
  expect(filesOf(await read(moved.id))).toEqual([[from]])
  expect(await read(moved.id)).toMatchObject({ scheduledAt: '2030-06-20T10:00:00.000Z' })
  expect(await read(approved.id)).toMatchObject({ approval: 'APPROVED' })
  expect(filesOf(await read(approved.id))).toEqual([[to]])
})

test('the approval that a rule wants comes back with the file, not with a time that was moved since', async () => {
  await setRule(api, { rule: 'REQUIRED', reviewers: 1 })
  const made = await Promise.all([reviewsOf(author).ask(api), reviewsOf(author).ask(api)])
  for (const { id } of made) {
    await actionsOf(author).patch(id, { posts: [withFile()] })
    await reviewsOf(reviewer).approve(id)
  }
  const { done: changed } = await replace(made.map(({ id }) => ({ id })))
  expect(await read(made[0].id)).toMatchObject({ approval: 'PENDING' })
  await actionsOf(editor).patch(made[1].id, { scheduledAt: '2030-06-20T10:00:00Z' })
  const { refused } = await undo(changed)
  expect(refused).toEqual([])
  expect(await read(made[0].id)).toMatchObject({ approval: 'APPROVED' })
  expect(await read(made[1].id)).toMatchObject({ approval: 'PENDING' })
  expect(filesOf(await read(made[1].id))).toEqual([[from]])
})

test('what a network does not take, or an editor alone may change, is left out with the reason', async () => {
  const video = { type: 'VIDEO', mimeType: 'video/mp4', width: 1080, height: 1920, durationMs: 12_000 } as const
  const scheduled = await postWith({ status: 'SCHEDULED' }, [{ ...INSTAGRAM_POST, media: [{ mediaLibraryId: from }] }])
  const reel = await file('Reel.mp4', { facts: video })
  expect((await planned(reel)).data[0].refused).toMatchObject({ code: 'post-set:invalid_posts' })
  expect((await planned(to, author)).data[0].refused).toMatchObject({ code: 'auth:insufficient_role' })
  const { refused } = await replace([scheduled], { other: reel })
  expect(refused).toMatchObject([{ code: 'post-set:invalid_posts' }])
  expect(filesOf(await read(scheduled.id))).toEqual([[from]])
})

test('a moment of a video that is replaced is no cover of the other video', async () => {
  const facts = { type: 'VIDEO', mimeType: 'video/mp4', width: 1080, height: 1920, durationMs: 12_000 } as const
  from = await file('Old.mp4', { facts })
  const other = await file('New.mp4', { facts })
  const media = [{ mediaLibraryId: from }]
  const made = await postWith({}, [
    { ...INSTAGRAM_POST, type: 'REEL', videoCoverImage: 2.5, media },
    { accountType: 'TIKTOK', caption: 'A loaf', media, options: { coverMilliseconds: 2_500, privacy: 'SELF_ONLY' } },
  ])
  expect((await replace([made], { other })).refused).toEqual([])
  const [instagram, tiktok] = (await read(made.id)).posts
  expect(instagram.videoCoverImage).toBeNull()
  expect(tiktok.options).toEqual({ privacy: 'SELF_ONLY' })
})

test('a file of another brand takes no place, and of a post without the file nothing is changed', async () => {
  const elsewhere = await api.newMedia({ socialSetId: await api.newSocialSet() })
  const made = await postWith()
  expect((await replace([made], { other: elsewhere })).refused).toMatchObject([{ code: 'media-library:not_found' }])
  expect((await replace([made], { other: 'none' })).refused).toMatchObject([{ code: 'media-library:not_found' }])
  const without = await postWith({}, [BLUESKY_POST])
  expect(await replace([without, made].slice(0, 1))).toEqual({ done: [], refused: [] })
  expect(await replace([made], { other: from })).toEqual({ done: [], refused: [] })
})
