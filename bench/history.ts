import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { newId } from '#domain'
import { addHistory, type Database, type HistoryEntry, joinHistory } from '#persistence'
import { startDashboard } from '../test/_util/browser/dashboard.ts'
import { call } from '../test/_util/browser/dashboard-seed.ts'
import { freePort } from '../test/_util/processes/ports.ts'
import { inMs, measure, printTable, times } from './measure.ts'
import { withPlace } from './place.ts'
import { edit, shareBrand } from './requests/filled.ts'

/**
 * What the history of posts costs: an edit with its outline beside one without it; what guests and members read of a post that was
 * changed 600 times by texts of 3 kB, one by one and ten at once; and the joining of what is beyond a budget.
 */

const { values } = parseArgs({ options: { part: { type: 'string', multiple: true } } })
const parts = values.part ?? ['edit', 'joining', 'reading']

const EDITS = 600
const TEXT = 3_000
/** Edits that are measured in one go, and how often: the best counts. */
const ROUND = 200
const ROUNDS = 9

/** As much as a text of words is compressed by PostgreSQL: little. */
const text = () => {
  let words = ''
  while (words.length < TEXT)
    words += `${Math.random()
      .toString(36)
      .slice(2, 2 + Math.ceil(Math.random() * 9))} `
  return words.slice(0, TEXT)
}

const texts = Array.from({ length: EDITS + 1 }, text)
const OTHERS = 1_000_000

await withPlace(undefined, async (place) => {
  const db = await place.database('history', async () => {})
  if (parts.includes('edit')) await anEdit(db)
  if (parts.includes('joining')) await joining(db)
})
if (parts.includes('reading')) await reading()

async function newAccount(db: Database): Promise<string> {
  const id = newId()
  await db.insertInto('accounts').values({ id, name: 'A', slug: id, plan: 'PRO' }).execute()
  return id
}

/** Rows of history of one set, each a change of the captions of so many posts. */
function changes(accountId: string, count: number, posts: number): HistoryEntry[] {
  const postSetId = newId()
  const actor = { type: 'USER', id: newId(), name: 'Ada' } as const
  const ids = Array.from({ length: posts }, () => newId())
  return Array.from({ length: count }, (_, index) => {
    const fields = { caption: { from: texts[index % EDITS], to: texts[(index % EDITS) + 1] } }
    const changed = ids.map((id) => ({ id, accountType: 'BLUESKY' as const, fields }))
    return { accountId, postSetId, actor, action: 'updated', changes: { posts: { changed } } }
  })
}

/** Adding a row of history, in a transaction of many: without outline and its index, with the outline, and with both. */
async function anEdit(db: Database): Promise<void> {
  const account = await newAccount(db)
  const outline = (way: 'disable' | 'enable') =>
    sql`alter table history ${sql.raw(way)} trigger history_outline`.execute(db)
  const index = (there: boolean) =>
    (there
      ? sql`create index history_texts on history (at, account_id, post_set_id) where outline is not null`
      : sql`drop index history_texts`
    ).execute(db)
  const write = async (posts: number) => {
    const entries = changes(account, ROUND, posts)
    return db.transaction().execute(async (trx) => {
      const since = performance.now()
      for (const entry of entries) await addHistory(trx, [entry])
      return (performance.now() - since) / ROUND
    })
  }
  const rows: string[][] = []
  for (const posts of [1, 11]) {
    await write(posts)
    const [bare, outlined, whole]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      whole.push(await write(posts))
      await index(false)
      outlined.push(await write(posts))
      await outline('disable')
      bare.push(await write(posts))
      await outline('enable')
      await index(true)
    }
    const [floor, one, both] = [bare, outlined, whole].map((values) => Math.min(...values)) as [number, number, number]
    rows.push([`${posts} captions`, inMs(floor), inMs(one), inMs(both), times(one, floor), times(both, floor)])
    await sql`truncate history cascade`.execute(db)
  }
  const head = ['change of', 'floor, ms', 'with outline, ms', 'with its index, ms', '× floor', '× floor']
  printTable('A row of history, 3 kB a text, without its commit', head, rows)
}

/** What a look for budgets and the joining cost beside a million rows without texts; and the index on them. */
async function joining(db: Database): Promise<void> {
  const account = await newAccount(db)
  await sql`
    insert into history (id, account_id, post_set_id, actor_type, actor_name, action, changes)
    select gen_random_uuid(), ${account}, gen_random_uuid(), 'PUBLISHER', 'publisher', 'published', '{"status": {"from": "PUBLISHING", "to": "PUBLISHED"}}'
    from generate_series(1, ${OTHERS}::integer)`.execute(db)
  await sql`vacuum analyze history`.execute(db)
  await sql`drop index history_texts`.execute(db)
  const since = performance.now()
  await sql`create index history_texts on history (at, account_id, post_set_id) where outline is not null`.execute(db)
  console.log(`\nThe index on ${OTHERS} rows: ${inMs(performance.now() - since)} ms`)
  const rows: string[][] = []
  for (const count of [600, 20_000]) {
    await sql`delete from history where outline is not null`.execute(db)
    await sql`vacuum full history`.execute(db)
    const author = await newAccount(db)
    for (let at = 0; at < count; at += 200) await addHistory(db, changes(author, 200, 1))
    await sql`analyze history`.execute(db)
    const look = await measure(() => joinHistory(db, { budget: 1e12 }))
    const { rows: before } = await bytes(db)
    const begun = performance.now()
    const joined = await joinHistory(db, { budget: 0 })
    const ms = performance.now() - begun
    const { rows: after } = await bytes(db)
    const sizes = [before, after].map(([row]) => `${((row?.bytes ?? 0) / 1e6).toFixed(1)} MB`).join(' → ')
    rows.push([`${count} edits`, inMs(look.middle), String(joined), inMs(ms), inMs(ms / joined), sizes])
  }
  printTable('Joining, beside a million rows', ['of', 'look, ms', 'joined', 'ms', 'ms each', 'texts'], rows)
}

function bytes(db: Database) {
  return sql<{ bytes: number }>`
    select sum(pg_column_size(changes))::integer as bytes from history where outline is not null`.execute(db)
}

async function reading(): Promise<void> {
  const usage = join(import.meta.dirname, 'requests/thread-usage.mjs')
  const usagePort = await freePort()
  const dashboard = await startDashboard(
    {
      newContext: () => {
        throw new Error('Nothing is opened here.')
      },
      allowProblem: () => {},
    },
    { NODE_OPTIONS: `--import=${pathToFileURL(usage).href}`, ALMANAC_BENCH_USAGE_PORT: usagePort },
  )
  try {
    const { url, socialSetId, seed } = dashboard
    const set = await seed.postSet({ approval: 'EXTERNAL_PENDING' })
    const { guest } = await shareBrand(dashboard, socialSetId)
    const ours = { cookie: guest.cookie, origin: url, 'sec-fetch-site': 'same-origin' }
    const view = `/shared/view/${guest.link}/posts/${set.id}`
    await call(`${url}${view}/seen`, 'PUT', ours, { version: set.version })
    for (let index = 0; index < EDITS; index++) await edit(dashboard, set, texts[index] ?? '')
    const session = await fetch(`${url}/internal/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(dashboard.owner),
    })
    const cookie = session.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const { data } = await dashboard.member('GET', `/internal/post-sets/${set.id}/history?size=100`)
    const postId = set.posts[0]?.id
    const used = async () => Number(await (await fetch(`http://127.0.0.1:${usagePort}/`)).text()) / 1_000
    const read = async (path: string, headers: Record<string, string>) => {
      const since = performance.now()
      const answer = await fetch(`${url}${path}`, { headers })
      const { byteLength } = await answer.arrayBuffer()
      return { status: answer.status, bytes: byteLength, ms: performance.now() - since }
    }
    const internal = `/internal/post-sets/${set.id}`
    const ways: [string, string, Record<string, string>][] = [
      ['floor: a post set', internal, { cookie }],
      ['guest: the post', view, ours],
      ['guest: its text of then and now', `${view}/changes/${postId}?since=${set.version}`, ours],
      ['member: what has changed', `${internal}/changes?since=${set.version}`, { cookie }],
      ['member: its texts', `${internal}/changes/${postId}?since=${set.version}`, { cookie }],
      ['member: 100 entries of history', `${internal}/history?size=100`, { cookie }],
      ['member: one entry', `${internal}/history/${data[50].id}`, { cookie }],
    ]
    const rows: string[][] = []
    for (const [name, path, headers] of ways) {
      await pause(1_100)
      const { result, middle: ms } = await measure(() => read(path, headers), 8)
      // A visit may ask ten times a second.
      await pause(1_100)
      const before = await used()
      const ten = await Promise.all(Array.from({ length: 10 }, () => read(path, headers)))
      const main = (await used()) - before
      const worst = Math.max(...ten.map(({ ms }) => ms))
      const failed = ten.filter(({ status }) => status !== 200).length
      rows.push([name, String(result.bytes), inMs(ms), inMs(worst), inMs(main / 10), String(failed)])
    }
    const head = ['request', 'bytes', 'ms', 'the last of ten at once, ms', 'main thread each, ms', 'failed']
    printTable(`A post that was changed ${EDITS} times by texts of ${TEXT / 1_000} kB`, head, rows)
  } finally {
    await dashboard.stop()
  }
}
