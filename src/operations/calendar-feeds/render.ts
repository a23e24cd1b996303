import { createHash } from 'node:crypto'
import { type AccountType, LIMITS, type PostSetStatus } from '#contract'
import { excerptOf } from '#domain'
import { type FeedEvent, writeCalendar } from '#icalendar'
import {
  type Database,
  type FeedNoteRow,
  type FeedPostSetRow,
  type FeedPostSets,
  listFeedNotes,
  listFeedPostSets,
} from '#persistence'

/** What a calendar for others shows. */
export interface FeedScope {
  name: string
  socialSetIds: readonly string[]
  postSets: FeedPostSets
  /** All notes of these social sets, or these alone. */
  notes: 'ALL' | readonly string[]
  /** The address of a post set for those who read it; null: there is none. */
  linkTo: ((postSet: { id: string; socialSetId: string }) => string) | null
  /** A network's own name. */
  titleOf(accountType: AccountType): string
}

export interface RenderedFeed {
  /** iCalendar, in UTF-8. */
  body: Buffer
  etag: string
}

const { daysBack, daysAhead, entries, captionCodePoints, titleCodePoints, bytes, everyMinutes, postMinutes } =
  LIMITS.calendarFeeds

/** The calendar of a scope as iCalendar: post sets at their times, notes as whole days. Those nearest to now have room. */
export async function renderFeed(db: Database, scope: FeedScope): Promise<RenderedFeed> {
  const window = { socialSetIds: scope.socialSetIds, daysBack, daysAhead, limit: entries }
  const postSets = await listFeedPostSets(db, scope.postSets, { ...window, captionCodePoints })
  const notes = await listFeedNotes(db, scope.notes, window)
  const events = within([...postSets.map((set) => postSetEvent(set, scope)), ...notes.map(noteEvent)])
  const body = Buffer.from(writeCalendar({ name: scope.name, events, everyMinutes }))
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` }
}

/** As many as fit into the size of a calendar; each takes some bytes besides its texts. */
function within(events: FeedEvent[]): FeedEvent[] {
  let left: number = bytes
  return events.filter(({ title, description }) => {
    left -= 700 + Buffer.byteLength(title) + Buffer.byteLength(description)
    return left > 0
  })
}

const STATUS_WORDS: Readonly<Record<PostSetStatus, string>> = {
  DRAFT: 'Draft',
  SCHEDULED: 'Scheduled',
  PUBLISHING: 'Publishing',
  PUBLISHED: 'Published',
}

function postSetEvent(set: FeedPostSetRow, { linkTo, titleOf }: FeedScope): FeedEvent {
  const networks = [...new Set(set.posts.map(({ accountType }) => titleOf(accountType)))].join(', ')
  const caption = excerptOf(set.posts.find((post) => post.caption !== '')?.caption ?? '', titleCodePoints)
  const url = linkTo?.(set) ?? set.posts.find(({ permalink }) => permalink !== null)?.permalink ?? null
  const posts = set.posts.map(({ accountType, caption: text, result, permalink }) =>
    [
      `${titleOf(accountType)}${result === 'FAILED' ? ' (not published)' : ''}`,
      cut(text),
      ...(permalink === null ? [] : [permalink]),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  )
  return {
    uid: `${set.id}@almanac`,
    at: { start: set.scheduledAt, minutes: postMinutes },
    title: [networks, caption].filter((text) => text !== '').join(': ') || STATUS_WORDS[set.status],
    description: [statusOf(set), ...posts].join('\n\n'),
    url,
    certain: set.status !== 'DRAFT',
    createdAt: set.createdAt,
    updatedAt: set.updatedAt,
    version: set.version,
  }
}

function statusOf({ status, approval, posts }: FeedPostSetRow): string {
  const failed = status === 'PUBLISHED' && posts.length > 0 && posts.every(({ result }) => result === 'FAILED')
  const waits = status !== 'PUBLISHED' && (approval === 'PENDING' || approval === 'EXTERNAL_PENDING')
  return `Status: ${failed ? 'Not published' : STATUS_WORDS[status]}${waits ? ', waiting for approval' : ''}`
}

function cut(caption: string): string {
  const points = [...caption]
  return points.length <= captionCodePoints ? caption : `${points.slice(0, captionCodePoints - 1).join('')}…`
}

function noteEvent({ id, content, scheduledAt, timezone, createdAt, updatedAt }: FeedNoteRow): FeedEvent {
  const day = Temporal.Instant.fromEpochMilliseconds(scheduledAt.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
  return {
    uid: `${id}@almanac`,
    at: { day: day.toString() },
    title: excerptOf(content, titleCodePoints),
    description: content,
    url: null,
    certain: true,
    createdAt,
    updatedAt,
    // Changed when it was moved or rewritten; programs compare this with what they have.
    version: Math.floor((updatedAt.getTime() - createdAt.getTime()) / 1_000),
  }
}
