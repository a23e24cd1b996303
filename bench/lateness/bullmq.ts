import { createRequire } from 'node:module'
import { join } from 'node:path'
import { send, type Text } from './calls.ts'
import { openSender, serve } from './sender.ts'

/**
 * BullMQ as it is used for this: the role `producer` adds a delayed job for each scheduled post, whenever a line comes; the role
 * `worker` reads the post by one statement, makes the calls, and writes what came of it by one more. Settings besides
 * the sender's: BULLMQ_DIR, where the package is installed; REDIS_PORT; ROLE.
 */
const { BULLMQ_DIR = '', REDIS_PORT, ROLE } = process.env
const { pool, networksUrl, slots } = openSender()
const connection = { host: '127.0.0.1', port: Number(REDIS_PORT), maxRetriesPerRequest: null }

interface Job {
  name: string
  data: { setId: string }
  opts?: { delay: number; jobId: string; removeOnComplete: number; attempts: number; backoff: object }
}
/** As much of the package as is used here: it is not installed with Almanac. */
interface BullMq {
  Queue: new (name: string, options: object) => { addBulk(jobs: Job[]): Promise<unknown> }
  Worker: new (
    name: string,
    work: (job: Job) => Promise<string>,
    options: object,
  ) => { waitUntilReady(): Promise<unknown> }
}
const { Queue, Worker } = createRequire(join(BULLMQ_DIR, 'package.json'))('bullmq') as BullMq

if (ROLE === 'producer') {
  const queue = new Queue('posts', { connection })
  await serve(async () => {
    const { rows } = await pool.query<{ id: string; ms: number }>(
      `select id, extract(epoch from scheduled_at - almanac_now())::float8 * 1000 as ms
       from post_sets where status = 'SCHEDULED'`,
    )
    const jobs = rows.map(({ id, ms }) => ({
      name: 'post',
      data: { setId: id },
      opts: {
        ...{ delay: Math.max(0, Math.round(ms)), jobId: id, removeOnComplete: 1_000 },
        ...{ attempts: 3, backoff: { type: 'exponential', delay: 5_000 } },
      },
    }))
    for (let at = 0; at < jobs.length; at += 500) await queue.addBulk(jobs.slice(at, at + 500))
  })
} else {
  const worker = new Worker('posts', publish, { connection, concurrency: slots })
  await worker.waitUntilReady()
  console.log('ready')
}

async function publish({ data: { setId } }: Job): Promise<string> {
  const { rows } = await pool.query<Text>(
    `select post.account_type as "accountType", caption, identity.external_id as "externalId", identity.secret
     from post_sets post_set join posts post on post.post_set_id = post_set.id
       join connections connection on connection.social_set_id = post_set.social_set_id
         and connection.account_type = post.account_type
       join network_identities identity on identity.id = connection.identity_id
     where post_set.id = $1`,
    [setId],
  )
  const [text] = rows
  if (!text) throw new Error('A post is gone.')
  const providerId = await send(networksUrl, text)
  await pool.query(
    `update post_sets set status = 'PUBLISHED', published_at = almanac_now(), updated_at = almanac_now(),
       version = version + 1
     where id = $1`,
    [setId],
  )
  return providerId
}
