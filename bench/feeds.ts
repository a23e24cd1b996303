import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startDashboard } from '../test/_util/dashboard.ts'
import { freePort } from '../test/_util/ports.ts'
import { inMs, printTable } from './measure.ts'

/**
 * What readers of a calendar with 2,000 posts take of the main thread, beside a plain read, and how long a plain read takes while
 * one asks without a pause.
 */

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
  const { url, key, socialSetId, owner } = dashboard
  const byKey = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const session = await fetch(`${url}/internal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(owner),
  })
  const cookie = session.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const caption = 'Fresh bréad, warm and crisp; '.repeat(68)
  for (let series = 0; series < 40; series++) {
    const scheduledAt = new Date(Date.now() + (series + 24) * 3_600_000).toISOString()
    const posts = [{ accountType: 'BLUESKY', caption: caption.slice(0, 250), media: [] }]
    const body = {
      socialSetId,
      status: 'DRAFT',
      approval: 'NONE',
      scheduledAt,
      posts,
      repeat: { interval: 'DAY', occurrences: 50 },
    }
    for (;;) {
      const answer = await fetch(`${url}/v1/post-sets`, { method: 'POST', headers: byKey, body: JSON.stringify(body) })
      const text = await answer.text()
      if (answer.status === 201) break
      if (answer.status !== 429) throw new Error(`A post was answered with ${answer.status}: ${text}`)
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }
  const issued = await fetch(`${url}/internal/social-sets/${socialSetId}/calendar-feed`, {
    method: 'PUT',
    headers: { cookie, origin: url, 'sec-fetch-site': 'same-origin' },
  })
  const feed = `${url}${new URL(((await issued.json()) as { url: string }).url).pathname}`
  const used = async () => Number(await (await fetch(`http://127.0.0.1:${usagePort}/`)).text()) / 1_000
  const read = async (address: string, headers: Record<string, string>) => {
    const [before, since] = [await used(), performance.now()]
    const answer = await fetch(address, { headers })
    const { byteLength } = await answer.arrayBuffer()
    const ms = performance.now() - since
    return { status: answer.status, bytes: byteLength, ms, main: (await used()) - before, headers: answer.headers }
  }
  const plain = () => read(`${url}/v1/labels`, { authorization: byKey.authorization })
  const rows: string[][] = []
  const note = (name: string, { status, bytes, ms, main }: Awaited<ReturnType<typeof read>>) =>
    void rows.push([name, String(status), String(bytes), inMs(ms), inMs(main)])
  await plain()
  note('plain read', await plain())
  const first = await read(feed, {})
  note('first reading', first)
  note('second', await read(feed, {}))
  note('304', await read(feed, { 'if-none-match': first.headers.get('etag') ?? '' }))
  const stop = new AbortController()
  const readers = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) await (await fetch(feed)).arrayBuffer()
  })
  const times: number[] = []
  for (let count = 0; count < 25; count++) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    times.push((await plain()).ms)
  }
  stop.abort()
  await Promise.all(readers)
  times.sort((one, other) => one - other)
  rows.push(['plain read beside four readers, median', '', '', inMs(times[12] ?? 0), ''])
  rows.push(['plain read beside four readers, worst', '', '', inMs(times.at(-1) ?? 0), ''])
  printTable('A calendar with 2,000 posts', ['request', 'status', 'bytes', 'ms', 'ms of the main thread'], rows)
} finally {
  await dashboard.stop()
}
