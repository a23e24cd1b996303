import { sql } from 'kysely'
import { ACCOUNT_TYPES } from '#contract'
import { DELIVERY_STATES, type DeliveryState, isBegun, isBehindPost, newId } from '#domain'
import { addDeliveryNews, type Database, holdStart } from '#persistence'

export const OPEN_STATES = DELIVERY_STATES.filter((state) => state !== 'DONE')

/** Holds the start as a process does that has noticed a copy. */
export const holdAsCopy = (db: Database, lastRanAt: Date | null = null) =>
  db.transaction().execute((trx) => holdStart(trx, { why: 'COPY', signs: ['The table was made anew.'], lastRanAt }))

/** Makes the post of a draft one that is in that state, with nobody at work on it. Answers the id of its delivery. */
export async function putInState(db: Database, postSetId: string, state: DeliveryState): Promise<string> {
  const id = newId()
  const fenced = isBegun(state)
  await sql`
    update post_sets set status = 'PUBLISHING', claimed_at = almanac_now(), scheduled_at = almanac_now() - interval '1 minute'
    where id = ${postSetId}`.execute(db)
  await sql`
    insert into deliveries (id, post_set_id, post_id, content_version, account_type, connection_id, state, next_at, gives_up_at,
      account_id, lane, due_at, place, first_fenced_at, fenced_at, unknown_since, handles, result, finished_at, surely_absent)
    select ${id}, post_sets.id, posts.id, post_sets.content_version, posts.account_type, connections.id, ${state},
      almanac_now(), almanac_now() + interval '1 day', post_sets.account_id, ${ACCOUNT_TYPES.BLUESKY.network},
      post_sets.scheduled_at, ${state === 'DONE' ? null : fenced ? 'UNDER_WAY' : 'WAITING'},
      case when ${fenced} then almanac_now() end, case when ${fenced} then almanac_now() end,
      case when ${state.endsWith('LOOKING_UP')} then almanac_now() end,
      case when ${isBehindPost(state)} then '{"providerId": "1", "permalink": null}'::jsonb else '{}' end,
      case when ${state === 'DONE'} then '{"status": "FAILED", "reason": "UNKNOWN", "message": "No."}'::jsonb end,
      case when ${state === 'DONE'} then almanac_now() end, case when ${state === 'DONE'} then true end
    from post_sets join posts on posts.post_set_id = post_sets.id
      join connections on connections.social_set_id = post_sets.social_set_id
        and connections.account_type = posts.account_type and connections.closed_at is null
    where post_sets.id = ${postSetId}`.execute(db)
  if (state === 'DONE') await addDeliveryNews(db, 'POST_FAILED', [id])
  return id
}
