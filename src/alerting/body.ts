import type { Alert } from '#contract'
import type { AlertRow } from '#persistence'

/** The place in the dashboard that an alert is about. */
export function linkOf({ postSet, socialSetId }: Pick<AlertRow, 'postSet' | 'socialSetId'>, publicUrl: string): string {
  if (!postSet) return `${publicUrl}/dashboard/connections`
  return `${publicUrl}/dashboard/scheduling/calendar/month?set=${socialSetId}&post=${postSet.id}`
}

/** An alert as the receiver gets it. */
export function bodyOf(row: AlertRow, publicUrl: string): Alert {
  return {
    id: row.id,
    kind: row.kind,
    time: row.createdAt.toISOString(),
    account: { id: row.accountId, name: row.accountName },
    socialSet: { id: row.socialSetId, name: row.socialSetName },
    accountType: row.accountType,
    connection: row.connection,
    postSet: row.postSet && { id: row.postSet.id, scheduledAt: row.postSet.scheduledAt.toISOString() },
    postId: row.postId,
    reason: row.reason,
    message: row.message,
    url: linkOf(row, publicUrl),
  }
}
