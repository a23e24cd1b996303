import type { Mail, Mailer } from '#identity'
import type { Database } from '#persistence'

/** What links that are sent to people need. */
export interface UserLinkDeps {
  db: Database
  /** Null: no mail can be sent here. */
  mailer: Mailer | null
  /** Address of the installation, without a slash at the end. */
  publicUrl: string
  /** Hears of what goes wrong after the answer was given. */
  log: { warn(fields: object, message: string): void }
}

/** How long a link is good for. */
export const LINK_MS = 3_600_000

/** Sends a mail without making anybody wait for it: who waits could tell by it whether there was one. */
export function sendLater({ mailer, log }: Pick<UserLinkDeps, 'mailer' | 'log'>, mail: Mail): void {
  mailer?.send(mail).catch((error) => log.warn({ error }, 'A mail could not be sent'))
}
