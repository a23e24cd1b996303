import type { Noun } from '#contract'

/**
 * The keys of the query cache: the noun first, then what narrows it. Invalidating a noun alone
 * (`queryKeys.postSets.all`) reaches everything below it.
 */
export const queryKeys = {
  session: ['session'],
  networks: ['networks'],
  /** The operator's apps on them. */
  networkApps: ['network-apps'],
  socialSets: noun('social-sets'),
  connections: noun('connections'),
  holds: noun('holds'),
  /** What the calendar shows: cards of post sets and notes. */
  calendar: noun('calendar'),
  postSets: noun('post-sets'),
  notes: noun('notes'),
  /** Whether an agent brought a note, which never changes: nothing reads it again. */
  noteAgent: (id: string) => ['note-agent', id],
  importedCalendars: noun('imported-calendars'),
  /** Links for guests. */
  sharedCalendars: noun('shared-calendars'),
  /** Addresses at which calendar programs read. */
  calendarFeeds: noun('calendar-feeds'),
  /** What the member has typed and not saved. */
  keptDrafts: noun('kept-drafts'),
  /** One of them, as it was when its composer opened. */
  keptRow: (id: string, version: number | null) => ['kept-row', id, version],
  /** The results of posts. */
  results: noun('results'),
  /** What waits for whose approval. */
  approvals: noun('approvals'),
  comments: noun('comments'),
  /** Who else has a post open. */
  presence: noun('presence'),
  /** How many failures the member has not seen. */
  unseenFailures: ['unseen-failures'],
  /** The bell. */
  news: noun('news'),
  newsChoices: ['news-choices'],
  labels: noun('labels'),
  hashtagGroups: noun('hashtag-groups'),
  media: noun('media-library'),
  uploads: noun('uploads'),
  apiKeys: noun('api-keys'),
  webhooks: noun('webhooks'),
  members: noun('members'),
  /** What each role may do: the same as long as the page is open. */
  roles: ['roles'],
  /** What a member could still get in by; asked when a dialog opens. */
  memberLinks: (userId: string, ...of: unknown[]) => ['member-links', userId, ...of],
  plan: noun('plan'),
  profile: noun('profile'),
  sessions: ['sessions'],
  twoFactor: ['two-factor'],
} as const

function noun<const N extends Noun>(name: N) {
  return {
    all: [name] as const,
    list: (filters: Record<string, unknown> = {}) => [name, 'list', filters] as const,
    one: (id: string) => [name, 'one', id] as const,
  }
}
