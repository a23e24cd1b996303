import { jumpSpan } from '#domain'
import type { Mailer } from '#identity'
import { type Database, endClockMail, returnClockMail, takeClockMail } from '#persistence'
import type { Log } from './log.ts'
import { listMailedOperators, MAIL_AGAIN_MS, mailOperators } from './operator-mail.ts'

/** Most jumps are over by then; of the ten minutes after which the clock is believed all the same, nine are left. */
const MAIL_AFTER_MS = 60_000
const LOOK_MS = 5_000

interface ClockMail {
  look(): Promise<void>
  stop(): void
}

/**
 * Mails those who operate the installation that the clock of the database has jumped ahead: once for each jump with any number of
 * workers, and not for one that is soon over.
 *
 * @param deps.clockAheadMs how far it is ahead by the word of this worker; 0 while it is believed
 */
export function mailClockJump(deps: {
  db: Database
  mailer: Mailer
  publicUrl: string
  clockAheadMs(): number
  log: Pick<Log, 'warn'>
  /** For tests: milliseconds of a clock that never goes back. */
  now?: () => number
}): ClockMail {
  const { db, clockAheadMs, log, now = () => performance.now() } = deps
  /** When this worker saw it first, and whether it has mailed; null while the clock is believed. */
  let jump: { since: number; mailed: boolean } | null = null
  let notBefore = Number.NEGATIVE_INFINITY
  /** Nothing is left that says that a jump was mailed: not by one that has ended since, nor by a worker before this one. */
  let cleared = false

  async function look(): Promise<void> {
    const aheadMs = clockAheadMs()
    if (aheadMs === 0) {
      jump = null
      if (!cleared) cleared = await endClockMail(db)
      return
    }
    cleared = false
    jump ??= { since: now(), mailed: false }
    if (jump.mailed || now() - jump.since < MAIL_AFTER_MS || now() < notBefore) return
    const operators = await listMailedOperators(db)
    if (operators.length === 0 || !(await takeClockMail(db))) return
    jump.mailed = true
    if ((await mailOperators(deps, operators, 'clock-jump', { values: jumpSpan(aheadMs) })) > 0) return
    jump.mailed = false
    notBefore = now() + MAIL_AGAIN_MS
    await returnClockMail(db)
  }

  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    void look()
      .catch((error: unknown) => log.warn({ error }, 'The operators could not be mailed that a clock has jumped'))
      .finally(() => {
        looking = false
      })
  }, LOOK_MS)
  return { look, stop: () => clearInterval(timer) }
}
