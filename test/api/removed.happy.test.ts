import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { claimDuePostSets, purgeRemoved } from '#persistence'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, calendarQuery, done, NO_SET, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { setState } from '../_util/engine/set-state.ts'

let api: Api
let person: Person
let act: ReturnType<typeof actionsOf>
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'owner')
  act = actionsOf(person)
})
afterAll(() => api.close())
beforeEach(() => api.setClock(null))

const NOTE = { content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-15' }
const newNote = async (more: object = {}) =>
  done(person.request('POST', '/notes', { body: { ...NOTE, socialSetId: api.socialSetId, ...more } }), 201)
const removeNote = ({ id }: { id: string }) => done(person.request('DELETE', `/notes/${id}`), 204)

test('a migration between deleting and restoring does no harm', async () => {
  const { id } = await api.create({ posts: [{ ...INSTAGRAM_POST, media: [{ mediaLibraryId: await api.newMedia() }] }] })
  const note = await newNote()
  const before = (await setState(api.db, id)) as Body
  await act.remove(id)
  await removeNote(note)
  for (const table of ['all_post_sets', 'posts', 'post_media', 'post_set_labels', 'all_notes']) {
    await sql`alter table ${sql.table(table)} add column later text not null default 'later'`.execute(api.db)
  }
  await act.restore(id)
  const later = <T extends object>(rows: T[]) => rows.map((row) => ({ ...row, later: 'later' }))
  const { posts, media } = before
  expect(await setState(api.db, id)).toEqual({ ...before, posts: later(posts), media: later(media) })
  expect(await done(person.request('POST', `/notes/${note.id}/restore`))).toEqual(note)
  const rows = await sql`select id from all_post_sets where later = 'later' and id = ${id}
    union all select id from all_notes where later = 'later' and id = ${note.id}`.execute(api.db)
  expect(rows.rows).toHaveLength(2)
})

describe('what a member deletes', () => {
  /** What is there for somebody who looks everywhere. */
  async function look(labelId: string): Promise<Record<string, unknown>> {
    const socialSetId = `socialSetId=${api.socialSetId}`
    const lists = {
      list: `/post-sets?${socialSetId}`,
      search: `/post-sets?${socialSetId}&filters[search]=unheard`,
      scheduled: `/post-sets?${socialSetId}&filters[status][]=SCHEDULED`,
      newest: `/post-sets?${socialSetId}&sort[createdAt]=DESC`,
      ofNetwork: `/post-sets?${socialSetId}&filters[socialNetworks][]=INSTAGRAM`,
      labelled: `/post-sets?${socialSetId}&filters[labelsId][]=${labelId}`,
      notes: `/notes?${socialSetId}&filters[startDate]=2030-06-01&filters[endDate]=2030-06-30`,
      calendar: calendarQuery(api),
      elsewhere: calendarQuery(api, [
        ['from', '2031-01-01'],
        ['to', '2031-02-01'],
      ]).replace('?', '/elsewhere?'),
      found: calendarQuery(api, [['filters[search]', 'unheard']]),
      authors: `/calendar/authors?${socialSetId}`,
      labels: '/labels/usage',
      connections: `/connections?${socialSetId}`,
      timezone: `/social-sets/${api.socialSetId}/timezone-change?timezone=Asia/Tokyo`,
    }
    const answers = Object.entries(lists).map(async ([name, path]) => [name, await done(person.request('GET', path))])
    return Object.fromEntries(await Promise.all(answers))
  }

  test('is in no list and no count', async () => {
    const labelId = (await done(person.request('POST', '/labels', { body: { name: 'Spring' } }), 201)).id
    const empty = await look(labelId)
    const post = { ...INSTAGRAM_POST, caption: 'unheard of', media: [{ mediaLibraryId: await api.newMedia() }] }
    const body = api.draft({ status: 'SCHEDULED', posts: [post] })
    const { id } = await done(person.request('POST', '/post-sets', { body }), 201)
    await act.label(id, [labelId])
    const note = await newNote()
    const full = await look(labelId)
    for (const name of Object.keys(empty)) expect(full[name], name).not.toEqual(empty[name])
    await act.remove(id)
    await removeNote(note)
    expect(await look(labelId)).toEqual(empty)
    await act.restore(id)
    await done(person.request('POST', `/notes/${note.id}/restore`))
    const { list, ...others } = await look(labelId)
    expect(others).toMatchObject({ labels: full.labels, authors: full.authors, notes: full.notes })
    expect(list).toMatchObject({ pagination: (full.list as Body).pagination })
  })

  test('is absent for every route but those for what was deleted', async () => {
    const { id } = await api.create()
    const note = await newNote()
    await act.remove(id)
    await removeNote(note)
    const bodies: Record<string, object> = {
      review: { decision: 'approve' },
      lock: { locked: true },
      labels: { labelsId: [] },
      move: { scheduledAt: '2030-06-03T10:00:00Z', scope: 'this' },
      remove: { scope: 'this' },
    }
    const answers: [string, unknown][] = []
    for (const { method, url } of api.routes) {
      const [, doors, noun, action = ''] = /^\/(v1|internal)\/(post-sets|notes)\/:id(?:\/(.+))?$/.exec(url) ?? []
      if (!noun || method === 'HEAD' || /^(restore|history)/.test(action)) continue
      const path = `/${noun}/${noun === 'notes' ? note.id : id}${action && `/${action}`}`
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: bodies[action] ?? {} }
      const answer = doors === 'v1' ? api.request(method, `/v1${path}`, body) : person.request(method, path, body)
      answers.push([`${method} ${url}`, statusAndCode(await answer)])
    }
    expect(answers.length).toBeGreaterThan(10)
    for (const [route, answer] of answers) {
      expect(answer, route).toEqual(route.includes('/notes/') ? [404, 'note:not_found'] : NO_SET)
    }
    for (const action of [{ lock: true }, { move: { days: 1 } }, { delete: true }, { undo: true }]) {
      expect(await act.bulk([{ id, version: 1 }], action)).toMatchObject({ done: [], refused: [{ code: NO_SET[1] }] })
    }
    await act.restore(id)
    await done(person.request('POST', `/notes/${note.id}/restore`))
  })

  test('is not published, no matter what becomes of its row', async () => {
    const { id } = await api.create({ status: 'SCHEDULED', scheduledAt: '2026-01-01T10:00:00Z' })
    await act.remove(id)
    const due = { late: true, besideFull: false, newestFirst: false, limit: 99, perConnection: 99, except: [] }
    const claim = () => api.db.transaction().execute((trx) => claimDuePostSets(trx, due, { lateLimitMs: 1e12 }))
    expect(await claim()).toEqual([])
    await expect(sql`update all_post_sets set status = 'PUBLISHING' where id = ${id}`.execute(api.db)).rejects.toThrow(
      'post_sets_removed_status',
    )
  })

  test('loses a label with all others, and gets the one that it was merged into', async () => {
    const label = async () => (await done(person.request('POST', '/labels', { body: { name: newId() } }), 201)).id
    const { id } = await api.create()
    const [removed, merged, into] = [await label(), await label(), await label()]
    await act.label(id, [removed, merged])
    await act.remove(id)
    await done(person.request('DELETE', `/labels/${removed}`), 204)
    await done(person.request('POST', `/labels/${merged}/merge`, { body: { into } }))
    expect((await act.restore(id)).postSet.labelsId).toEqual([into])
  })

  test('keeps its media in use until it is gone for good', async () => {
    const mediaId = await api.newMedia()
    const { id } = await api.create({ posts: [{ ...INSTAGRAM_POST, media: [{ mediaLibraryId: mediaId }] }] })
    await act.remove(id)
    const forget = () => api.db.deleteFrom('media_items').where('id', '=', mediaId).execute()
    await expect(forget()).rejects.toThrow('post_media_media_id_fkey')
    await api.setClock(new Date(Date.now() + 31 * 86_400_000).toISOString())
    await purgeRemoved(api.db)
    await forget()
  })
})

describe('restoring what has lost its place', () => {
  test('is refused in words, and changes nothing', async () => {
    await sql`
      create unique index one_of_a_kind on all_notes (social_set_id, content)
        where removed_at is null and content like 'Only%'`.execute(api.db)
    const externalId = 'One of a kind'
    const { id } = await api.create({ externalId })
    await act.remove(id)
    const other = await api.create({ externalId })
    const note = await newNote({ content: 'Only one' })
    await removeNote(note)
    const rival = await newNote({ content: 'Only one' })
    const refused = await person.request('POST', `/post-sets/${id}/restore`)
    expect([...statusAndCode(refused), refused.body.message]).toEqual([
      409,
      'post-set:external_id_taken',
      expect.stringContaining('Change or delete that one'),
    ])
    expect(await act.bulk([{ id }], { restore: true })).toMatchObject({
      done: [],
      refused: [{ code: 'post-set:external_id_taken' }],
    })
    const refusedNote = await person.request('POST', `/notes/${note.id}/restore`)
    expect([...statusAndCode(refusedNote), refusedNote.body.message]).toEqual([
      409,
      'request:refused',
      expect.stringContaining('this note'),
    ])
    expect((await act.history(id))[0]?.action).toBe('deleted')
    await act.remove(other.id)
    await removeNote(rival)
    await act.restore(id)
    await done(person.request('POST', `/notes/${note.id}/restore`))
    await sql`drop index one_of_a_kind`.execute(api.db)
  })
})

describe('purging', () => {
  const overdue = async () => api.setClock(new Date(Date.now() + 31 * 86_400_000).toISOString())

  test('deletes in transactions of so many rows, with all that belongs to them', async () => {
    await purgeRemoved(api.db)
    const sets: string[] = []
    for (let index = 0; index < 5; index++) sets.push((await api.create({ posts: [BLUESKY_POST] })).id)
    const notes = [await newNote(), await newNote(), await newNote()]
    for (const id of sets) await act.remove(id)
    for (const note of notes) await removeNote(note)
    const kept = await api.create()
    expect(await purgeRemoved(api.db)).toBe(0)
    await sql`create table purged (transaction text, noun text, rows integer);
      create function count_purged() returns trigger language plpgsql as $$
      begin insert into purged select pg_current_xact_id(), tg_table_name, count(*) from gone; return null; end $$;
      create trigger count_purged after delete on all_post_sets referencing old table as gone
        for each statement execute function count_purged();
      create trigger count_purged after delete on all_notes referencing old table as gone
        for each statement execute function count_purged()`.execute(api.db)
    await overdue()
    expect(await purgeRemoved(api.db, { batch: 2, signal: AbortSignal.abort() })).toBe(0)
    expect(await purgeRemoved(api.db, { batch: 2 })).toBeGreaterThanOrEqual(8)
    const { rows } = await sql<{
      rows: number
    }>`select sum(rows)::integer as rows from purged group by transaction`.execute(api.db)
    expect(Math.max(...rows.map((row) => row.rows))).toBe(2)
    expect(await api.db.selectFrom('posts').select('id').where('post_set_id', 'in', sets).execute()).toEqual([])
    expect(await purgeRemoved(api.db)).toBe(0)
    expect((await act.read(kept.id)).id).toBe(kept.id)
    await sql`drop function count_purged cascade; drop table purged`.execute(api.db)
  })

  test('does not wait for what somebody holds', async () => {
    const [held, free] = [await api.create(), await api.create()]
    for (const { id } of [held, free]) await act.remove(id)
    await overdue()
    await api.db.transaction().execute(async (trx) => {
      await sql`select from all_post_sets where id = ${held.id} for update`.execute(trx)
      expect(await purgeRemoved(api.db)).toBe(1)
    })
    expect(await purgeRemoved(api.db)).toBe(1)
  })

  test('is no news for the screens, as deleting was', async () => {
    const { id } = await api.create()
    const stream = await follow(api, person, api.socialSetId)
    await stream.until('ready')
    await act.remove(id)
    await stream.until('post-sets', [id])
    stream.events.length = 0
    const before = stream.text().length
    await overdue()
    expect(await purgeRemoved(api.db)).toBe(1)
    await api.setClock(null)
    const next = await api.create()
    await stream.until('post-sets', [next.id])
    expect(stream.text().slice(before)).not.toContain(id)
    stream.close()
  })
})
