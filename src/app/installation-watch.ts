import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE_MS } from '#contract/durations'
import type { Patience } from '#media'
import { foreignWords, type Noticed, noticeCopy, unsweptWords } from '#operations'
import { type DatabaseAddress, databaseFault, openIdentityWatch, readIdentity } from '#persistence'
import type { Begun } from './begin.ts'
import type { Closing } from './closing.ts'
import { SILENT_DISK } from './health.ts'
import { keepsAllTogether, mediaDirOf } from './media.ts'

/** Looks whether this installation is still where it was (src/operations/installation/README.md). */
export interface InstallationWatch {
  /** Resolves when the database, to which there are connections again, was compared with what is known of it. */
  admit(): Promise<void>
}

/** Between two looks at the row alone. */
const LOOK_MS = 1_000
/** Between two raises of the counter. */
const RAISE_MS = 5 * MINUTE_MS
/** A start waits for so long for a database that is slow or busy. */
const FIRST_MS = 120_000
const LONGEST_PAUSE_MS = 10_000

/**
 * Compares at the start, each time the row does not look as before, and whenever it is asked to; and raises the counter at the
 * start and every five minutes. On a connection of its own: it waits for nothing else, and nothing else for it. A folder that does not
 * answer keeps nothing waiting: it is compared as soon as it does.
 *
 * @param parts.report hears why the start waits
 * @returns null when the process was asked to end before the first look
 * @throws what the first look has met, when it does not pass within two minutes
 */
export async function watchInstallation(
  {
    config,
    log,
    server,
    disk,
    report,
    ends,
  }: Begun & { server: DatabaseAddress; disk: Patience; report(message: string): void; ends: AbortSignal },
  closing: Closing,
): Promise<InstallationWatch | null> {
  const db = openIdentityWatch(server)
  closing.defer(() => db.destroy())
  const { createDiskStore, withPatience } = await import('#media')
  const dir = mediaDirOf(config)
  const deps = { db, store: withPatience(createDiskStore({ dir, disk }), disk), log }
  let raisedAt = Number.NEGATIVE_INFINITY
  let seen = 0
  let reported: string | null = null

  async function look(asked = false): Promise<Noticed> {
    const raises = performance.now() - raisedAt >= RAISE_MS
    const noticed = await noticeCopy(deps, { raises, together: keepsAllTogether(config), asked, seen })
    seen = Math.max(seen, noticed.counter)
    if (raises) raisedAt = performance.now()
    const words = foreignWords(noticed.others, dir) ?? unsweptWords(noticed.unswept, noticed.id, dir)
    if (words !== null && words !== reported) log.warn({}, words)
    reported = words
    return noticed
  }

  /** One look at a time: the next one begins when the last one is over, since that may have begun too early. */
  let last: Promise<unknown> = Promise.resolve()
  const lookInTurn = (asked?: boolean) => {
    const turn = last.catch(() => {}).then(() => look(asked))
    last = turn
    return turn
  }

  async function lookAtRow(): Promise<void> {
    const { otherTable, otherDatabase, counter } = await readIdentity(db)
    if (otherTable || otherDatabase || counter < seen || performance.now() - raisedAt >= RAISE_MS) await lookInTurn()
    else seen = counter
  }

  disk.onChange((silent) => {
    if (silent) return log.warn({ dir }, SILENT_DISK)
    log.info({ dir }, 'The disk or network folder of the media answers again')
    raisedAt = Number.NEGATIVE_INFINITY
  })

  /** A database under load, or into which a dump is being restored, is waited for. */
  async function lookFirst(): Promise<boolean> {
    const until = performance.now() + FIRST_MS
    for (let pauseMs = 1_000; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await lookInTurn(config.startHeld)
        return true
      } catch (error) {
        const fault = databaseFault(error)
        if (fault === null || performance.now() + pauseMs >= until) throw error
        report(`The start waits for the database, two minutes at most. ${fault}`)
      }
      await pause(pauseMs, undefined, { signal: ends }).catch(() => {})
      if (ends.aborted) return false
    }
  }

  if (!(await lookFirst())) return null
  const ending = new AbortController()
  const loop = (async () => {
    let failed = false
    while (!ending.signal.aborted) {
      await pause(LOOK_MS, undefined, { signal: ending.signal }).catch(() => {})
      if (ending.signal.aborted) return
      await lookAtRow().then(
        () => {
          failed = false
        },
        (error: unknown) => {
          if (!failed) log.warn({ error }, 'Whether this is the installation that it was could not be read')
          failed = true
        },
      )
    }
  })()
  closing.defer(async () => {
    ending.abort()
    await loop
    await last.catch(() => {})
  })
  return { admit: async () => void (await lookInTurn()) }
}
