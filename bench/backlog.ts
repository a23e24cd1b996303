import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AccountType } from '#contract'
import { newId } from '#domain'
import { type Network, networksOf, type RefreshOutcome } from '#networks'
import { type Database, insertAccount, insertSocialSet } from '#persistence'
import { createPublisher, publisherDefaults } from '#publishing'
import { published, scriptedNetwork } from '../test/_util/engine/scripted-network.ts'
import { printTable } from './measure.ts'
import { withPlace } from './place.ts'

/**
 * How late posts go out that are on time, while something else is in the way: a pile of one account, a network that hangs, or
 * one whose token endpoint does.
 * Probes are scheduled a second ahead: of another account, of the connection that has the pile, and of the account's other
 * connections, on another network and in another brand. Lateness is counted from a probe's time to its visible call.
 *
 *     node bench/backlog.ts [--sets 100000] [--seconds 60] [--only 'slow ones']
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const SETS = option('sets', 100_000)
const SECONDS = option('seconds', 60)
/** A part of the title of the only scenes to run. */
const ONLY = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined

interface Scene {
  title: string
  /** How many sets wait when the worker starts, and since when; `requestedNow`: times that had passed when they were asked for. */
  pile: { count: number; secondsAgo: number; requestedNow?: boolean }
  /** How long the visible calls of the pile take. */
  callMs: number
  /** The network of the pile; probes of other accounts go to Bluesky. */
  pileOn: AccountType
  /** Other accounts whose tokens for Threads have to be refreshed, which hangs; fifty posts of each are due. */
  hangingTokens?: number
  /** Over how many brands of its account the pile is spread, each with a connection of its own; absent: one. */
  brands?: number
  /** A second account has so many brands, and each of them ten posts at the same moment, three seconds after the start. */
  burst?: number
  /** Goes on until the pile is sent, and says how its tables have grown. */
  untilSent?: boolean
}

const scenes: Scene[] = [
  { title: 'nothing in the way', pile: { count: 0, secondsAgo: 0 }, callMs: 200, pileOn: 'BLUESKY' },
  { title: `${SETS} overdue`, pile: { count: SETS, secondsAgo: 3_600 }, callMs: 200, pileOn: 'BLUESKY' },
  {
    title: '5000 past times',
    pile: { count: 5_000, secondsAgo: 3_600, requestedNow: true },
    callMs: 1_000,
    pileOn: 'BLUESKY',
  },
  { title: '10000 slow ones, on time', pile: { count: 10_000, secondsAgo: 0 }, callMs: 10_000, pileOn: 'BLUESKY' },
  { title: 'a network that hangs', pile: { count: 10_000, secondsAgo: 0 }, callMs: 3_600_000, pileOn: 'THREADS' },
  {
    title: 'a token endpoint that hangs',
    pile: { count: 10_000, secondsAgo: 0 },
    callMs: 200,
    pileOn: 'THREADS',
    hangingTokens: 50,
  },
  {
    title: 'slow ones of many connections',
    pile: { count: 5_000, secondsAgo: 0 },
    callMs: 25_000,
    pileOn: 'BLUESKY',
    brands: 100,
    burst: 20,
  },
  {
    title: 'all of a pile',
    pile: { count: SETS, secondsAgo: 0 },
    callMs: 50,
    pileOn: 'BLUESKY',
    brands: 200,
    untilSent: true,
  },
]

/** An account with a social set, connected to both networks; `expiring`: its token for Threads has to be refreshed. */
async function newAccount(
  db: Database,
  { expiring = false } = {},
): Promise<{ accountId: string; socialSetId: string }> {
  const accountId = newId()
  await insertAccount(db, { id: accountId, name: 'Bench', slug: accountId, plan: 'SCALE' })
  return { accountId, socialSetId: await newBrand(db, accountId, { expiring }) }
}

async function newBrand(db: Database, accountId: string, { expiring = false } = {}): Promise<string> {
  const socialSetId = newId()
  await insertSocialSet(db, { id: socialSetId, accountId, name: 'Brand', timezone: 'UTC' })
  for (const accountType of ['BLUESKY', 'THREADS'] as const) {
    const identityId = newId()
    await sql`
      insert into network_identities (id, account_id, network, external_id, secret, secret_key_id, expires_at)
      values (${identityId}, ${accountId}, ${accountType.toLowerCase()}, ${identityId}, '{}', 'bench',
        ${expiring && accountType === 'THREADS' ? sql`almanac_now()` : null})`.execute(db)
    await sql`
      insert into connections (id, account_id, social_set_id, identity_id, account_type, name)
      values (${newId()}, ${accountId}, ${socialSetId}, ${identityId}, ${accountType}, 'Me')`.execute(db)
  }
  return socialSetId
}

/** Sets of a brand, all with this caption; the first at `secondsAhead`, each of the others ten milliseconds before. */
const schedule = (
  db: Database,
  socialSetId: string,
  {
    count,
    secondsAhead,
    accountType,
    caption,
    requestedNow = false,
  }: { count: number; secondsAhead: number; accountType: AccountType; caption: string; requestedNow?: boolean },
) =>
  sql`
    with sets as (
      insert into post_sets (id, account_id, social_set_id, scheduled_at, schedule_requested_at, status, approval)
      select gen_random_uuid(), account_id, id, at, ${requestedNow ? sql`almanac_now()` : sql`least(at, almanac_now())`}, 'SCHEDULED',
        'NONE'
      from social_sets, generate_series(1, ${count}::int) as number,
        lateral (select almanac_now() + ${secondsAhead} * interval '1 second' - (number - 1) * interval '10 milliseconds' as at)
      where social_sets.id = ${socialSetId}
      returning id, social_set_id, scheduled_at
    )
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
    select gen_random_uuid(), id, social_set_id, 0, ${accountType},
      ${caption} || ' ' || extract(epoch from scheduled_at) * 1000, '{}' from sets`.execute(db)

/** Autovacuum looks each minute. */
const NEXT_VACUUM_MS = 65_000
const BURST = 'of a burst'
const BURST_EACH = 10
const PROBES = [
  'of another account',
  'of the same brand',
  'of the same brand, other network',
  'of another brand of the account',
] as const

/** A token endpoint that never answers: the call ends with its time. */
async function hangs({ signal }: { signal: AbortSignal }): Promise<RefreshOutcome> {
  await once(signal, 'abort')
  return { kind: 'failed', message: 'No answer.' }
}

async function run(db: Database, scene: Scene) {
  const lateness = new Map<string, number[]>([...PROBES, BURST].map((who) => [who, []]))
  let pile = 0
  const network = (accountType: AccountType): Network => {
    const scripted = scriptedNetwork({
      accountType,
      refresh: [hangs],
      publish: [
        async (attempt) => {
          const [, who = '', at = ''] = /^(.*) ([\d.]+)$/.exec(attempt.post.caption) ?? []
          const probe = lateness.get(who)
          if (probe) probe.push(attempt.now().getTime() - Number(at))
          else pile += 1
          await pause(probe ? 200 : scene.callMs, undefined, { signal: attempt.signal }).catch(() => {})
          return published
        },
      ],
    })
    return { ...scripted, manifest: { ...scripted.manifest, name: accountType.toLowerCase() } }
  }
  const quiet = { info() {}, warn() {}, error: (fields: object, message: string) => console.error(message, fields) }
  const publisher = createPublisher({
    db,
    networks: networksOf([network('BLUESKY'), network('THREADS')]),
    httpFor: () => async () => ({ kind: 'failed', sent: false, message: 'No network here.' }),
    credentials: { open: () => ({ token: 'one' }), seal: () => ({ secret: Buffer.from('{}'), secretKeyId: 'bench' }) },
    endpoint: () => 'http://127.0.0.1:9',
    setting: () => '',
    mediaSources: async () => new Map(),
    missingMedia: async () => [],
    settings: publisherDefaults,
    signals: () => {},
    log: quiet,
  })
  const hanging = scene.hangingTokens ?? 0
  // The account with the pile is one of them.
  const { accountId, socialSetId: own } = await newAccount(db, { expiring: hanging > 0 })
  const { socialSetId: other } = await newAccount(db)
  const brand = await newBrand(db, accountId)
  const otherNetwork = scene.pileOn === 'BLUESKY' ? 'THREADS' : 'BLUESKY'
  const probes: Record<(typeof PROBES)[number], { socialSetId: string; accountType: AccountType }> = {
    'of another account': { socialSetId: other, accountType: 'BLUESKY' },
    'of the same brand': { socialSetId: own, accountType: scene.pileOn },
    'of the same brand, other network': { socialSetId: own, accountType: otherNetwork },
    'of another brand of the account': { socialSetId: brand, accountType: 'BLUESKY' },
  }
  for (let nth = 0; nth < hanging; nth++) {
    const { socialSetId } = await newAccount(db, { expiring: true })
    await schedule(db, socialSetId, { count: 50, secondsAhead: 0, accountType: 'THREADS', caption: 'pile' })
  }
  const { count, secondsAgo, requestedNow = false } = scene.pile
  const piled = [own]
  while (piled.length < (scene.brands ?? 1)) piled.push(await newBrand(db, accountId))
  for (const brandOfPile of count > 0 ? piled : []) {
    const part = { count: count / piled.length, secondsAhead: -secondsAgo, accountType: scene.pileOn, caption: 'pile' }
    await schedule(db, brandOfPile, { ...part, requestedNow })
  }
  if (scene.burst) {
    const { accountId: bursting, socialSetId: first } = await newAccount(db)
    const brands = [first]
    while (brands.length < scene.burst) brands.push(await newBrand(db, bursting))
    for (const socialSetId of brands) {
      await schedule(db, socialSetId, { count: BURST_EACH, secondsAhead: 3, accountType: 'BLUESKY', caption: BURST })
    }
  }
  await sql`analyze all_post_sets, posts`.execute(db)
  const startedAt = performance.now()
  publisher.start()
  for (let second = 0; second < SECONDS; second++) {
    for (const caption of PROBES) {
      const { socialSetId, accountType } = probes[caption]
      await schedule(db, socialSetId, { count: 1, secondsAhead: 1, accountType, caption })
    }
    await pause(1_000)
  }
  await pause(10_000)
  while (scene.untilSent && pile < count) await pause(1_000)
  if (scene.untilSent) {
    await reportTables(db, `${pile} sent in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    await pause(NEXT_VACUUM_MS)
    await reportTables(db, 'After another look of autovacuum')
  }
  const stopping = performance.now()
  await publisher.stop({ graceMs: 500 })
  const stopped = performance.now() - stopping
  const groups: [string, number][] = PROBES.map((who) => [who, SECONDS])
  if (scene.burst) groups.push([BURST, scene.burst * BURST_EACH])
  return groups.map(([who, scheduled]) => {
    const sorted = (lateness.get(who) ?? []).toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
    return [
      `${scene.title}: ${who}`,
      `${sorted.length}/${scheduled}`,
      ms(at(0.5)),
      ms(at(0.99)),
      `${pile}`,
      ms(stopped),
    ]
  })
}

/** What autovacuum has left and done in the tables that a post changes. */
async function reportTables(db: Database, title: string): Promise<void> {
  const { rows } = await sql<Record<'name' | 'rows' | 'updates' | 'dead' | 'vacuums' | 'table' | 'indexes', string>>`
    select relname as name, n_live_tup::text as rows, n_tup_upd::text as updates, n_dead_tup::text as dead,
      autovacuum_count::text as vacuums,
      pg_size_pretty(pg_table_size(relid)) as table, pg_size_pretty(pg_indexes_size(relid)) as indexes
    from pg_stat_user_tables where relname in ('deliveries', 'all_post_sets', 'posts', 'history', 'lanes') order by 1`.execute(
    db,
  )
  printTable(
    title,
    ['', 'rows', 'updates', 'dead', 'vacuums', 'table', 'indexes'],
    rows.map((row) => [row.name, row.rows, row.updates, row.dead, row.vacuums, row.table, row.indexes]),
  )
}

const ms = (value: number) => value.toFixed(0)

await withPlace(undefined, async (place) => {
  const rows: string[][] = []
  for (const [index, scene] of scenes.filter(({ title }) => title.includes(ONLY ?? '')).entries()) {
    const db = await place.database(`backlog_${index}`, async () => {}, 20)
    const measured = await run(db, scene)
    for (const row of measured) console.error(row.join('  '))
    rows.push(...measured)
  }
  const load = loadavg()
    .map((number) => number.toFixed(1))
    .join(', ')
  printTable(
    `Lateness of posts that are on time (load ${load})`,
    ['', 'sent', 'median ms', 'p99 ms', 'pile sent', 'stop ms'],
    rows,
  )
})
