import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { type AccountType, accountTypes, SCOPES } from '#contract'
import { newId } from '#domain'
import { createKey } from '#operations'
import { type Database, insertConnection, insertIdentity, openDatabase } from '#persistence'
import { type Load, load, type Request } from './api/load.ts'
import { parentOf, processorMs, processorMsOfTree, startFloor } from './api/processes.ts'
import { inMs, printTable } from './measure.ts'
import { withPlace } from './place.ts'
import { seed } from './seed.ts'
import { openDataDir, startServer } from './server.ts'

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    /** A part of the names of cases: others are left out. */
    only: { type: 'string', default: '' },
    connections: { type: 'string', default: '1,8,32' },
    /** Of each side, turn and turn about. */
    rounds: { type: 'string', default: '5' },
    /** Length of a round. */
    ms: { type: 'string', default: '1500' },
    /** Post sets in the social set that is asked for. */
    sets: { type: 'string', default: '1000' },
    /** The floor prepares its statements too. */
    prepared: { type: 'boolean', default: false },
    /** Starts Almanac with `NODE_OPTIONS` of this, for a profile. */
    node: { type: 'string', default: '' },
  },
})

/** An account that is asked for, and others beside it in the same database. */
const layout = {
  name: `api_${values.sets}`,
  sizes: [
    { sets: Number(values.sets), times: 1 },
    { sets: 100, times: 90 },
  ],
}

/** When what is created is scheduled for, and nothing else. */
const CREATED_AT = '2090-06-01T10:00:00.000Z'
const CAPTION =
  'The summer harvest is in: come by on Saturday, taste what our neighbors have grown, and take a basket home with you. From nine.'

/** What posts of these types must say besides their caption. */
const FIELDS: Partial<Record<AccountType, object>> = {
  INSTAGRAM: { type: 'IMAGE', collaborators: [] },
  FACEBOOK: { type: 'TEXT', richCaption: [CAPTION] },
  LINKEDIN_PAGE: { richCaption: [CAPTION] },
  LINKEDIN_PERSONAL: { richCaption: [CAPTION] },
  GMB: { ctaType: 'NONE' },
  PINTEREST: { title: 'Harvest', website: 'https://example.com' },
  YOUTUBE: { title: 'Harvest', privacy: 'PUBLIC' },
}

interface Case {
  name: string
  request: Request
  status: number
}

/** What one side took. Of several rounds the best: what others do on the machine only ever adds to it. */
interface Side {
  perSecond: number
  /** Processor time of a request in the server's process, and in all of PostgreSQL's, in milliseconds. */
  nodeMs: number
  databaseMs: number
  latencies: number[]
}

await withPlace(values.dir, async (place) => {
  const databaseUrl = await place.url(layout.name, fill)
  const db = openDatabase(databaseUrl, { poolSize: 2 })
  await using closing = new AsyncDisposableStack()
  const dataDir = await openDataDir(closing)
  closing.defer(() => db.destroy())
  const socialSetId = await largestSocialSet(db)
  await connectAll(db, socialSetId)
  await removeCreated(db, socialSetId)
  const { id: keyId, key } = await createKey(
    { db },
    {
      accountId: socialSetId,
      name: 'Bench',
      scopes: SCOPES,
      socialSetIds: null,
    },
  )
  closing.defer(async () => void (await sql`delete from api_keys where id = ${keyId}`.execute(db)))
  const settings = { NODE_OPTIONS: values.node }
  const almanac = await startServer(closing, { process: 'api', databaseUrl, dataDir, settings })
  const total = await countSets(db, socialSetId)
  const cases = casesOf({ socialSetId, key, setId: await someSet(db, socialSetId) })
  const floor = await startFloor({
    DATABASE_URL: databaseUrl,
    FLOOR_ACCOUNT: socialSetId,
    FLOOR_TOTAL: String(total),
    FLOOR_PREPARES: values.prepared ? 'on' : '',
    FLOOR_VALIDATED: await validated(almanac.url, cases),
  })
  closing.defer(() => floor.stop())
  const sides = {
    floor: { url: floor.url, pid: floor.pid },
    almanac: { url: almanac.url, pid: almanac.process.pid ?? 0 },
  }
  const postmaster = await postmasterOf(db)
  for (const each of cases) await sameAnswers(each)
  await removeCreated(db, socialSetId)
  const rows: string[][] = []
  for (const each of cases.filter(({ name }) => name.includes(values.only))) {
    for (const connections of values.connections.split(',').map(Number)) {
      rows.push(await measureCase(each, connections))
      if (each.request.method === 'POST') await removeCreated(db, socialSetId)
    }
  }
  printTable(
    `Requests of one key, a brand of ${total} post sets; of ${values.rounds} rounds the best`,
    [
      'request',
      'at once',
      'a second',
      'of floor',
      'node ms',
      'of floor',
      'database ms',
      'of floor',
      'cpu of floor',
      'p50 ms',
      'p99 ms',
      'p99/p50',
    ],
    rows,
  )

  async function measureCase(each: Case, connections: number): Promise<string[]> {
    const best: Record<'floor' | 'almanac', Side[]> = { floor: [], almanac: [] }
    for (const side of ['floor', 'almanac'] as const) await measureSide(side, 300)
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const side of ['floor', 'almanac'] as const) best[side].push(await measureSide(side, Number(values.ms)))
    }
    const [floor, almanac] = [bestOf(best.floor), bestOf(best.almanac)]
    const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(0)} %`
    return [
      each.name,
      String(connections),
      almanac.perSecond.toFixed(0),
      percent(almanac.perSecond, floor.perSecond),
      almanac.nodeMs.toFixed(3),
      percent(floor.nodeMs, almanac.nodeMs),
      almanac.databaseMs.toFixed(3),
      percent(floor.databaseMs, almanac.databaseMs),
      percent(floor.nodeMs + floor.databaseMs, almanac.nodeMs + almanac.databaseMs),
      ...[inMs(almanac.p50), inMs(almanac.p99), (almanac.p99 / almanac.p50).toFixed(1)],
    ]

    async function measureSide(name: 'floor' | 'almanac', ms: number): Promise<Side> {
      const { url, pid } = sides[name]
      const [node, database] = [processorMs(pid), processorMsOfTree(postmaster)]
      const done: Load = await load(url, each.request, { connections, ms, status: each.status })
      return {
        perSecond: done.answers / done.seconds,
        nodeMs: (processorMs(pid) - node) / done.answers,
        databaseMs: (processorMsOfTree(postmaster) - database) / done.answers,
        latencies: done.latencies,
      }
    }
  }

  /** The floor answers what Almanac answers; of what is new, all but ids and times. */
  async function sameAnswers({ name, request }: Case): Promise<void> {
    const [ofFloor, ofAlmanac] = await Promise.all(
      [sides.floor.url, sides.almanac.url].map(async (url) => {
        const { method, path, headers, body } = request
        const type = body === null ? {} : { 'content-type': 'application/json' }
        const answer = await fetch(`${url}${path}`, { method, headers: { ...headers, ...type }, body })
        const text = await answer.text()
        if (method === 'GET') return text
        return text.replaceAll(/[0-9a-f-]{36}|"(?:createdAt|updatedAt)":"[^"]*"/g, '')
      }),
    )
    if (ofFloor === ofAlmanac) return
    const [floor = '', almanac = ''] = [ofFloor, ofAlmanac]
    const from = [...floor].findIndex((letter, nth) => letter !== almanac[nth])
    const around = (text: string) => text.slice(Math.max(0, from - 100), from + 200)
    throw new Error(`${name}: where the floor answers …${around(floor)}…, Almanac does …${around(almanac)}…`)
  }
})

/** What Almanac answers when it checks a post set: its counts are no concern of a floor. */
async function validated(url: string, cases: readonly Case[]): Promise<string> {
  const request = cases.find(({ name }) => name === 'validate')?.request
  if (!request) throw new Error('There is no case of a check.')
  const { method, path, headers, body } = request
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  return answer.text()
}

function bestOf(sides: readonly Side[]): Omit<Side, 'latencies'> & { p50: number; p99: number } {
  const least = (of: (side: Side) => number) => Math.min(...sides.map(of))
  const quantile = (part: number) => (side: Side) => side.latencies[Math.floor(part * side.latencies.length)] ?? 0
  return {
    perSecond: Math.max(...sides.map(({ perSecond }) => perSecond)),
    nodeMs: least(({ nodeMs }) => nodeMs),
    databaseMs: least(({ databaseMs }) => databaseMs),
    p50: least(quantile(0.5)),
    p99: least(quantile(0.99)),
  }
}

function casesOf({ socialSetId, key, setId }: { socialSetId: string; key: string; setId: string }): Case[] {
  const headers = { authorization: `Bearer ${key}` }
  const get = (path: string): Request => ({ method: 'GET', path, headers, body: null })
  const post = (path: string, body: object): Request => ({ method: 'POST', path, headers, body: JSON.stringify(body) })
  const set = (status: string, types: readonly AccountType[]) => ({
    socialSetId,
    scheduledAt: CREATED_AT,
    status,
    approval: 'NONE',
    posts: types.map((accountType) => ({ accountType, caption: CAPTION, media: [], ...FIELDS[accountType] })),
  })
  return [
    { name: 'list of 20', request: get(`/v1/post-sets?socialSetId=${socialSetId}&size=20`), status: 200 },
    { name: 'list of 100', request: get(`/v1/post-sets?socialSetId=${socialSetId}&size=100`), status: 200 },
    { name: 'read', request: get(`/v1/post-sets/${setId}`), status: 200 },
    { name: 'validate', request: post('/v1/post-sets/validate', set('SCHEDULED', ['BLUESKY'])), status: 200 },
    { name: 'create 1', request: post('/v1/post-sets', set('DRAFT', ['BLUESKY'])), status: 201 },
    { name: 'create 11', request: post('/v1/post-sets', set('DRAFT', accountTypes)), status: 201 },
  ]
}

/** The seed, whose posts have what their account types demand. */
async function fill(db: Database): Promise<void> {
  await seed(db, layout)
  for (const [type, fields] of Object.entries(FIELDS)) {
    await sql`update posts set fields = ${JSON.stringify(fields)}::jsonb where account_type = ${type}`.execute(db)
  }
  await sql`vacuum (full, analyze) posts`.execute(db)
}

/** The brand is as large for each case. */
async function removeCreated(db: Database, socialSetId: string): Promise<void> {
  await sql`
    with removed as (
      delete from all_post_sets where social_set_id = ${socialSetId} and scheduled_at = ${CREATED_AT} returning id
    )
    delete from history where post_set_id in (select id from removed)`.execute(db)
  await sql`vacuum (analyze) all_post_sets, posts, history, account_usage, rate_windows`.execute(db)
}

async function largestSocialSet(db: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select social_set_id as id from post_sets group by social_set_id order by count(*) desc limit 1`.execute(db)
  return only(rows).id
}

/** The set in the middle of those that have three posts. */
async function someSet(db: Database, socialSetId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select post_set_id as id from posts where social_set_id = ${socialSetId}
    group by post_set_id having count(*) = 3 order by post_set_id limit 1`.execute(db)
  return only(rows).id
}

async function countSets(db: Database, socialSetId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from post_sets where social_set_id = ${socialSetId}`.execute(db)
  return only(rows).count
}

async function connectAll(db: Database, socialSetId: string): Promise<void> {
  const { rows } = await sql`select from connections where social_set_id = ${socialSetId}`.execute(db)
  if (rows.length > 0) return
  for (const accountType of accountTypes) {
    const identityId = newId()
    const owner = { accountId: socialSetId, name: accountType }
    await insertIdentity(db, {
      ...{ id: identityId, accountId: socialSetId, network: 'bench', externalId: identityId, sandbox: true },
      ...{ endpoints: {}, secret: Buffer.from('sealed'), secretKeyId: 'bench', expiresAt: null },
    })
    await insertConnection(db, {
      ...{ ...owner, id: newId(), socialSetId, identityId, accountType, username: null, profileUrl: null },
      ...{ avatarUrl: null, statusReason: null, defaults: {} },
    })
  }
}

async function postmasterOf(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const parent = parentOf(only(rows).pid)
  if (parent === null) throw new Error('The processes of PostgreSQL cannot be read here.')
  return parent
}

function only<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error('A row is missing.')
  return row
}
