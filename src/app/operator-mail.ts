import { hostname } from 'node:os'
import { receivesNoMail } from '#contract'
import { faultCodes, type Mailer } from '#identity'
import { accountMail, languageOf } from '#news'
import { type Database, findPreferences, listOperators } from '#persistence'
import type { Log } from './log.ts'

/** A mail server that takes none is asked again after this. */
export const MAIL_AGAIN_MS = 600_000

/** What those who operate the installation are mailed, and no one else. */
type OperatorMail = 'held-start' | 'clock-jump'

/** Those who operate the installation and can be mailed. */
export async function listMailedOperators(db: Database): Promise<{ id: string; email: string }[]> {
  return (await listOperators(db)).filter(({ email }) => !receivesNoMail(email))
}

/**
 * Mails each of them in their language. Answers how many were reached: one who was is not mailed again because another one
 * cannot be.
 */
export async function mailOperators(
  { db, mailer, publicUrl, log }: { db: Database; mailer: Mailer; publicUrl: string; log: Pick<Log, 'warn'> },
  operators: readonly { id: string; email: string }[],
  mail: OperatorMail,
  { values = {}, lines = [] }: { values?: Readonly<Record<string, string | number>>; lines?: readonly string[] },
): Promise<number> {
  const parts = { values: { host: hostname(), place: publicUrl, ...values }, lines, url: `${publicUrl}/dashboard` }
  let sent = 0
  for (const { id, email } of operators) {
    try {
      const { locale = null, hourCycle } = await findPreferences(db, id)
      await mailer.send({ to: email, ...accountMail(languageOf(locale, { hourCycle }), mail, parts) })
      sent++
    } catch (error) {
      log.warn({ ...faultCodes(error), mail }, 'An operator could not be mailed')
    }
  }
  return sent
}
