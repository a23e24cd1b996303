import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { newId } from '#domain'
import { type DatabaseServer, startDatabaseServer } from '../database/database-server.ts'
import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  type Settings,
  startAlmanac,
  withAnyRate,
} from '../processes/app.ts'
import { freePort } from '../processes/ports.ts'

/** `api`, `worker` and `up` on one PostgreSQL server to which things happen. */
export interface FaultStage {
  server: DatabaseServer
  processes: Readonly<Record<ProcessName, RunningAlmanac>>
  /** Asks as a client does, each process that serves requests, and hears of every answer. */
  ask(process: 'api' | 'up', method: string, path: string, options?: AskOptions): Promise<Answer>
  /** A health check of a process. */
  health(process: ProcessName, path: '/healthz' | '/readyz'): Promise<Answer>
  /**
   * Asks both all the time, with posts that are due at once among it, until it is asked to stop; adds, removes and swaps posts of
   * other sets around their time.
   */
  load(): { stop(): Promise<Answer[]> }
  /** What is wrong with the sets whose posts were changed, in words: each has the posts that were answered, each of them live once. */
  wrongEdits(): Promise<string[]>
  /** Until every process is ready. */
  untilReady(): Promise<void>
  /** Schedules a post for now and waits until it is published. */
  publishOne(): Promise<void>
  /** How often the network holds each caption that was sent. */
  published(): Promise<Map<string, number>>
  /** Captions of posts that were accepted: the client has read a 201. */
  accepted: ReadonlySet<string>
  socialSetId: string
  close(): Promise<void>
}

export const PROCESS_NAMES = ['api', 'worker', 'up'] as const
export type ProcessName = (typeof PROCESS_NAMES)[number]

export interface AskOptions {
  body?: unknown
  /** Null: none. Absent: the key of the tests. */
  key?: string | null
}

export interface Answer {
  /** 0: there was no answer within the time that a client waits, or the connection was closed. */
  status: number
  code: string | null
  retryAfter: string | null
  body: Record<string, unknown>
}

const EDITS = ['add', 'remove', 'swap'] as const
interface EditedPost {
  id?: string
  accountType: 'BLUESKY' | 'THREADS'
  caption: string
  result?: { status: string } | null
}
const nameOf = ({ accountType, caption }: EditedPost) => `${accountType} ${caption}`

/** Longer than any answer may take; a machine at work on other tests included. */
const CLIENT_WAITS_MS = 30_000

/** @param projectDir another checkout than this one, to see what it does */
export async function openFaultStage(projectDir?: string): Promise<FaultStage> {
  const [server, dataDir] = await Promise.all([startDatabaseServer(), makeDataDir()])
  const port = await freePort()
  const checkout = projectDir === undefined ? {} : { projectDir }
  const settings: Settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: server.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_SANDBOX_URL: `http://127.0.0.1:${port}/sandbox`,
    ALMANAC_WORKER_PORT: await freePort(),
    ALMANAC_LEASE: '6s',
    ALMANAC_LOG_LEVEL: 'warn',
    // The load is of one account and one connection: as much as comes must be published meanwhile.
    ALMANAC_SLOTS_PER_CONNECTION: '100',
    ALMANAC_CLAIMED_PER_CONNECTION: '10000',
    ...(await withAnyRate(dataDir.path)),
  }
  const start = async (process: ProcessName, own: string) =>
    startAlmanac({ process, settings: { ...settings, ALMANAC_PORT: own }, ...checkout })
  // Migrates; the others find the tables.
  const up = await start('up', port)
  const [api, worker, made] = await Promise.all([
    start('api', await freePort()),
    start('worker', await freePort()),
    makeAccount(settings, checkout),
  ])
  const processes = { api, worker, up }
  const { key, socialSetId } = made
  const accepted = new Set<string>()
  /** By their ids: the posts that were asked for, and what a set has, where an answer has said so. */
  const edited = new Map<string, { asked: EditedPost[]; known: string[] | null }>()

  async function fetched(url: string, init: RequestInit): Promise<Answer> {
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(CLIENT_WAITS_MS) })
      const body = (await answer.json()) as Record<string, unknown>
      const code = typeof body.code === 'string' ? body.code : null
      return { status: answer.status, code, retryAfter: answer.headers.get('retry-after'), body }
    } catch (error) {
      return { status: 0, code: null, retryAfter: null, body: { error: String(error) } }
    }
  }

  const stage: FaultStage = {
    server,
    processes,
    accepted,
    socialSetId,
    ask(process, method, path, { body, key: given = key } = {}) {
      return fetched(`${processes[process].url}${path}`, {
        method,
        headers: {
          ...(given === null ? {} : { authorization: `Bearer ${given}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(path.startsWith('/internal') ? { origin: processes[process].url } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    },
    health: (process, path) => fetched(`${processes[process].url}${path}`, {}),
    load() {
      let over = false
      const answers: Answer[] = []
      const keepAsking = async (ask: () => Promise<Answer>) => {
        while (!over) {
          const answer = await ask()
          answers.push(answer)
          // While keys cannot be looked up, requests are counted by address: a client that does not wait gets 429.
          if (answer.status >= 400) await new Promise((resolve) => setTimeout(resolve, 500))
        }
      }
      const reads = (process: 'api' | 'up') => () =>
        stage.ask(process, 'GET', `/v1/post-sets?socialSetId=${socialSetId}&size=5`)
      const keepEditing = async (process: 'api' | 'up') => {
        for (let nth = 0; !over; nth += 1) await edit(process, EDITS[nth % EDITS.length] ?? 'add')
      }
      const asking = (['api', 'up'] as const).flatMap((process) => [
        keepAsking(reads(process)),
        keepAsking(() => schedule(process)),
        keepEditing(process),
      ])
      return {
        async stop() {
          over = true
          await Promise.all(asking)
          return answers
        },
      }
    },
    async untilReady() {
      const ready = async () =>
        Promise.all(PROCESS_NAMES.map(async (name) => (await stage.health(name, '/readyz')).status))
      await expect.poll(ready, { timeout: 30_000, interval: 100 }).toEqual([200, 200, 200])
    },
    async publishOne() {
      let id: unknown
      const created = async () => {
        const { status, body } = await schedule('api')
        id = body.id
        return status
      }
      await expect.poll(created, { timeout: 30_000, interval: 250 }).toBe(201)
      const status = async () => (await stage.ask('api', 'GET', `/v1/post-sets/${id}`)).body.status
      await expect.poll(status, { timeout: 45_000, interval: 100 }).toBe('PUBLISHED')
    },
    published: () => ledger('bluesky'),
    async wrongEdits() {
      const live = { BLUESKY: await ledger('bluesky'), THREADS: await ledger('threads') }
      const wrong: string[] = []
      for (const [id, { asked, known }] of edited) {
        const { body } = await stage.ask('api', 'GET', `/v1/post-sets/${id}`)
        const posts = (body.posts ?? []) as EditedPost[]
        const are = posts.map(nameOf)
        if (body.status !== 'PUBLISHED') wrong.push(`${id} is ${body.status}`)
        if (known && known.join() !== are.join()) wrong.push(`${id}: ${are} in place of ${known}`)
        for (const { accountType, caption, result } of posts)
          if (result?.status !== 'POSTED') wrong.push(`${accountType} ${caption}: ${result?.status}`)
        for (const post of asked) {
          const count = live[post.accountType].get(post.caption) ?? 0
          if (count !== (are.includes(nameOf(post)) ? 1 : 0)) wrong.push(`${nameOf(post)} is there ${count} times`)
        }
      }
      return wrong
    },
    async close() {
      server.thaw()
      await Promise.all(Object.values(processes).map((each) => each.stop()))
      await server.close()
      await dataDir.remove()
    },
  }

  async function ledger(network: 'bluesky' | 'threads'): Promise<Map<string, number>> {
    const posts = (await (await fetch(`${up.url}/sandbox/${network}/posts`)).json()) as { text: string }[]
    const counts = new Map<string, number>()
    for (const { text } of posts) counts.set(text, (counts.get(text) ?? 0) + 1)
    return counts
  }

  /** Changes the posts of a new set from 10 ms before its time to 50 ms after. */
  async function edit(process: 'api' | 'up', kind: (typeof EDITS)[number]): Promise<void> {
    const dueAt = Date.now() + 1_200
    const post = (accountType: EditedPost['accountType']): EditedPost => ({ accountType, caption: `Edit ${newId()}` })
    const bluesky = post('BLUESKY')
    const before = kind === 'remove' ? [bluesky, post('THREADS')] : [bluesky]
    const bodyOf = (posts: readonly EditedPost[]) => posts.map((each) => ({ media: [], ...each }))
    const made = await stage.ask(process, 'POST', '/v1/post-sets', {
      body: {
        ...{ socialSetId, scheduledAt: new Date(dueAt).toISOString(), status: 'SCHEDULED', approval: 'NONE' },
        posts: bodyOf(before),
      },
    })
    const kept = (made.body.posts as { id: string }[] | undefined)?.[0]
    if (made.status !== 201 || !kept) return await pause(500)
    const first = { id: kept.id, ...bluesky }
    const after = { add: [first, post('THREADS')], remove: [first], swap: [post('BLUESKY')] }[kind]
    const id = String(made.body.id)
    const about: { asked: EditedPost[]; known: string[] | null } = { asked: [...before, ...after], known: null }
    edited.set(id, about)
    await pause(Math.max(0, dueAt - 10 + Math.random() * 60 - Date.now()))
    const answer = await stage.ask(process, 'PATCH', `/v1/post-sets/${id}`, { body: { posts: bodyOf(after) } })
    if (answer.status === 200) about.known = after.map(nameOf)
    else if (answer.code === 'post-set:read_only') about.known = before.map(nameOf)
  }

  async function schedule(process: 'api' | 'up'): Promise<Answer> {
    const caption = `Post ${newId()}`
    const body = {
      socialSetId,
      scheduledAt: '2026-01-01T10:00:00Z',
      status: 'SCHEDULED',
      approval: 'NONE',
      posts: [{ accountType: 'BLUESKY', caption, media: [] }],
    }
    const answer = await stage.ask(process, 'POST', '/v1/post-sets', { body })
    if (answer.status === 201) accepted.add(caption)
    return answer
  }
  return stage
}

async function makeAccount(
  settings: Settings,
  checkout: { projectDir?: string },
): Promise<{ key: string; socialSetId: string }> {
  const { accountId, socialSetId } = await almanacJson<{ accountId: string; socialSetId: string }>(
    ['accounts', 'create', '--name', 'Brand', '--plan', 'SCALE', '--sandbox'],
    { settings, ...checkout },
  )
  const args = ['keys', 'create', '--account', accountId, '--name', 'all']
  const scopes = ['--scopes', 'notes:write,post-sets:write,post-sets:publish']
  const { key } = await almanacJson<{ key: string }>([...args, ...scopes], { settings, ...checkout })
  return { key, socialSetId }
}
