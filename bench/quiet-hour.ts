import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { SCOPES } from '#contract'
import { createKey } from '#operations'
import type { Database } from '#persistence'
import { processorMs, processorMsOfTree } from './api/processes.ts'
import { processorMsOf, readTree } from './floor/processes.ts'
import { byFrequency, roundTripsIn, startCountingProxy } from './lateness/counting-proxy.ts'
import { endWithUs, startProgram } from './lateness/processes.ts'
import { allSent, openDatabaseOf, postmasterOf, report, startWorker } from './lateness/sides.ts'
import { printTable } from './measure.ts'
import { withPlace } from './place.ts'
import { openDataDir, startServer } from './server.ts'

/**
 * A service that no one uses for an hour, and posts that wake it: processor time, memory and statements of each of the processes, then
 * how late posts are that an api schedules, after quiet minutes, 20 to 70 seconds ahead. README.md, "A quiet hour".
 *
 *     node bench/quiet-hour.ts [--minutes 60] [--posts 20] [--quiet-minutes 4]
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    posts: { type: 'string', default: '20' },
    /** Before the posts. */
    'quiet-minutes': { type: 'string', default: '4' },
  },
})
const [minutes, count, quietMinutes] = [values.minutes, values.posts, values['quiet-minutes']].map(Number) as [
  number,
  number,
  number,
]
const MINUTE_MS = 60_000
const FIRST_MS = 20_000
const LAST_MS = 70_000

await withPlace(undefined, async (place) => {
  await using closing = new AsyncDisposableStack()
  const networks = await startProgram('networks.ts', { NETWORK_CALL_MS: '200' })
  closing.defer(() => networks.stop())
  const { url, db } = await openDatabaseOf({ place, closing }, 'quiet')
  const proxies = { api: await startCountingProxy(url), worker: await startCountingProxy(url) }
  for (const proxy of Object.values(proxies)) closing.defer(() => proxy.close())
  const worker = await startWorker(proxies.worker.url, { networksUrl: networks.said, closing, node: '' })
  const api = await startApi(proxies.api.url, db, closing)
  const postmaster = await postmasterOf(db)
  // What a start does late is none of the hour.
  await pause(MINUTE_MS / 2)

  const processor = () => ({
    api: processorMs(api.pid),
    worker: processorMsOf(worker.pid, ''),
    PostgreSQL: processorMsOfTree(postmaster),
  })
  for (const proxy of Object.values(proxies)) proxy.reset()
  const before = processor()
  for (let minute = 1; minute <= minutes; minute++) {
    await pause(MINUTE_MS)
    if (minute % 10 === 0) console.error(`${minute} of ${minutes} minutes; load ${loadavg()[0]?.toFixed(1)}`)
  }
  const after = processor()
  const seconds = minutes * 60
  for (const [name, proxy] of Object.entries(proxies)) {
    for (const [text, times] of byFrequency(proxy.counts())) {
      console.error(`  ${name}: ${(times / seconds).toFixed(3)} a second: ${text}`)
    }
  }
  const asked = (proxy: typeof proxies.api) => (roundTripsIn(proxy.counts()) / seconds).toFixed(2)
  const sides = [
    ['api', api.pid, asked(proxies.api)],
    ['worker', worker.pid, asked(proxies.worker)],
    ['PostgreSQL', postmaster, '–'],
  ] as const
  printTable(
    `${minutes} quiet minutes (load ${loadavg()[2]?.toFixed(1)})`,
    ['', 'ms a second', 'MiB, shared memory divided', 'round trips a second'],
    sides.map(([name, pid, trips]) => [
      name,
      ((after[name] - before[name]) / seconds).toFixed(2),
      readTree(pid, '').mebibytes.toFixed(0),
      trips,
    ]),
  )

  await pause(quietMinutes * MINUTE_MS)
  await report(networks.said)
  const from = Date.now()
  for (let nth = 0; nth < count; nth++) {
    const at = new Date(from + FIRST_MS + (nth * (LAST_MS - FIRST_MS)) / Math.max(1, count - 1))
    await api.schedule(at)
  }
  await allSent(db, networks.said, count)
  const { lateness } = await report(networks.said)
  const sorted = lateness.toSorted((a, b) => a - b)
  printTable(
    `${count} posts, each for a time of its own 20 to 70 s ahead: how late, in ms`,
    ['', 'least', 'middle', 'most'],
    [['', ...[sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((each) => String(each))]],
  )
})

/** An api that takes posts, with a key of the first brand. */
async function startApi(databaseUrl: string, db: Database, closing: AsyncDisposableStack) {
  const { rows } = await sql<{ id: string; accountId: string }>`
    select id, account_id as "accountId" from social_sets order by id limit 1`.execute(db)
  const [brand] = rows
  if (!brand) throw new Error('There is no brand.')
  const of = { accountId: brand.accountId, name: 'Bench', scopes: SCOPES, socialSetIds: null }
  const { key } = await createKey({ db }, of)
  const almanac = await startServer(closing, { process: 'api', databaseUrl, dataDir: await openDataDir(closing) })
  endWithUs(almanac.process)
  return {
    pid: almanac.process.pid ?? 0,
    /** @throws Error when the api refuses */
    async schedule(at: Date): Promise<void> {
      const response = await fetch(`${almanac.url}/v1/post-sets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ socialSetId: brand.id, scheduledAt: at.toISOString(), status: 'SCHEDULED', approval: 'NONE' },
          posts: [{ accountType: 'BLUESKY', caption: `The summer harvest is in. due${at.getTime()}`, media: [] }],
        }),
      })
      if (response.status !== 201) throw new Error(`The api answered ${response.status}: ${await response.text()}`)
    },
  }
}
