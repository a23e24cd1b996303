import { createMailer } from '#identity'
import { returnHeldStartMail, takeHeldStartMail } from '#persistence'
import type { Addresses } from './addresses.ts'
import type { Base } from './base.ts'
import { listMailedOperators, MAIL_AGAIN_MS, mailOperators } from './operator-mail.ts'

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
    const operators = await listMailedOperators(db)
    if (operators.length === 0 || !(await takeHeldStartMail(db, held.id))) return
    if ((await mailOperators({ db, mailer, publicUrl, log }, operators, 'held-start', { lines: held.signs })) > 0)
      return
    notBefore = performance.now() + MAIL_AGAIN_MS
    await returnHeldStartMail(db, held.id)
  })
}
