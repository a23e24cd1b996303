import { ProblemError } from '#contract'
import { hashLinkToken } from '#domain'
import { someAtATime } from '#media'
import type { Networks } from '#networks'
import { type Database, openCalendarFeed } from '#persistence'
import { type FeedScope, type RenderedFeed, renderFeed } from './render.ts'

/** What a shared calendar shows; null when it is closed, expired or gone. Without links: guests have none in a calendar. */
export type SharedFeedScope = (
  db: Database,
  sharedCalendarId: string,
) => Promise<Pick<FeedScope, 'name' | 'socialSetIds' | 'postSets' | 'notes'> | null>

export interface OpenFeedDeps {
  db: Database
  /** Without a slash at the end. */
  publicUrl: string
  networks: Pick<Networks, 'serving'>
  sharedFeedScope: SharedFeedScope
}

/** Calendars that are written at once: each takes a processor for a tenth of a second. */
const writing = someAtATime(2)

/**
 * The calendar that an address opens. Unknown, closed and misspelled addresses, and those of closed shared calendars, are the
 * same.
 *
 * @throws ProblemError `calendar-feed:not_found`
 */
export async function openFeed(deps: OpenFeedDeps, token: string): Promise<RenderedFeed> {
  const hash = hashLinkToken(token)
  const scope = hash && (await scopeOf(deps, hash))
  if (!scope) throw new ProblemError('calendar-feed:not_found', 'There is no calendar at this address.')
  return writing(() => renderFeed(deps.db, scope))
}

async function scopeOf(
  { db, publicUrl, networks, sharedFeedScope }: OpenFeedDeps,
  hash: Buffer,
): Promise<FeedScope | null> {
  const feed = await openCalendarFeed(db, hash)
  if (!feed) return null
  const titleOf: FeedScope['titleOf'] = (accountType) => networks.serving(accountType)?.manifest.title ?? accountType
  if (feed.socialSetId === null) {
    const shared = feed.sharedCalendarId === null ? null : await sharedFeedScope(db, feed.sharedCalendarId)
    return shared && { ...shared, linkTo: null, titleOf }
  }
  return {
    name: feed.name ?? '',
    socialSetIds: [feed.socialSetId],
    postSets: { statuses: ['DRAFT', 'SCHEDULED', 'PUBLISHING', 'PUBLISHED'], waitingForClient: true },
    notes: 'ALL',
    linkTo: ({ id, socialSetId }) => `${publicUrl}/dashboard/scheduling/calendar/month?set=${socialSetId}&post=${id}`,
    titleOf,
  }
}
