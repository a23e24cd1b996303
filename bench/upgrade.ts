import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '#persistence'
import { printTable } from './measure.ts'
import { withPlace } from './place.ts'

/**
 * How long an upgrade stops what is written, in a database of the version before that has so many post sets, each with two posts and
 * their deliveries. README.md, "Upgrade".
 *
 *     node bench/upgrade.ts [--sets 1000000] [--before 0037] [--dir /var/tmp/b]
 */
const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: '1000000' },
    before: { type: 'string', default: '0037' },
    dir: { type: 'string' },
  },
})
const sets = Number(values.sets)

const MIGRATIONS = new URL('../src/persistence/migrations/', import.meta.url)
/** Between two writes of one who goes on during the upgrade. */
const WRITE_EACH_MS = 50

const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
const old = names.filter((name) => name < values.before)
const pending = names.filter((name) => name >= values.before)

const seconds = (ms: number) => (ms / 1_000).toFixed(2)

await withPlace(values.dir, async (place) => {
  const server = new URL(await place.url('upgrade_server', async () => {}))
  const name = `upgrade_${process.pid}`
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
  await withClient(server.href, async (admin) => void (await admin.query(`create database ${name} template template0`)))
  try {
    await migrateTo(url, old)
    const since = performance.now()
    await withClient(url, fill)
    console.error(`${sets} post sets after ${seconds(performance.now() - since)} s`)
    printTable('Each migration, rolled back', ['migration', 's'], await timeEach(url))
    const { total, gap } = await upgradeWhileWriting(url)
    printTable(
      'The upgrade',
      ['', 's'],
      [
        ['all of it', seconds(total)],
        ['longest time without a write', seconds(gap)],
      ],
    )
  } finally {
    await withClient(server.href, async (admin) => void (await admin.query(`drop database ${name} with (force)`)))
  }
})

async function withClient<T>(address: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function migrateTo(url: string, files: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-upgrade-'))
  try {
    for (const file of files) await copyFile(new URL(file, MIGRATIONS), join(folder, file))
    await migrate(url, { folder: new URL(`file://${folder}/`) })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** All published, but for two sets in a thousand. The posts of one in a thousand have no address. */
async function fill(client: pg.Client): Promise<void> {
  await client.query(`
    set session_replication_role = replica;
    set synchronous_commit = off;
    create temp table brands as select gen_random_uuid() as id, number from generate_series(0, 99) as number;
    create unique index on brands (number);
    insert into accounts (id, name, slug, plan) select id, 'Account', id::text, 'SCALE' from brands;
    insert into social_sets (id, account_id, name, timezone) select id, id, 'Brand', 'Europe/Berlin' from brands;
    create temp table drawn as
      select gen_random_uuid() as id, brands.id as brand, n, almanac_now() - n * interval '1 minute' as at
      from generate_series(1, ${sets}) as n join brands on number = n % 100;
    insert into all_post_sets (id, account_id, social_set_id, scheduled_at, status, approval, published_at)
      select id, brand, brand, case when n % 1000 < 2 then almanac_now() + interval '1 day' else at end,
        case when n % 1000 < 2 then 'SCHEDULED' else 'PUBLISHED' end, 'NONE', at from drawn;
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
      select gen_random_uuid(), id, brand, position, case position when 0 then 'TWITTER' else 'BLUESKY' end, 'Words', '{}'
      from drawn, generate_series(0, 1) as position;
    insert into deliveries (id, post_set_id, post_id, content_version, account_type, state, next_at, gives_up_at,
        account_id, lane, due_at, result, finished_at)
      select gen_random_uuid(), drawn.id, posts.id, 1, posts.account_type, 'DONE', at, at, drawn.brand,
        almanac_lane(posts.account_type), at,
        case when n % 1000 = 2 then '{"status": "POSTED", "providerId": "1"}'::jsonb
          else jsonb_build_object('status', 'POSTED', 'providerId', n::text, 'permalink', 'https://example.test/' || n) end, at
      from drawn join posts on posts.post_set_id = drawn.id where n % 1000 >= 2;`)
  for (const table of ['all_post_sets', 'posts', 'deliveries']) await client.query(`vacuum analyze ${table}`)
}

async function timeEach(url: string): Promise<string[][]> {
  return withClient(url, async (client) => {
    const rows: string[][] = []
    await client.query('begin')
    for (const file of pending) {
      const text = await readFile(new URL(file, MIGRATIONS), 'utf8')
      const since = performance.now()
      await client.query(text)
      rows.push([file, seconds(performance.now() - since)])
    }
    await client.query('rollback')
    return rows
  })
}

/** Migrates while another connection writes to a set and to a delivery, as publishing does. */
async function upgradeWhileWriting(url: string): Promise<{ total: number; gap: number }> {
  return withClient(url, async (client) => {
    let gap = 0
    let over = false
    const writing = (async () => {
      while (!over) {
        const since = performance.now()
        await client.query(`
          update all_post_sets set updated_at = almanac_now() where id = (select id from all_post_sets limit 1);
          update deliveries set updated_at = almanac_now() where id = (select id from deliveries limit 1)`)
        gap = Math.max(gap, performance.now() - since)
        await new Promise((done) => setTimeout(done, WRITE_EACH_MS))
      }
    })()
    const since = performance.now()
    await migrate(url)
    const total = performance.now() - since
    over = true
    await writing
    return { total, gap }
  })
}
