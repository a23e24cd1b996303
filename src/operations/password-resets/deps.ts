import { HOUR_MS } from '#contract/durations'
import { addressBounds } from '#domain'
import { faultCodes, type Mail } from '#identity'
import type { OperationDeps } from '../deps.ts'
import type { Tries } from '../members/attempts.ts'

/** What links that are sent to people need. */
export type UserLinkDeps = Pick<OperationDeps, 'db' | 'mailer' | 'publicUrl' | 'log'>

/**
 * The address of a page with the secret that opens it, after the `#`: browsers do not send that part, so it reaches
 * no proxy log.
 *
 * @param page below the dashboard
 */
export function linkTo(publicUrl: string, page: string, token: string): string {
  return `${publicUrl}/dashboard/${page}#token=${token}`
}

/** How long a link is valid. */
export const LINK_MS = HOUR_MS

/**
 * Writes and sends a mail in the background: the time to wait would reveal whether there was one.
 *
 * @param about what the log is reported besides, when it fails
 */
export function sendLater(
  { mailer, log }: Pick<UserLinkDeps, 'mailer' | 'log'>,
  write: () => Promise<Mail>,
  about: Readonly<Record<string, string>> = {},
): void {
  if (!mailer) return
  const warn = (error: unknown) => log.warn({ ...about, ...faultCodes(error) }, 'A mail could not be sent')
  write()
    .then((mail) => mailer.send(mail))
    .catch(warn)
}

/** How many invalid links may be opened from one client in 15 minutes. */
export const linkTries = (address: string): Tries[] => addressBounds('link', address, 30)
