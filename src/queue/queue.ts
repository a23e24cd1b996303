import { fromKysely, type KyselyTransactionLike, PgBoss } from 'pg-boss'

/** The closed list of queues. */
export const QUEUE_NAMES = ['imports'] as const
export type QueueName = (typeof QUEUE_NAMES)[number]

/** A job rings for one row and holds nothing but its id: the row says what is to be done, and whether it still is. */
export type Payload = { id: string }

/** Works on one row. `signal` aborts when the process must end now. A rejection is logged and changes nothing else. */
export type Handler = (payload: Payload, signal: AbortSignal) => Promise<void>

export interface QueueLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * The doorbell that spreads work over processes. It is heard within milliseconds, yet nothing may depend on it: a job
 * may be lost, late or doubled, is never tried again, and is forgotten soon. Who rings keeps in its own row that it
 * waits, and rings again.
 */
export interface Queue {
  /** Makes or updates the queue's tables (schema `pgboss`), then listens. Rejects when the database does not answer. */
  start(): Promise<void>
  /**
   * Takes no more jobs. Resolves when the handlers under way have ended; after `graceMs` their signals abort. A job that
   * was taken but not begun is rung again for other processes.
   */
  stop(options: { graceMs: number }): Promise<void>
  /** Rings for every payload as part of the caller's transaction: with its commit, or not at all. */
  enqueue(trx: KyselyTransactionLike, queue: QueueName, payloads: readonly Payload[]): Promise<void>
  /** Has jobs of a queue handled, at most `concurrency` at once. Once per queue, after `start`. */
  work(queue: QueueName, options: { concurrency: number }, handler: Handler): Promise<void>
}

export interface QueueOptions {
  databaseUrl: string
  /** What connections are opened with besides, as `pg` has it. */
  connection?: Readonly<Record<string, string | number | boolean>>
  log: QueueLog
  /**
   * False for a process that only rings: two connections at most, no listener and no housekeeping. True (default)
   * adds one connection that listens.
   */
  works?: boolean
  /** Pause between two looks for jobs whose ring was not heard, in milliseconds, at least 500. Default 2,000. */
  pollMs?: number
}

const SCHEMA = 'pgboss'

/** Jobs are forgotten: unheard after an hour, handled after a minute. The hours bound a handler that never ends. */
const JOB_OPTIONS = {
  retryLimit: 0,
  retentionSeconds: 3_600,
  deleteAfterSeconds: 60,
  expireInSeconds: 12 * 3_600,
  notify: true,
}

/** A queue on the given database. Nothing is connected before `start`. */
export function createQueue({ databaseUrl, connection, log, works = true, pollMs = 2_000 }: QueueOptions): Queue {
  const boss = new PgBoss({
    ...connection,
    connectionString: databaseUrl,
    application_name: 'almanac-queue',
    schema: SCHEMA,
    max: 2,
    useListenNotify: works,
    supervise: works,
    schedule: false,
    // We use no job that waits for another; this keeps the look for such jobs rare.
    flowIntervalSeconds: 3_600,
  })
  boss.on('error', (error) => log.error({ error }, 'The queue had an error and goes on'))
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'The queue gave a warning'))

  const working: QueueName[] = []
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const hardStop = new AbortController()
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))

  /** Begins a job and resolves as soon as there is room for another one. */
  async function begin(queue: QueueName, mine: Set<Promise<void>>, concurrency: number, job: () => Promise<void>) {
    const run = job()
      .catch((error) => log.error({ queue, error }, 'A job ended with an error'))
      .finally(() => {
        mine.delete(run)
        running.delete(run)
      })
    mine.add(run)
    running.add(run)
    while (mine.size >= concurrency && !stopping.signal.aborted) await Promise.race([...mine, stopped])
  }

  return {
    async start() {
      await boss.start()
      for (const name of QUEUE_NAMES) {
        await boss.createQueue(name, JOB_OPTIONS)
        // For a queue that another version of Almanac made.
        await boss.updateQueue(name, JOB_OPTIONS)
      }
    },
    async stop({ graceMs }) {
      stopping.abort()
      const timer = setTimeout(() => hardStop.abort(), graceMs)
      await Promise.allSettled(working.map((name) => boss.offWork(name, { wait: true })))
      await Promise.allSettled(running)
      clearTimeout(timer)
      await boss.stop({ graceful: false })
    },
    async enqueue(trx, queue, payloads) {
      if (payloads.length === 0) return
      await boss.insert(
        queue,
        payloads.map((data) => ({ data })),
        { db: fromKysely(trx) },
      )
    },
    async work(queue, { concurrency }, handler) {
      working.push(queue)
      const mine = new Set<Promise<void>>()
      const interval = { pollingIntervalSeconds: pollMs / 1000, notifyPollingIntervalSeconds: pollMs / 1000 }
      // One job at a time and only when there is room for it: what this process cannot begin now is left to others.
      // The job is over for pg-boss when it has begun here; the row that it rang for knows what became of it.
      const worker = await boss.work<Payload>(queue, interval, async ([job]) => {
        if (!job) return
        if (stopping.signal.aborted) {
          await boss.insert(queue, [{ data: job.data }])
          return
        }
        await begin(queue, mine, concurrency, () => handler(job.data, hardStop.signal))
        // One ring may stand for many jobs: look again at once instead of after the pause.
        boss.notifyWorker(worker)
      })
    },
  }
}
