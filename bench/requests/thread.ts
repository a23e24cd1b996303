import { request } from 'undici'
import { inMs } from '../measure.ts'

export interface Case {
  route: string
  body: string
  method: string
  path: string
  headers: Record<string, string>
  json: string | Uint8Array | null
}

export interface Measured extends Case {
  status: number
  /** Processor time of the server's main thread, the best of the runs, in milliseconds. */
  ms: number
}

export const RUNS = 5
/** What takes less is not measured again; what takes more is not needed again. */
const AGAIN = { from: 20, to: 2_000 }
/** A stream of events has no end: it is left when it begins. */
const ENDLESS = '/internal/live'

/** Sends requests to a server, one after the other, and reads what its main thread has used (`thread-usage.mjs`). */
export function openThread(server: { url: string }, usagePort: string) {
  async function used(): Promise<number> {
    return Number(await (await request(`http://127.0.0.1:${usagePort}/`, { reset: true })).body.text())
  }

  async function measureOnce(each: Case): Promise<{ status: number; ms: number }> {
    const { method, path, headers, json } = each
    const before = await used()
    const type = json === null || 'content-type' in headers ? {} : { 'content-type': 'application/json' }
    const status = await request(`${server.url}${path}`, {
      method: method as 'GET',
      headers: { ...type, ...headers },
      body: json,
      // A connection of its own: none is closed by the server between two requests.
      reset: true,
      headersTimeout: 120_000,
    }).then(
      async (answer) => {
        if (path.startsWith(ENDLESS) && answer.statusCode === 200) answer.body.on('error', () => {}).destroy()
        else await answer.body.arrayBuffer()
        return answer.statusCode
      },
      // Some are cut off while they send a body that is too large.
      () => 0,
    )
    const ms = ((await used()) - before) / 1_000
    if (status !== 429) return { status, ms }
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return measureOnce(each)
  }

  async function measureAll(cases: readonly Case[]): Promise<Measured[]> {
    const measured: Measured[] = []
    for (const each of cases) {
      let { status, ms } = await measureOnce(each)
      if (ms >= AGAIN.from && ms <= AGAIN.to) {
        for (let run = 1; run < RUNS; run++) ms = Math.min(ms, (await measureOnce(each)).ms)
      }
      measured.push({ ...each, status, ms })
      if (ms > 100) process.stderr.write(`${inMs(ms)} ms ${status} ${each.route} ${each.body}\n`)
    }
    return measured
  }

  return { measureAll }
}

export type Thread = ReturnType<typeof openThread>

/** A loop that takes the same work on every machine, in milliseconds of this one. */
export function fixedLoop(): number {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const since = process.threadCpuUsage()
    let hash = 0
    for (let index = 0; index < 100_000_000; index++) hash = (Math.imul(hash, 31) + index) | 0
    if (hash === 1) console.log(hash)
    const { user, system } = process.threadCpuUsage(since)
    times.push((user + system) / 1_000)
  }
  return Math.min(...times)
}

export const slowest = (measured: readonly Measured[]): Measured[] => measured.toSorted((a, b) => b.ms - a.ms)
