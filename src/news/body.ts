import { ALERT_KINDS, type Alert } from '#contract'
import type { NewsRow } from '#persistence'

/** The place in the dashboard of a post set, or of the connections. */
export function alertLink(
  {
    postSet,
    socialSetId,
  }: { postSet: Pick<NonNullable<NewsRow['postSet']>, 'id' | 'scheduledAt'> | null; socialSetId: string },
  publicUrl: string,
): string {
  if (!postSet) return `${publicUrl}/dashboard/connections`
  return `${publicUrl}/dashboard/scheduling/calendar/month?set=${socialSetId}&post=${postSet.id}`
}

/** News as the operator's receiver gets them; null for those that are no alert, or whose social set is gone. */
export function bodyOf(row: NewsRow, publicUrl: string): Alert | null {
  const kind = ALERT_KINDS.find((name) => name === row.kind)
  const { socialSet, accountType, postSet } = row
  if (!kind || !socialSet || !accountType) return null
  return {
    id: row.id,
    kind,
    time: row.createdAt.toISOString(),
    account: row.account,
    socialSet: { id: socialSet.id, name: socialSet.name },
    accountType,
    connection: row.connection,
    postSet: postSet && { id: postSet.id, scheduledAt: postSet.scheduledAt.toISOString() },
    postId: row.postId,
    reason: row.facts.reason ?? 'UNKNOWN',
    message: row.facts.message ?? '',
    url: alertLink({ postSet, socialSetId: socialSet.id }, publicUrl),
  }
}
