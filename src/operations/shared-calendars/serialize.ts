import { ProblemError, type SharedCalendar } from '#contract'
import { hashLinkToken } from '#domain'
import type { SharedCalendarRow } from '#persistence'

/** A shared calendar as members see it. */
export function sharedCalendarAnswer(row: SharedCalendarRow): SharedCalendar {
  const { accountId: _account, passcodeHash, ...shown } = row
  return {
    ...shown,
    socialSetIds: [...row.socialSetIds],
    hasPasscode: passcodeHash !== null,
    createdAt: row.createdAt.toISOString(),
    renewedAt: row.renewedAt?.toISOString() ?? null,
    closedAt: row.closedAt?.toISOString() ?? null,
    lastLookAt: row.lastLookAt?.toISOString() ?? null,
    lastCopy: row.lastCopy && { ...row.lastCopy, at: new Date(row.lastCopy.at).toISOString() },
  }
}

export function sharedCalendarNotFound(): ProblemError {
  return new ProblemError('shared-calendar:not_found', 'No shared calendar has this id.')
}

/** The one answer that guests get, for any reason. */
export function notSharedAnyMore(): ProblemError {
  const detail = 'This calendar is no longer shared, or the link is incomplete. Ask for a new link.'
  return new ProblemError('shared-calendar:not_found', detail)
}

/** The address of a shared calendar for guests. */
export const sharedAddress = (publicUrl: string, token: string) => `${publicUrl}/shared/${token}`

/** What is looked for when a text can be no token: so everything that opens nothing takes the same way. */
const NO_TOKEN = Buffer.alloc(32)

/** The SHA-256 of a given token. */
export const hashOf = (token: string | null): Buffer => (token === null ? null : hashLinkToken(token)) ?? NO_TOKEN
