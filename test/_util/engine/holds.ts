import { sql } from 'kysely'
import { afterEach, expect } from 'vitest'
import { holdByOperator, releaseByOperator } from '#operations'
import type { Step } from '#publishing'
import { unreadHistory } from '../api/unread-history.ts'
import { createEngine, type Engine, type EngineOptions } from './engine.ts'
import { type Script, scriptedNetwork } from './scripted-network.ts'

export const HOUR_MS = 3_600_000
const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const

/** Engines for a file of tests about holds; each is closed after its test, and has written nothing unreadable. */
export function holdEngines() {
  const engines: Engine[] = []
  afterEach(async () => {
    for (const engine of engines.splice(0).reverse()) {
      expect(await unreadHistory(engine.db)).toEqual([])
      await engine.close()
    }
  })
  const keep = (engine: Engine) => {
    engines.push(engine)
    return engine
  }
  return {
    /** `signals`: what happens at a step of a delivery. */
    async start(
      script: Script = {},
      signals: Partial<Record<Step, () => void | Promise<void>>> = {},
      settings: EngineOptions['settings'] = {},
    ) {
      const network = scriptedNetwork(script)
      const engine = keep(await createEngine({ networks: [network], settings, signals: (step) => signals[step]?.() }))
      return { engine, network }
    },
    /** Another worker on the database of the first. */
    async beside(engine: Engine, network: ReturnType<typeof scriptedNetwork>) {
      return keep(await createEngine({ networks: [network], on: engine }))
    },
    /** Two networks, so that a connection can be held while the other goes on. The script is of Threads. */
    async startTwo(script: Script = {}) {
      const bluesky = scriptedNetwork({ accountType: 'BLUESKY' })
      const threads = scriptedNetwork({ ...script, accountType: 'THREADS' })
      threads.manifest = { ...threads.manifest, name: 'scripted-too' }
      return { engine: keep(await createEngine({ networks: [bluesky, threads] })), bluesky, threads }
    },
  }
}

/** By the operator; of the social set, unless a test says otherwise. */
export const hold = (engine: Engine, id = engine.socialSetId) =>
  holdByOperator(engine, { id, reason: 'Wrong campaign' }, OPERATOR)

export const release = (engine: Engine, late: 'publish' | 'park', id = engine.socialSetId) =>
  releaseByOperator(engine, { id, late }, OPERATOR)

export const accountOf = async ({ db }: Engine) =>
  (await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id

export const connectionOf = async ({ db }: Engine, accountType: 'BLUESKY' | 'THREADS') =>
  (await db.selectFrom('connections').select('id').where('account_type', '=', accountType).executeTakeFirstOrThrow()).id

export const statusOf = async (engine: Engine, set: string) => (await engine.set(set)).status

/** How many posts have ever had a fence. */
export const fencedCount = async ({ db }: Engine) =>
  (await db.selectFrom('deliveries').select('id').where('first_fenced_at', 'is not', null).execute()).length

/** Until a session waits for a lock of that kind in the database of a test. */
export async function sessionWaits({ db }: Engine, kind: 'advisory' | 'transactionid'): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; ) {
    const { rows } = await sql`
      select from pg_locks lock join pg_stat_activity activity using (pid)
      where lock.locktype = ${kind} and not lock.granted and activity.datname = current_database()`.execute(db)
    if (rows.length > 0) return
  }
  throw new Error(`No session waits for a lock of the kind ${kind}.`)
}
