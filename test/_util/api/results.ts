import { sql } from 'kysely'
import type { AccountType, PostResult } from '#contract'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, INSTAGRAM_POST } from './api.ts'

export const POSTED: PostResult = { status: 'POSTED', providerId: 'p1', permalink: 'https://example.test/p1' }
export const REFUSED: PostResult = { status: 'FAILED', reason: 'ACTION_BLOCKED', message: 'Not today.' }

/** How the sending of a post ended; null: the network has not confirmed it. */
export type End = { result: PostResult; mayBeLive?: boolean; parts?: readonly object[] } | null

/** A thread whose second part was refused. */
export const ENDED_EARLY: End = {
  result: { ...POSTED, warnings: [{ code: 'post:follow_up_failed', message: 'Its part 2 could not be made.' }] },
  parts: [
    { title: 'post', outcome: 'live', providerId: 'p1', permalink: null, endedAt: '2026-11-29T10:00:00.000Z' },
    { title: 'part 2', ofThread: true, outcome: 'absent', endedAt: '2026-11-29T10:00:00.000Z' },
  ],
}

/**
 * Puts a set on the calendar whose time has come, with ends of its posts on Bluesky and Instagram in this order, as the publisher
 * leaves them. Gives its id.
 */
export async function endedSet(
  api: Api,
  ends: readonly End[],
  {
    hoursAgo = 1,
    socialSetId = api.socialSetId,
    body = {},
  }: { hoursAgo?: number; socialSetId?: string; body?: object } = {},
): Promise<string> {
  const posts = [BLUESKY_POST, { ...INSTAGRAM_POST }].slice(0, ends.length)
  const { id } = await api.create({ socialSetId, posts, ...body })
  await sql`
    update post_sets set status = ${ends.includes(null) ? 'PUBLISHING' : 'PUBLISHED'},
      scheduled_at = almanac_now() - ${hoursAgo} * interval '1 hour'
    where id = ${id}`.execute(api.db)
  await endPosts(api, id, ends)
  return id
}

/** Ends the posts of a set in their order. */
export async function endPosts(api: Api, id: string, ends: readonly End[]): Promise<void> {
  const rows = await api.db.selectFrom('posts').selectAll().where('post_set_id', '=', id).orderBy('position').execute()
  for (const [index, post] of rows.entries())
    await endPost(api, { id, postId: post.id, accountType: post.account_type }, ends[index] ?? null)
}

async function endPost(
  api: Api,
  post: { id: string; postId: string; accountType: AccountType },
  end: End,
): Promise<void> {
  const connection = sql<string>`(
    select id from connections where social_set_id = (select social_set_id from post_sets where id = ${post.id})
      and account_type = ${post.accountType} and closed_at is null)`
  const failed = end?.result.status === 'FAILED'
  await api.db
    .insertInto('deliveries')
    .values({
      id: newId(),
      post_set_id: post.id,
      post_id: post.postId,
      account_id: sql<string>`(select account_id from post_sets where id = ${post.id})`,
      content_version: 1,
      account_type: post.accountType,
      connection_id: connection,
      state: end ? 'DONE' : 'LOOKING_UP',
      next_at: sql<Date>`almanac_now() + interval '1 hour'`,
      gives_up_at: sql<Date>`almanac_now() + interval '20 hours'`,
      lookups: 3,
      first_fenced_at: sql<Date>`almanac_now()`,
      parts: JSON.stringify(end?.parts ?? []),
      result: end ? JSON.stringify(end.result) : null,
      surely_absent: failed ? !(end.mayBeLive ?? false) : null,
      finished_at: end ? sql<Date>`almanac_now()` : null,
    })
    .execute()
}
