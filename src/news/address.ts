import {
  ALERT_KINDS,
  CAUSE_OF,
  DAILY_HOUR,
  defaultNewsChoice,
  type NewsCause,
  type NewsChoice,
  type NewsKind,
} from '#contract'
import { DAY_MS } from '#contract/durations'
import { nextHour } from '#domain'
import {
  type Database,
  type FreshNews,
  insertSends,
  inTransaction,
  markAddressed,
  type NewBellItem,
  type NewSend,
  type NewsChosen,
  type NewsMember,
  putBellItems,
  readAuthors,
  readNewsMembers,
  takeFreshNews,
} from '#persistence'

/** News that one transaction addresses. */
const BATCH = 100
/** Older news are not sent at once any more: the bell and the mail of the day have them. */
const HOURS_MS = DAY_MS

/** Kinds that concern who created a post set and who last scheduled it. */
const ABOUT_OWN_POSTS: ReadonlySet<NewsKind> = new Set([
  'POST_FAILED',
  'POST_UNKNOWN',
  'POST_INCOMPLETE',
  'APPROVED',
  'CHANGES_REQUESTED',
  'COMMENTED',
  'STILL_WAITING',
  'IN_INBOX',
  'INBOX_ENDED',
])

const isAlert = (kind: NewsKind) => (ALERT_KINDS as readonly string[]).includes(kind)

interface Addressing {
  /** Whether there is a receiver. */
  receiver: boolean
  /** How long mails wait for others; null: there is no mail server. */
  mail: { foldMs: number } | null
  /** Whether guests get mail at all. */
  guests: boolean
}

/**
 * Decides who gets the news that are not addressed yet, and how: lines for bells, and sends. Resolves with how many were
 * addressed.
 */
export async function addressNews(
  db: Database,
  ways: Addressing,
  { batch = BATCH }: { batch?: number } = {},
): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { now, news } = await takeFreshNews(trx, batch)
    if (news.length === 0) return 0
    const members = Map.groupBy(
      await readNewsMembers(
        trx,
        news.map(({ accountId }) => accountId),
      ),
      ({ accountId }) => accountId,
    )
    const authors = await readAuthors(
      trx,
      news.flatMap(({ kind, postSetId }) => (postSetId && ABOUT_OWN_POSTS.has(kind) ? postSetId : [])),
    )
    const items = new Map<string, NewBellItem>()
    const sends: NewSend[] = []
    for (const each of news) {
      for (const member of members.get(each.accountId) ?? []) {
        const wanted = wantedBy(member, each, authors.get(each.postSetId ?? '') ?? new Set())
        if (!wanted || wanted.choice === 'NONE') continue
        addItem(items, each, member, wanted.cause)
        if (ways.mail) sends.push(...mailTo(member, each, wanted, { now, ...ways.mail }))
      }
      sends.push(...otherSends(each, ways, now))
    }
    await putBellItems(trx, [...items.values()])
    await insertSends(trx, sends)
    await markAddressed(
      trx,
      news.map(({ id }) => id),
    )
    return news.length
  })
}

/** Whether a member sees what news are of: what is of no brand, with limited rights only what they have made themselves. */
export function seesNewsOf(
  { userId, socialSetIds }: { userId: string; socialSetIds: readonly string[] | null },
  { socialSetId, facts }: { socialSetId: string | null; facts: Pick<FreshNews['facts'], 'concerned'> },
): boolean {
  if (socialSetIds === null) return true
  return socialSetId === null ? (facts.concerned?.includes(userId) ?? false) : socialSetIds.includes(socialSetId)
}

/** As what a member gets news, and how; null: not at all. */
function wantedBy(
  member: NewsMember,
  news: FreshNews,
  authors: ReadonlySet<string>,
): { cause: NewsCause; choice: NewsChoice } | null {
  const { userId, role, choices } = member
  const { kind, socialSetId, actorId, facts } = news
  if (actorId === userId) return null
  if (!seesNewsOf(member, { socialSetId, facts })) return null
  const asked = facts.asked?.includes(userId) ?? false
  if (facts.asked && !asked) return null
  if (facts.reviewers && !facts.reviewers.includes(userId)) return null
  const mentioned = facts.mentioned?.includes(userId) ?? false
  const cause = mentioned ? 'MENTIONED' : CAUSE_OF[kind]
  const concerned =
    asked || mentioned || facts.concerned?.includes(userId) || (ABOUT_OWN_POSTS.has(kind) && authors.has(userId))
  return { cause, choice: chosen(choices, { socialSetId, cause }) ?? defaultNewsChoice(cause, role, { concerned }) }
}

/** What a person has chosen for a cause in a social set; null: nothing. */
export function chosen(
  choices: readonly NewsChosen[],
  { socialSetId, cause }: { socialSetId: string | null; cause: NewsCause },
): NewsChoice | null {
  const of = (place: string | null) =>
    choices.find((choice) => choice.cause === cause && choice.socialSetId === place)?.choice
  return of(socialSetId) ?? of(null) ?? null
}

function addItem(items: Map<string, NewBellItem>, news: FreshNews, member: NewsMember, cause: NewsCause): void {
  const { id: newsId, accountId, socialSetId, subject, createdAt: at } = news
  const { userId } = member
  const key = [userId, accountId, cause, subject].join(' ')
  const count = (items.get(key)?.count ?? 0) + 1
  items.set(key, { userId, accountId, socialSetId, cause, subject, newsId, count, at })
}

function mailTo(
  member: NewsMember,
  news: FreshNews,
  { cause, choice }: { cause: NewsCause; choice: NewsChoice },
  { now, foldMs }: { now: Date; foldMs: number },
): NewSend[] {
  const { userId, timezone } = member
  const base = { newsId: news.id, accountId: news.accountId, userId, guestId: null, cause }
  if (choice === 'DAILY') {
    const nextAt = nextHour(now, DAILY_HOUR, timezone ?? 'UTC')
    return [{ ...base, way: 'DAILY', nextAt, endsAt: after(nextAt, HOURS_MS) }]
  }
  const endsAt = after(news.createdAt, HOURS_MS)
  return choice === 'MAIL' && endsAt > now ? [{ ...base, way: 'MAIL', nextAt: after(now, foldMs), endsAt }] : []
}

/** To the receiver, and to guests of shared calendars. */
function otherSends(news: FreshNews, { receiver, mail, guests }: Addressing, now: Date): NewSend[] {
  const { id: newsId, accountId, kind, actorId, facts, createdAt } = news
  const endsAt = after(createdAt, HOURS_MS)
  if (endsAt <= now) return []
  const base = { newsId, accountId, userId: null, endsAt }
  const guestIds = mail && guests ? (facts.guestIds ?? []).filter((guestId) => guestId !== actorId) : []
  return [
    ...(receiver && isAlert(kind)
      ? [{ ...base, way: 'RECEIVER' as const, guestId: null, cause: null, nextAt: now }]
      : []),
    ...[...new Set(guestIds)].map((guestId) => ({
      ...base,
      ...{ way: 'MAIL' as const, guestId, cause: CAUSE_OF[kind], nextAt: after(now, mail?.foldMs ?? 0) },
    })),
  ]
}

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)
