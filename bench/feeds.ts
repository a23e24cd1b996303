import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Dashboard, startDashboard } from '../test/_util/browser/dashboard.ts'
import { call } from '../test/_util/browser/dashboard-seed.ts'
import { almanacJson } from '../test/_util/processes/app.ts'
import { freePort } from '../test/_util/processes/ports.ts'
import { inMs, printTable } from './measure.ts'
import { type Brand, postsBeside } from './requests/beside.ts'

/**
 * What readers of a calendar with 2,000 posts take of the main thread, beside a plain read; and what another account notices of four
 * that read without a pause while the calendar changes: how long its requests take, and how late its posts go out.
 */

const SERIES = { count: 40, occurrences: 50 }
const READERS = 4
/** Posts of the other account, one a second: longer than a calendar is kept as it is. */
const POSTS = 70
const REQUEST_MS = 250

const usagePort = await freePort()
const dashboard = await startDashboard(
  {
    newContext: () => {
      throw new Error('Nothing is opened here.')
    },
    allowProblem: () => {},
  },
  {
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'requests/thread-usage.mjs')).href}`,
    ALMANAC_BENCH_USAGE_PORT: usagePort,
  },
)
try {
  const { url } = dashboard
  await fill(dashboard)
  const issued = await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/calendar-feed`)
  const feed = `${url}${new URL(issued.url).pathname}`
  await costs(dashboard, feed)
  const other = await secondAccount(dashboard)
  const alone = await beside(other, null)
  const read = await beside(other, feed)
  printTable(
    'Another account: its requests, and how late its text posts are, one a second',
    ['meanwhile', 'requests', 'not 200', 'median ms', 'worst ms', 'posts', 'median late ms', 'latest ms'],
    [row('nothing is read', alone), row(`${READERS} readers of a calendar that changes`, read)],
  )
} finally {
  await dashboard.stop()
}

async function fill({ seed }: Dashboard): Promise<void> {
  const caption = 'Fresh bréad, warm and crisp; '.repeat(68).slice(0, 250)
  for (let series = 0; series < SERIES.count; series++) {
    const scheduledAt = new Date(Date.now() + (series + 24) * 3_600_000).toISOString()
    await seed.postSet({ caption, scheduledAt, repeat: { interval: 'DAY', occurrences: SERIES.occurrences } })
  }
}

async function costs({ key }: Dashboard, feed: string): Promise<void> {
  const used = async () => Number(await (await fetch(`http://127.0.0.1:${usagePort}/`)).text()) / 1_000
  const read = async (address: string, headers: Record<string, string>) => {
    const [before, since] = [await used(), performance.now()]
    const answer = await fetch(address, { headers })
    const { byteLength } = await answer.arrayBuffer()
    const ms = performance.now() - since
    return { status: answer.status, bytes: byteLength, ms, main: (await used()) - before, headers: answer.headers }
  }
  const plain = () => read(`${new URL(feed).origin}/v1/labels`, { authorization: `Bearer ${key}` })
  const rows: string[][] = []
  const note = (name: string, { status, bytes, ms, main }: Awaited<ReturnType<typeof read>>) =>
    void rows.push([name, String(status), String(bytes), inMs(ms), inMs(main)])
  await plain()
  note('plain read', await plain())
  const first = await read(feed, {})
  note('first reading', first)
  note('second', await read(feed, {}))
  note('304', await read(feed, { 'if-none-match': first.headers.get('etag') ?? '' }))
  const posts = SERIES.count * SERIES.occurrences
  printTable(`A calendar with ${posts} posts`, ['request', 'status', 'bytes', 'ms', 'ms of the main thread'], rows)
}

/** An account on the same installation that has nothing to do with the first. */
async function secondAccount({ url, dataDir }: Dashboard): Promise<Brand> {
  const settings = { ALMANAC_DATA_DIR: dataDir }
  const command = <T>(...args: string[]) => almanacJson<T>(args, { settings })
  const account = await command<{ accountId: string; ownerEmail: string; ownerPassword: string; socialSetId: string }>(
    ...['accounts', 'create', '--name', 'Second', '--sandbox'],
  )
  const { key } = await command<{ key: string }>(
    ...['keys', 'create', '--account', account.accountId, '--name', 'Program'],
    ...['--scopes', 'post-sets:write,post-sets:publish'],
  )
  const signedIn = await fetch(`${url}/internal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: account.ownerEmail, password: account.ownerPassword }),
  })
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0])
  return { url, key, cookie: cookie.join('; '), socialSetId: account.socialSetId }
}

interface Noticed {
  /** Sorted. */
  times: number[]
  refused: number
  late: number[]
}

/** What the other account notices, with readers of an address or without. */
async function beside(other: Brand, feed: string | null): Promise<Noticed> {
  const times: number[] = []
  let refused = 0
  const list = `${other.url}/v1/post-sets?socialSetId=${other.socialSetId}`
  const ask = async (until: number) => {
    while (Date.now() < until) {
      const since = performance.now()
      const answer = await fetch(list, { headers: { authorization: `Bearer ${other.key}` } })
      await answer.arrayBuffer()
      times.push(performance.now() - since)
      if (answer.status !== 200) refused += 1
      await new Promise((resolve) => setTimeout(resolve, REQUEST_MS))
    }
  }
  const late = await postsBeside(other, POSTS, async (until) => {
    const readers = feed === null ? [] : Array.from({ length: READERS }, () => readUntil(feed, until))
    await Promise.all([ask(until), feed === null ? null : changeUntil(until), ...readers])
  })
  return { times: times.toSorted((one, another) => one - another), refused, late }
}

async function readUntil(feed: string, until: number): Promise<void> {
  while (Date.now() < until) await (await fetch(feed)).arrayBuffer()
}

/** A post of the calendar is changed every second. */
async function changeUntil(until: number): Promise<void> {
  const { seed, url, key } = dashboard
  const { id } = await seed.postSet({ scheduledAt: new Date(Date.now() + 86_400_000).toISOString() })
  for (let minute = 0; Date.now() < until; minute++) {
    const scheduledAt = new Date(Date.now() + 86_400_000 + minute * 60_000).toISOString()
    await call(`${url}/v1/post-sets/${id}`, 'PATCH', { authorization: `Bearer ${key}` }, { scheduledAt })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

function row(name: string, { times, refused, late }: Noticed): string[] {
  const middle = (sorted: readonly number[]) => inMs(sorted[Math.floor(sorted.length / 2)] ?? 0)
  const worst = (sorted: readonly number[]) => inMs(sorted.at(-1) ?? 0)
  return [
    ...[name, String(times.length), String(refused), middle(times), worst(times)],
    ...[String(late.length), middle(late), worst(late)],
  ]
}
