import { type AccountType, LIMITS, type Outcome, type PostSetStatus } from '#contract'
import { excerptOf } from '#domain'
import type { FeedNoteRow, FeedPostSetRow } from '#persistence'
import type { FeedEvent } from './write-calendar.ts'

/** What a calendar for others is made of, as it is sent to the process that writes it. */
export interface FeedTask {
  name: string
  /** Texts of `readFeedRows`. */
  postSets: string
  notes: string
  /** What the address of a post set begins with, for those who read it; its social set and id follow. Null: there is none. */
  linkTo: string | null
  /** Names of networks. */
  titles: Partial<Record<AccountType, string>>
}

const { captionCodePoints, titleCodePoints, bytes, postMinutes } = LIMITS.calendarFeeds

/** Post sets at their times, notes as whole days. */
export function feedEvents(task: FeedTask): FeedEvent[] {
  const postSets = JSON.parse(task.postSets) as FeedPostSetRow[]
  const notes = JSON.parse(task.notes) as FeedNoteRow[]
  return within([...postSets.map((set) => postSetEvent(set, task)), ...notes.map(noteEvent)])
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

/** Behind the name of a network. */
const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  POSTED: '',
  FAILED: ' (not published)',
  INBOX: ' (in the inbox, waiting for the creator)',
  INBOX_ENDED: ' (not finished in the inbox)',
}

function postSetEvent(set: FeedPostSetRow, { linkTo, titles }: FeedTask): FeedEvent {
  const titleOf = (accountType: AccountType) => titles[accountType] ?? accountType
  const networks = [...new Set(set.posts.map(({ accountType }) => titleOf(accountType)))].join(', ')
  const caption = excerptOf(set.posts.find((post) => post.caption !== '')?.caption ?? '', titleCodePoints)
  const link = linkTo === null ? null : `${linkTo}?set=${set.socialSetId}&post=${set.id}`
  const url = link ?? set.posts.find(({ permalink }) => permalink !== null)?.permalink ?? null
  const posts = set.posts.map(({ accountType, caption: text, result, permalink }) =>
    [
      `${titleOf(accountType)}${result === null ? '' : OUTCOME_WORDS[result]}`,
      cut(text),
      ...(permalink === null ? [] : [permalink]),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  )
  return {
    uid: `${set.id}@almanac`,
    at: { start: new Date(set.scheduledAt), minutes: postMinutes },
    title: [networks, caption].filter((text) => text !== '').join(': ') || STATUS_WORDS[set.status],
    description: [statusOf(set), ...posts].join('\n\n'),
    url,
    certain: set.status !== 'DRAFT',
    createdAt: new Date(set.createdAt),
    updatedAt: new Date(set.updatedAt),
    version: set.version,
  }
}

function statusOf({ status, approval, posts }: FeedPostSetRow): string {
  const results = posts.map(({ result }) => result)
  const isNone =
    status === 'PUBLISHED' && results.length > 0 && !results.some((result) => result === 'POSTED' || result === null)
  const none = results.includes('INBOX') ? 'In the inbox, waiting for the creator' : 'Not published'
  const waits = status !== 'PUBLISHED' && (approval === 'PENDING' || approval === 'EXTERNAL_PENDING')
  return `Status: ${isNone ? none : STATUS_WORDS[status]}${waits ? ', waiting for approval' : ''}`
}

function cut(caption: string): string {
  const points = [...caption]
  return points.length <= captionCodePoints ? caption : `${points.slice(0, captionCodePoints - 1).join('')}…`
}

function noteEvent({ id, content, scheduledAt, timezone, ...row }: FeedNoteRow): FeedEvent {
  const [createdAt, updatedAt] = [new Date(row.createdAt), new Date(row.updatedAt)]
  const day = Temporal.Instant.from(scheduledAt).toZonedDateTimeISO(timezone).toPlainDate()
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
