import { createHash } from 'node:crypto'
import { ACCOUNT_TYPES, LIMITS, ProblemError } from '#contract'
import { hashLinkToken } from '#domain'
import type { FeedTask } from '#icalendar'
import {
  type Database,
  findKeptFeed,
  inTransaction,
  keepFeed,
  keepFeedAsItIs,
  lockKeptFeed,
  openCalendarFeed,
  readFeedRows,
  readFeedVersion,
  readKeptFeed,
} from '#persistence'
import type { OperationDeps } from '../deps.ts'
import type { SharedFeed } from '../shared-calendars/feed.ts'

type Deps = Pick<OperationDeps, 'db' | 'publicUrl' | 'networks' | 'sharedFeedScope' | 'feedWriter' | 'log'>

/** A calendar at its address. */
interface OpenFeed {
  etag: string
  /** Of its text. */
  bytes: number
  /**
   * Its text as it is now, which may be a later one: iCalendar in UTF-8, compressed by gzip.
   *
   * @throws ProblemError `calendar-feed:not_found` when it was closed meanwhile
   */
  read(): Promise<{ etag: string; bytes: number; body: Buffer }>
}

interface FeedScope extends SharedFeed {
  feedId: string
  linkTo: string | null
}

/** Another number when the same rows are written in another way: what is kept is written again. */
const FORM = 1

/** By database and feed: who comes while a feed is compared and written waits for that. */
const underWay = new WeakMap<Database, Map<string, Promise<void>>>()

/**
 * The calendar behind an address. At most once a minute it is checked for changes and, if there are any, written
 * again. Unknown, closed and misspelled addresses, and those of closed shared calendars, get the same answer.
 *
 * @param admit is called once the address is known to open something
 * @throws ProblemError `calendar-feed:not_found`, what `admit` throws
 */
export async function openFeed(deps: Deps, token: string, admit: (feedId: string) => Promise<void>): Promise<OpenFeed> {
  const { db } = deps
  const hash = hashLinkToken(token)
  const scope = hash && (await scopeOf(deps, hash))
  if (!scope) throw notFound()
  const { feedId } = scope
  await admit(feedId)
  let kept = await findKeptFeed(db, feedId)
  if (!kept?.isFresh) {
    try {
      await oncePerFeed(db, feedId, () => bringUpToDate(deps, scope))
    } catch (error) {
      // What a link shows no more is not shown for long.
      if (!kept?.isRecent) throw error
      deps.log.warn(
        { feed: feedId, error },
        'A calendar could not be written again: what was written before is answered',
      )
    }
    kept = await findKeptFeed(db, feedId)
  }
  // Closed meanwhile.
  if (!kept) throw notFound()
  const read = async () => {
    const text = await readKeptFeed(db, feedId)
    if (!text) throw notFound()
    return text
  }
  return { etag: kept.etag, bytes: kept.bytes, read }
}

const notFound = () => new ProblemError('calendar-feed:not_found', 'There is no calendar at this address.')

async function scopeOf({ db, publicUrl, sharedFeedScope }: Deps, hash: Buffer): Promise<FeedScope | null> {
  const feed = await openCalendarFeed(db, hash)
  if (!feed) return null
  const { id: feedId, socialSetId, sharedCalendarId, name } = feed
  if (socialSetId === null) {
    const shared = sharedCalendarId === null ? null : await sharedFeedScope(db, sharedCalendarId)
    return shared && { ...shared, feedId, linkTo: null }
  }
  return {
    feedId,
    name: name ?? '',
    socialSetIds: [socialSetId],
    linkTo: `${publicUrl}/dashboard/scheduling/calendar/month`,
    shown: async () => ({
      postSets: { statuses: ['DRAFT', 'SCHEDULED', 'PUBLISHING', 'PUBLISHED'], waitingForClient: true },
      notes: 'ALL',
    }),
  }
}

async function oncePerFeed(db: Database, feedId: string, work: () => Promise<void>): Promise<void> {
  const running = underWay.get(db) ?? new Map<string, Promise<void>>()
  underWay.set(db, running)
  const known = running.get(feedId)
  if (known) return known
  const begun = work().finally(() => running.delete(feedId))
  running.set(feedId, begun)
  return begun
}

/** The row is held while a feed is written: other processes wait for it, and find it done. */
function bringUpToDate({ db, networks, feedWriter }: Deps, scope: FeedScope): Promise<void> {
  const { feedId, name, socialSetIds, linkTo } = scope
  const titles: FeedTask['titles'] = {}
  for (const type of Object.keys(ACCOUNT_TYPES) as (keyof typeof ACCOUNT_TYPES)[]) {
    titles[type] = networks.serving(type)?.manifest.title ?? type
  }
  return feedWriter.inTurn((write) =>
    inTransaction(db, async (trx) => {
      const kept = await lockKeptFeed(trx, feedId)
      // Closed meanwhile, or brought up to date by another process.
      if (!kept || kept.isFresh) return
      const content = { socialSetIds, ...(await scope.shown(trx)) }
      // Before the rows: what changes between them is found the next time.
      const shown = await readFeedVersion(trx, content, LIMITS.calendarFeeds)
      const version = createHash('sha256')
        .update(JSON.stringify([FORM, name, linkTo, titles, shown]))
        .digest('base64url')
      if (version === kept.version) return keepFeedAsItIs(trx, feedId)
      const rows = await readFeedRows(trx, content, LIMITS.calendarFeeds)
      await keepFeed(trx, feedId, { version, ...(await write({ name, linkTo, titles, ...rows })) })
    }),
  )
}
