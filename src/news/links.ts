import type { NewsRow } from '#persistence'

type Linked = Pick<NewsRow, 'kind' | 'socialSet' | 'postSet' | 'facts'>

/** Where members choose what they get. */
export const CHOICES_PATH = '/dashboard/settings/notifications'

/** The place in the dashboard that news are about; `count`: of how many that were folded. */
export function linkOf({ kind, socialSet, postSet, facts: { note } }: Linked, count = 1): string {
  const set = socialSet ? `?set=${socialSet.id}` : ''
  const post =
    postSet && socialSet ? `/dashboard/scheduling/calendar/month?set=${socialSet.id}&post=${postSet.id}` : null
  if (note && socialSet) {
    const day = Temporal.Instant.from(note.scheduledAt).toZonedDateTimeISO(socialSet.timezone).toPlainDate()
    const opened = count === 1 ? `&note=${note.id}` : ''
    return `/dashboard/scheduling/calendar/month${set}&date=${day}${opened}`
  }
  switch (kind) {
    case 'CONNECTION_DEAD':
    case 'CONNECTION_ENDING':
      return `/dashboard/connections${set}`
    case 'PLAN_USED':
      return '/dashboard/settings/plan'
    case 'WEBHOOK_FAILING':
      return '/dashboard/settings/webhooks'
    case 'KEY_ENDING':
      return '/dashboard/settings/api-keys'
    case 'CALENDAR_FAILING':
      return `/dashboard/settings/calendars${set}`
    case 'POST_FAILED':
    case 'POST_UNKNOWN':
    case 'POST_INCOMPLETE':
    case 'IN_INBOX':
    case 'INBOX_ENDED':
      return count === 1 && post ? post : `/dashboard/results${set}`
    case 'REVIEW_REQUESTED':
    case 'REVIEW_REMINDER':
    case 'STILL_WAITING':
      return count === 1 && post ? post : `/dashboard/approvals${set}`
    default:
      return post ?? `/dashboard/approvals${set}`
  }
}
