import { hostname } from 'node:os'
import { receivesNoMail } from '#contract'
import { createMailer, faultCodes } from '#identity'
import { accountMail, languageOf } from '#news'
import { findPreferences, listOperators, returnHeldStartMail, takeHeldStartMail } from '#persistence'
import type { Addresses } from './addresses.ts'
import type { Base } from './base.ts'

/** A mail server that takes none is asked again after this. */
const AGAIN_MS = 600_000

/**
 * Mails those who operate the installation that the start is held: the one mail that leaves meanwhile, once for each held start
 * with any number of processes.
 */
export function mailHeldStart({ config, db, gate, log }: Base, { publicUrl }: Addresses): void {
  if (!config.mail) return
  const mailer = createMailer(config.mail)
  let notBefore = Number.NEGATIVE_INFINITY
  gate.onLook(async () => {
    const held = gate.held()
    if (held === null || held.mailedAt !== null || performance.now() < notBefore) return
    const to = (await listOperators(db)).filter(({ email }) => !receivesNoMail(email))
    if (to.length === 0 || !(await takeHeldStartMail(db, held.id))) return
    const values = { host: hostname(), place: publicUrl }
    let sent = 0
    for (const { id, email } of to) {
      try {
        const { locale = null, hourCycle } = await findPreferences(db, id)
        const parts = { values, lines: held.signs, url: `${publicUrl}/dashboard` }
        await mailer.send({ to: email, ...accountMail(languageOf(locale, hourCycle), 'held-start', parts) })
        sent++
      } catch (error) {
        log.warn(faultCodes(error), 'An operator could not be mailed that the start is held')
      }
    }
    // One who was reached is not mailed again because another one cannot be.
    if (sent > 0) return
    notBefore = performance.now() + AGAIN_MS
    await returnHeldStartMail(db, held.id)
  })
}
