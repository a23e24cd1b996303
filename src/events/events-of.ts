import { EVENT_TYPES, type EventType, type HistoryAction } from '#contract'
import type { Happened, HappenedData, NewEvent } from '#persistence'

type PostSetEvent = Extract<EventType, `post_set.${string}` | `post.${string}`>

/** The state of a set, of which each event has its own copy. */
interface Said {
  data: HappenedData
  /** Whether the change was about the field. */
  changed(field: string): boolean
}

const asUpdated = ({ changed }: Said): PostSetEvent[] => [
  'post_set.updated',
  ...(changed('approval') ? (['post_set.approval_changed'] as const) : []),
]
const withStatus =
  (type: PostSetEvent) =>
  ({ changed }: Said): PostSetEvent[] => [
    type,
    ...(changed('approval') ? (['post_set.approval_changed'] as const) : []),
  ]
const asReview = ({ changed, data }: Said): PostSetEvent[] => [
  'post_set.approval_changed',
  // A decision may schedule the set, and one that is withdrawn may make a draft of it.
  ...(changed('status') && data.status === 'SCHEDULED' ? (['post_set.scheduled'] as const) : []),
  ...(changed('status') && data.status === 'DRAFT' ? (['post_set.parked'] as const) : []),
]

/**
 * Which events each action of the history of a post set makes: the table of the docs page, by test. A text says why there is none.
 */
export const EVENTS_OF_ACTION: Readonly<Record<HistoryAction, ((said: Said) => PostSetEvent[]) | string>> = {
  created: ({ data }) => ['post_set.created', ...(data.status === 'DRAFT' ? [] : (['post_set.scheduled'] as const))],
  updated: asUpdated,
  scheduled: withStatus('post_set.scheduled'),
  'moved to drafts': withStatus('post_set.parked'),
  locked: () => ['post_set.updated'],
  unlocked: () => ['post_set.updated'],
  'label added': () => ['post_set.updated'],
  'label removed': () => ['post_set.updated'],
  'labels changed': () => ['post_set.updated'],
  approved: asReview,
  'changes requested': asReview,
  'review taken back': asReview,
  deleted: () => ['post_set.deleted'],
  restored: () => ['post_set.restored'],
  publishing: () => ['post_set.publishing'],
  'post published': () => ['post.posted'],
  'post failed': () => ['post.failed'],
  'post delivered': () => ['post.delivered'],
  'post not finished': () => ['post.delivery_ended'],
  published: () => ['post_set.published'],
  retried: () => ['post_set.updated'],
  'thread continued': () => ['post_set.updated'],
  'webhooks slowed': 'It is about what is sent, and not about the set.',
  'failure done': 'Nothing of the post changes: it leaves a list of the dashboard.',
  'failure reopened': 'Nothing of the post changes: it is back in a list of the dashboard.',
  released: 'What waited goes out now; `released` of the hold says it, and `post_set.publishing` when it begins.',
}

/** What changes besides the fields that history names. */
const CHANGED: Readonly<Partial<Record<HistoryAction, readonly string[]>>> = {
  locked: ['locked'],
  unlocked: ['locked'],
  'label added': ['labelsId'],
  'label removed': ['labelsId'],
  'labels changed': ['labelsId'],
  retried: ['posts'],
  'thread continued': ['posts'],
}

const isAction = (what: string): what is HistoryAction => Object.hasOwn(EVENTS_OF_ACTION, what)
const isEventType = (what: string): what is EventType => (EVENT_TYPES as readonly string[]).includes(what)

/** The events of what happened, in their order: of what a newer version has written, none. */
export function eventsOf({ accountId, socialSetId, at, what, data }: Happened): NewEvent[] {
  const event = (type: EventType, said: Record<string, unknown>): NewEvent => ({
    accountId,
    socialSetId,
    at,
    type,
    data: said,
  })
  if (isAction(what)) {
    const types = EVENTS_OF_ACTION[what]
    if (typeof types === 'string') return []
    const { postId, accountType, result, delivery, attempt, ...set } = data
    const changed = CHANGED[what] ?? (set.changed as string[] | undefined) ?? []
    const posts = (data.posts ?? []).map((post) => ({ ...post, result: post.result ?? null }))
    const said = { ...set, ...(changed.length > 0 ? { changed } : {}), posts }
    return types({ data, changed: (field) => changed.includes(field) }).flatMap((type) =>
      type.startsWith('post.')
        ? postsMeant(data).map((post) =>
            event(type, { ...said, ...post, result, ...(delivery ? { delivery } : {}), attempt: attempt ?? 1 }),
          )
        : event(type, said),
    )
  }
  if (!isEventType(what)) return []
  const { noteIds, ...said } = data
  return noteIds ? noteIds.map((noteId) => event(what, { ...said, noteId })) : [event(what, said)]
}

/** Of which posts a result is: without one, of all of the set that have the account type. */
function postsMeant({ postId, accountType, posts = [] }: HappenedData): { postId: string; accountType?: string }[] {
  const meant = posts.filter((post) => (postId ? post.id === postId : !accountType || post.accountType === accountType))
  if (postId && meant.length === 0) return [{ postId }]
  return meant.map((post) => ({ postId: post.id, accountType: post.accountType }))
}
