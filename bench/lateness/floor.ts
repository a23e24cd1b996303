import { setTimeout as pause } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { newId } from '#domain'
import { send, type Text } from './calls.ts'
import { openSender, serve } from './sender.ts'

/**
 * The floor: a straight program that sends due posts with the statements, commits and calls that Almanac has for each, and as
 * many at once. It claims a hundred sets in a transaction, then for each reads the text with its token, commits a fence, makes the
 * calls, and commits the end. It knows no lanes, turns, leases, holds, retries and rules, and stops for nothing. For each line
 * on its standard input it sends everything that is scheduled.
 */
const BATCH = 100
const { pool, networksUrl, slots } = openSender()

interface Delivery {
  id: string
  setId: string
  accountId: string
  connectionId: string
}

await serve(async () => {
  const queue: Delivery[] = []
  const running = new Set<Promise<void>>()
  for (;;) {
    if (queue.length < BATCH) queue.push(...(await claim()))
    while (queue.length > 0 && running.size < slots) {
      const next = queue.shift() as Delivery
      const work = deliver(next).finally(() => running.delete(work))
      running.add(work)
    }
    if (queue.length > 0) await Promise.race(running)
    else {
      const inMs = await nextDue()
      if (inMs === null) break
      await pause(inMs)
    }
  }
  await Promise.all(running)
})

async function nextDue(): Promise<number | null> {
  const { rows } = await pool.query(
    `select extract(epoch from min(scheduled_at) - almanac_now())::float8 * 1000 as ms
     from post_sets where status = 'SCHEDULED'`,
  )
  // `greatest` of PostgreSQL passes over what is null: an end that is never seen.
  return rows[0].ms === null ? null : Math.max(0, rows[0].ms)
}

async function transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

/** The same rows as Almanac's: the sets are marked, deliveries and history inserted. */
function claim(): Promise<Delivery[]> {
  return transaction(async (client) => {
    const { rows: sets } = await client.query(
      `update post_sets set status = 'PUBLISHING', claimed_at = almanac_now(), updated_at = almanac_now(),
         version = version + 1
       where id in (select id from post_sets where status = 'SCHEDULED' and scheduled_at <= almanac_now()
         order by scheduled_at limit $1 for update skip locked)
       returning id`,
      [BATCH],
    )
    if (sets.length === 0) return []
    const ids = sets.map(({ id }) => id)
    const { rows } = await client.query<Delivery>(
      `with written as (
         insert into history (id, account_id, post_set_id, actor_type, actor_name, action, version)
         select gen_random_uuid(), account_id, id, 'PUBLISHER', 'Floor', 'publishing', version from post_sets
         where id = any($1)
       )
       insert into deliveries (id, post_set_id, post_id, content_version, account_type, connection_id, state, next_at,
         gives_up_at, account_id, lane, due_at, place, lease_owner, lease_until)
       select gen_random_uuid(), post_set.id, post.id, post_set.content_version, post.account_type, connection.id, 'PREPARING',
         almanac_now(), scheduled_at + interval '1 day', post_set.account_id, lower(post.account_type), scheduled_at,
         'UNDER_WAY', 'floor', almanac_now() + interval '40 seconds'
       from post_sets post_set join posts post on post.post_set_id = post_set.id
         join connections connection on connection.social_set_id = post_set.social_set_id
           and connection.account_type = post.account_type
       where post_set.id = any($1)
       returning id, post_set_id as "setId", account_id as "accountId", connection_id as "connectionId"`,
      [ids],
    )
    return rows
  })
}

async function deliver({ id, setId, accountId, connectionId }: Delivery): Promise<void> {
  const { rows: texts } = await pool.query<Text & { id: string }>(
    `select post.id, post.account_type as "accountType", caption, identity.external_id as "externalId", identity.secret, identity.secret_key_id
     from deliveries join posts post on post.id = deliveries.post_id
       join connections connection on connection.id = deliveries.connection_id
       join network_identities identity on identity.id = connection.identity_id
     where deliveries.id = $1`,
    [id],
  )
  const [text] = texts
  if (!text) throw new Error('A post is gone.')
  await transaction(async (client) => {
    await client.query(
      `select post_set.id, (select id from connections where id = $2 and closed_at is null for share) from post_sets post_set
       where id = $1 and status = 'PUBLISHING' for share`,
      [setId, connectionId],
    )
    await client.query(
      `update deliveries set state = 'SENDING', fenced_at = almanac_now(), first_fenced_at = almanac_now(),
         lease_until = almanac_now() + interval '40 seconds', updated_at = almanac_now()
       where id = $1 and lease_owner = 'floor'`,
      [id],
    )
  })
  // Noted down before the call, as there.
  if (text.accountType === 'LINKEDIN_PERSONAL') {
    await pool.query(`update deliveries set handles = handles || '{"sent": {"count": 1}}' where id = $1`, [id])
  }
  const providerId = await send(networksUrl, text)
  const result = { status: 'POSTED', providerId }
  const change = JSON.stringify({ postId: text.id, accountType: text.accountType, result })
  await transaction(async (client) => {
    // Whether the connection has a next one, too.
    await client.query(
      `with post_set as materialized (select id from post_sets where id = $3 for update)
       update deliveries set state = 'DONE', handles = '{}', result = $2, finished_at = almanac_now(),
         updated_at = almanac_now(), lease_owner = null, lease_until = null, place = null
       from post_set where deliveries.id = $1 and lease_owner = 'floor' and post_set_id = post_set.id
       returning exists (select from deliveries as next
         where next.connection_id = deliveries.connection_id and next.place = 'WAITING' and next.state <> 'DONE')`,
      [id, JSON.stringify(result), setId],
    )
    await client.query(
      `with published as (
         update post_sets set status = 'PUBLISHED', published_at = almanac_now(), updated_at = almanac_now(),
           version = version + 1
         where id = $2 and not exists (select from deliveries where post_set_id = $2 and state <> 'DONE')
         returning version
       )
       insert into history (id, account_id, post_set_id, actor_type, actor_name, action, changes, version)
       select id, $1, $2, 'PUBLISHER', 'Floor', action, changes, (select version from published)
       from unnest($3::uuid[], array['post published', 'published'], $4::jsonb[]) as entry (id, action, changes)`,
      [accountId, setId, [newId(), newId()], [change, '{}']],
    )
  })
}
