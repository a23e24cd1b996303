import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { removeOldRows } from '#persistence'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

// One text that is open in several windows of its member, and what saving it makes of it.

let api: Api
let author: Person
beforeAll(async () => {
  api = await startApi()
})
beforeEach(async () => {
  author = await signInAs(api, 'author')
})
afterAll(() => api.close())

/** A page that is open: what it has written and seen. */
function openPage(id: string, person = author) {
  const writer = newId()
  let sequence = 0
  let seen = 0
  const page = {
    writer,
    async write(caption: string, more: object = {}): Promise<Body> {
      sequence = Math.max(sequence, seen) + 1
      const body = {
        socialSetId: api.socialSetId,
        postSetId: null,
        basedOnVersion: null,
        excerpt: caption,
        content: { caption },
        sequence,
        writer,
        seen,
        ...more,
      }
      const answer = await person.request('PUT', `/kept-drafts/${id}`, { body })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      if (answer.body.stored) seen = answer.body.sequence
      return answer.body
    },
    async read(): Promise<string | null> {
      const { status, body } = await person.request('GET', `/kept-drafts/${id}`)
      if (status === 404) return null
      seen = body.sequence
      return body.content.caption
    },
    discard: () => person.request('DELETE', `/kept-drafts/${id}?sequence=${sequence}&seen=${seen}&writer=${writer}`),
    query: () => `keptDraft=${id}&sequence=${sequence}&seen=${seen}&writer=${writer}`,
    save: (caption: string) =>
      person.request('POST', `/post-sets?${page.query()}`, {
        body: {
          socialSetId: api.socialSetId,
          scheduledAt: '2030-01-01T10:00:00Z',
          status: 'DRAFT',
          approval: 'NONE',
          posts: [{ accountType: 'BLUESKY', caption, media: [] }],
        },
      }),
  }
  return page
}

const listed = async () =>
  (await author.request('GET', `/kept-drafts?socialSetId=${api.socialSetId}`)).body.data.map(({ id }: Body) => id)
const setsOf = (id: string) => api.db.selectFrom('all_post_sets').select('id').where('id', '=', id).execute()

test('who writes over what another window wrote has seen it', async () => {
  const id = newId()
  const [one, two] = [openPage(id), openPage(id)]
  await one.write('One')
  expect(await two.write('Two, unseen')).toMatchObject({ stored: false, ended: null })
  expect(await one.write('One, again')).toMatchObject({ stored: true })
  expect(await two.read()).toBe('One, again')
  expect(await two.write('Two')).toMatchObject({ stored: true })
  expect(await one.write('One over two')).toMatchObject({ stored: false, ended: null })
  expect(await one.read()).toBe('Two')
  expect(await one.write('One over two')).toMatchObject({ stored: true })
})

test('what was discarded stays so for other windows, and comes back to the one that did it', async () => {
  const id = newId()
  const [one, two] = [openPage(id), openPage(id)]
  await one.write('One')
  await two.read()
  expect((await one.discard()).status).toBe(204)
  expect(await two.write('Two')).toMatchObject({ stored: false, ended: 'discarded' })
  expect(await listed()).toEqual([])
  // Behind what is left of it.
  await one.write('late')
  expect(await one.write('One, again')).toMatchObject({ stored: true, ended: null })
  expect(await two.read()).toBe('One, again')
})

test('a post set takes the id of what was typed, which ends with it', async () => {
  const id = newId()
  const page = openPage(id)
  await page.write('Fresh bread')
  const saved = await page.save('Fresh bread')
  expect([saved.status, saved.body.id], JSON.stringify(saved.body)).toEqual([201, id])
  expect(await listed()).toEqual([])
  expect(await page.read()).toBeNull()
  expect(await page.write('late')).toMatchObject({ stored: false, ended: 'saved' })
  expect(await openPage(id).write('elsewhere')).toMatchObject({ stored: false, ended: 'saved' })
  // Also when nothing is left but the post set.
  await api.db.deleteFrom('kept_drafts').where('id', '=', id).execute()
  expect(await openPage(id).write('much later')).toMatchObject({ stored: false, ended: 'saved' })
  expect(await listed()).toEqual([])
  expect((await api.request('GET', `/v1/post-sets/${id}`)).body).toEqual(saved.body)
})

test('the same save again answers the first post set, also of a text that no server had', async () => {
  for (const typed of [true, false]) {
    const id = newId()
    const page = openPage(id)
    if (typed) await page.write('Fresh bread')
    const answers = await Promise.all([page.save('Fresh bread'), page.save('Fresh bread'), page.save('Fresh bread')])
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(Array(3).fill([201, id]))
    expect(await api.history(id)).toHaveLength(1)
    expect((await page.save('Fresh bread')).body).toEqual(answers[0]?.body)
  }
})

test('a save that is refused keeps the text', async () => {
  const id = newId()
  const page = openPage(id)
  await page.write('Fresh bread')
  const saved = await page.save('x'.repeat(70_000))
  expect(saved.status, JSON.stringify(saved.body)).toBeGreaterThanOrEqual(400)
  expect(await page.read()).toBe('Fresh bread')
  expect(await setsOf(id)).toEqual([])
})

test('an edit that is saved ends what was typed of the post set, with the change', async () => {
  const set = await api.create()
  const page = openPage(set.id)
  await page.write('Rye', { postSetId: set.id, basedOnVersion: set.version })
  const body = { posts: [{ ...set.posts[0], caption: 'Rye' }] }
  const changed = await author.request('PATCH', `/post-sets/${set.id}?${page.query()}`, { body })
  expect([changed.status, changed.body.posts?.[0]?.caption]).toEqual([200, 'Rye'])
  expect(await listed()).toEqual([])
  // The next edit begins anew.
  expect(await page.write('Rye and spelt', { postSetId: set.id, basedOnVersion: 2 })).toMatchObject({ stored: true })
})

test('what is opened now and then is kept', async () => {
  const [opened, left] = [newId(), newId()]
  for (const id of [opened, left]) {
    await openPage(id).write('Some day')
    await api.db
      .updateTable('kept_drafts')
      .set({ updated_at: new Date(Date.now() - 91 * 86_400_000) })
      .where('id', '=', id)
      .execute()
  }
  await openPage(opened).read()
  await removeOldRows(api.db, 'kept_drafts')
  expect(await listed()).toEqual([opened])
})
