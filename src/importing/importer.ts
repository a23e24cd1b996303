import { setTimeout as pause } from 'node:timers/promises'
import { MEDIA_UPLOAD_ERRORS } from '#contract'
import { failUsedUpImports, finishRemovedLabels, forgetRemoved } from '#persistence'
import type { Queue } from '#queue'
import { ringDueImports } from './due-imports.ts'
import { type ImportSignals, type RunImportDeps, runImport } from './run-import.ts'
import { sweepOrphans } from './sweep-orphans.ts'

export interface ImporterDeps extends Omit<RunImportDeps, 'signals'> {
  queue: Pick<Queue, 'enqueue' | 'work'>
  signals?: ImportSignals
}

export interface Importer {
  /** Begins to take imports up. The queue has been started. */
  start(): Promise<void>
  /** Breaks off what is under way and gives it back, so that another worker takes it up at once. */
  stop(): Promise<void>
  /** Whether waiting imports were looked for lately. */
  healthy(): boolean
}

/** A look that is older than this many ticks means that imports of dead workers are not taken up. */
const UNHEALTHY_TICKS = 15
/**
 * How often files that nothing names are looked for, what was removed so long ago that it cannot come back, and labels
 * whose removal was broken off; the first time right after the start.
 */
const DAY_MS = 86_400_000

const interrupted = {
  code: 'media-upload:interrupted',
  message: `${MEDIA_UPLOAD_ERRORS['media-upload:interrupted']}. Try again; if it ends like this again, the file may be too much for this server.`,
} as const

/** The importer of one process. README.md tells what it does and what holds. */
export function createImporter({ queue, signals = () => {}, ...rest }: ImporterDeps): Importer {
  const deps: RunImportDeps = { ...rest, signals }
  const { db, settings, log } = deps
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let lastLook = Number.NEGATIVE_INFINITY
  let lastSweep = Number.NEGATIVE_INFINITY
  let loop: Promise<void> = Promise.resolve()

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const { maxAttempts } = settings
        for (const upload of await failUsedUpImports(db, { maxAttempts, error: interrupted })) {
          log.warn({ upload }, 'An import was interrupted too often and is given up')
        }
        await ringDueImports(db, queue, { ringAgainAfterMs: settings.leaseMs })
        lastLook = performance.now()
        if (lastLook - lastSweep >= DAY_MS) {
          lastSweep = lastLook
          const orphans = await sweepOrphans({ db, files: deps.store })
          if (orphans > 0) log.info({ files: orphans }, 'Files that nothing names were removed')
          await forgetRemoved(db)
          await finishRemovedLabels(db, null)
        }
      } catch (error) {
        log.error({ error }, 'Waiting imports could not be read')
      }
      await pause(settings.tickMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  function handle({ id }: { id: string }, signal: AbortSignal): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve()
    const run = runImport(deps, id, AbortSignal.any([stopping.signal, signal])).finally(() => running.delete(run))
    running.add(run)
    return run
  }

  return {
    async start() {
      const swept = await deps.store.sweep()
      if (swept > 0) log.info({ files: swept }, 'Half written files were removed')
      await queue.work('imports', { concurrency: settings.concurrency }, handle)
      loop = keepLooking()
    },
    async stop() {
      stopping.abort()
      await loop
      await Promise.allSettled(running)
    },
    healthy: () => performance.now() - lastLook < Math.max(UNHEALTHY_TICKS * settings.tickMs, 15_000),
  }
}
