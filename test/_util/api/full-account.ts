import { sql } from 'kysely'
import type { Database } from '#persistence'
import { done } from '../browser/dashboard-api.ts'
import { type Api, BLUESKY_POST, INSTAGRAM_POST } from './api.ts'
import { enter, type GuestClient, share } from './guests.ts'
import { type Person, signInAs } from './members.ts'
import { endedSet, POSTED, REFUSED } from './results.ts'

/** What there is of everything that lists and calendars show. */
export const FULL = { postSets: 2_000, ended: 200, notes: 2_000, labels: 1_000, comments: 300, drafts: 100 }
/** Where the post sets and the notes are. */
export const FULL_RANGE = { from: '2030-06-01', to: '2030-07-20' }

export interface FullAccount {
  owner: Person
  guest: GuestClient
  /** With all the comments. */
  postSetId: string
  /** As many posts and media as a post set has. */
  richest: string
}

/** Fills the social set of a test with as much as an account may have, or a brand that plans very much does. */
export async function fillAccount(api: Api): Promise<FullAccount> {
  const { db, accountId, socialSetId } = api
  const owner = await signInAs(api, 'owner')
  const media: { mediaLibraryId: string; altText: string }[] = []
  for (let count = 0; count < 50; count++) {
    media.push({ mediaLibraryId: await api.newMedia({ socialSetId }), altText: 'Bread on a shelf, warm. '.repeat(20) })
  }
  const caption = 'Fresh bréad, warm and crisp; '.repeat(35)
  const posts = [
    { ...BLUESKY_POST, caption: caption.slice(0, 290), media: media.slice(0, 4) },
    { ...INSTAGRAM_POST, caption, media: media.slice(0, 1) },
  ]
  const planned = { socialSetId, posts, approval: 'EXTERNAL_PENDING', status: 'DRAFT' }
  const { id: first } = await api.create({ ...planned, scheduledAt: `${FULL_RANGE.from}T00:00:00Z` })
  const ended = await endedSet(api, [{ result: POSTED }, { result: REFUSED }], { body: { posts } })
  const many = [{ ...BLUESKY_POST, caption: 'x'.repeat(60_000), media }]
  const { id: richest } = await api.create({ socialSetId, posts: many, scheduledAt: '2031-01-01T00:00:00Z' })
  await copySets(db, first, { count: FULL.postSets - 1, apart: '30 minutes' })
  await copySets(db, ended, { count: FULL.ended - 1, apart: '-1 minute' })
  const of = sql`${accountId}, ${socialSetId}`
  await sql`insert into all_notes (id, account_id, social_set_id, type, source, content, hex_color, scheduled_at)
    select gen_random_uuid(), ${of}, 'ONE_TIME', 'APP', repeat('n', 1000), '#faf785',
      ${FULL_RANGE.from}::timestamptz + n * interval '30 minutes' from generate_series(1, ${FULL.notes}::integer) n`.execute(
    db,
  )
  await sql`insert into labels (id, account_id, name)
    select gen_random_uuid(), ${accountId}, repeat('l', 50) || n from generate_series(1, ${FULL.labels}::integer) n`.execute(
    db,
  )
  await sql`insert into comments (id, account_id, social_set_id, post_set_id, audience, author_type, author_id, author_name, text)
    select gen_random_uuid(), ${of}, ${first}, 'SHARED', 'USER', ${owner.userId}, 'Ada', repeat('word ', 400)
    from generate_series(1, ${FULL.comments}::integer)`.execute(db)
  await sql`insert into kept_drafts (account_id, user_id, id, social_set_id, sequence, excerpt, content)
    select ${accountId}, ${owner.userId}, gen_random_uuid(), ${socialSetId}, 1, repeat('e', 120), json_build_object('text', repeat('t', 200000))
    from generate_series(1, ${FULL.drafts}::integer)`.execute(db)
  await sql`analyze`.execute(db)
  const guest = await enter(api, await share(api, owner), { name: 'Clara' })
  const { cards } = await done(guest.request('GET', `/calendar?from=${FULL_RANGE.from}&to=${FULL_RANGE.to}`))
  // What they decided says whether it can be undone.
  const wanted = cards.slice(0, 100).map(({ id, version }: { id: string; version: number }) => ({ id, version }))
  await done(guest.request('POST', '/approvals', { body: { posts: wanted } }))
  return { owner, guest, postSetId: first, richest }
}

/** Copies a post set with its posts, their media and deliveries, each at another time. */
async function copySets(db: Database, id: string, { count, apart }: { count: number; apart: string }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`create temp table copies on commit drop as
      select gen_random_uuid() as id, n from generate_series(1, ${sql.lit(count)}) n`.execute(trx)
    await sql`create temp table copied on commit drop as
      select gen_random_uuid() as id, copies.id as set_id, post.id as post_id
      from posts post, copies where post_set_id = ${sql.lit(id)}`.execute(trx)
    await sql`insert into all_post_sets select (jsonb_populate_record(each, jsonb_build_object(
      'id', copies.id, 'scheduled_at', each.scheduled_at + n * ${apart}::interval))).*
      from all_post_sets each, copies where each.id = ${id}`.execute(trx)
    const under = (what: string) => sql`insert into ${sql.table(what)}
      select (jsonb_populate_record(each, jsonb_build_object('id', gen_random_uuid(), 'post_id', copied.id, 'post_set_id', copied.set_id))).*
      from ${sql.table(what)} each join copied using (post_id)`
    await sql`insert into posts select (jsonb_populate_record(post, jsonb_build_object(
      'id', copied.id, 'post_set_id', copied.set_id))).* from posts post join copied on copied.post_id = post.id`.execute(
      trx,
    )
    for (const what of ['post_media', 'deliveries']) await under(what).execute(trx)
  })
}
