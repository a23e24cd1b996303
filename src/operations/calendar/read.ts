import {
  type AskedQuery,
  type Calendar,
  type CalendarAuthors,
  type CalendarCard,
  type CalendarElsewhere,
  type CalendarQuery,
  type CardState,
  kindsOfPosts,
  type SocialSetQuery,
} from '#contract'
import { cardStateOf, excerptOf, isId } from '#domain'
import type { UrlSigner } from '#media'
import {
  type CardRow,
  type Database,
  type HoldsOfSet,
  listAuthors,
  listCards,
  listNoteRows,
  type PostSetFilters,
  readHoldsOfSet,
} from '#persistence'
import { readPlacedQuery } from '../asked.ts'
import type { Caller } from '../caller.ts'
import { noteAnswer } from '../notes/serialize.ts'
import { holdOfPost, isHeldSet } from '../post-sets/deliveries.ts'
import { narrowingOf } from '../post-sets/list.ts'
import { URL_HOURS } from '../post-sets/serialize.ts'
import { isUnderWay } from '../post-sets/under-way.ts'
import { goodTime } from '../read-body.ts'
import { checkRange } from '../read-query.ts'

export interface CalendarDeps {
  db: Database
  /** Signs the addresses of thumbnails. */
  urls: Pick<UrlSigner, 'sign'>
}

/** A month with the weeks around it, and room for a month before or after. */
const RANGE_DAYS = 62
const MAX_CARDS = 2_000
const MAX_NOTES = 2_000
const EXCERPT_CODE_POINTS = 120

/**
 * The calendar of a social set between two times: cards of post sets and notes, by time. Filters are about
 * cards; notes are always there.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readCalendar(
  { db, urls }: CalendarDeps,
  caller: Caller,
  query: AskedQuery<CalendarQuery>,
): Promise<Calendar> {
  const { socialSet, from, before, filters } = await readAsked(db, caller, query)
  const { timezone } = socialSet
  const range = { socialSetId: socialSet.id, from, before }
  const take = { limit: MAX_CARDS + 1, captionCodePoints: 4 * EXCERPT_CODE_POINTS }
  const rows = await listCards(db, { ...range, ...filters }, take)
  const holds = await readHoldsOfSet(db, { accountId: caller.accountId, socialSetId: socialSet.id })
  const notes = await listNoteRows(db, range, { limit: MAX_NOTES + 1 })
  const now = new Date()
  return {
    timezone,
    cards: rows.slice(0, MAX_CARDS).map((row) => cardAnswer(row, urls, now, caller, holds)),
    notes: notes.slice(0, MAX_NOTES).map(noteAnswer),
    truncated: rows.length > MAX_CARDS || notes.length > MAX_NOTES,
  }
}

/**
 * What matches the filters of a calendar outside of the range that it shows, counted by month and by what only screens filter
 * by.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readElsewhere(
  { db }: Pick<CalendarDeps, 'db'>,
  caller: Caller,
  query: AskedQuery<CalendarQuery>,
): Promise<CalendarElsewhere> {
  const { socialSet, from, before, filters } = await readAsked(db, caller, query)
  const take = { limit: MAX_CARDS + 1, captionCodePoints: 0 }
  const outside = { socialSetId: socialSet.id, ...filters }
  const earlier = await listCards(db, { ...outside, from: null, before: from }, take)
  const later = await listCards(db, { ...outside, from: before, before: null }, take)
  const holds = await readHoldsOfSet(db, { accountId: caller.accountId, socialSetId: socialSet.id })
  const groups = new Map<string, CalendarElsewhere['groups'][number]>()
  for (const row of [...earlier.slice(0, MAX_CARDS), ...later.slice(0, MAX_CARDS)]) {
    const { status, approval, scheduledAt } = row
    const [state, mine] = [stateOf(row, holds), isOf(row, caller.member)]
    const month = monthOf(scheduledAt, socialSet.timezone)
    const key = [month, state, status, approval, mine].join(' ')
    const group = groups.get(key)
    if (group) group.count += 1
    else groups.set(key, { month, state, status, approval, mine, count: 1, first: scheduledAt.toISOString() })
  }
  return { groups: [...groups.values()], truncated: earlier.length > MAX_CARDS || later.length > MAX_CARDS }
}

/** `2026-12` */
const monthOf = (time: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toPlainYearMonth()
    .toString()

/** What a query of the calendar asks for. */
async function readAsked(db: Database, caller: Caller, query: AskedQuery<CalendarQuery>) {
  const { socialSet, asked } = await readPlacedQuery(db, caller, query, (read, problem, timezone) => {
    checkRange(read, problem, { timezone, days: RANGE_DAYS })
    const series = read['filters[series]']
    if (series !== undefined && !isId(series)) problem('filters[series]', 'must be the id of a series')
  })
  const [from, before] = [goodTime(asked.from, socialSet.timezone), goodTime(asked.to, socialSet.timezone)]
  return { socialSet, from, before, filters: { ...narrowingOf(asked), more: moreOf(asked) } }
}

/**
 * Who has made the post sets of a social set.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readAuthors(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<SocialSetQuery>,
): Promise<CalendarAuthors> {
  const { socialSet } = await readPlacedQuery(db, caller, query)
  return { data: await listAuthors(db, socialSet.id) }
}

function moreOf(asked: CalendarQuery): NonNullable<PostSetFilters['more']> {
  return {
    accountTypes: asked['filters[accountTypes][]'] ?? null,
    authors: asked['filters[authors][]'] ?? null,
    seriesId: asked['filters[series]'] ?? null,
    outcomes: asked['filters[outcome][]'] ?? null,
  }
}

function cardAnswer(
  row: CardRow,
  urls: Pick<UrlSigner, 'sign'>,
  now: Date,
  { member }: Pick<Caller, 'member'>,
  holds: HoldsOfSet,
): CalendarCard {
  const { caption, picture, scheduledAt, author, networks, forms, ...card } = row
  return {
    ...card,
    scheduledAt: scheduledAt.toISOString(),
    networks: networks.map(({ accountType, result }) => ({ accountType, result })),
    state: stateOf(row, holds),
    excerpt: excerptOf(caption, EXCERPT_CODE_POINTS),
    thumbnailUrl: picture && urls.sign(picture, URL_HOURS, now),
    kinds: kindsOfPosts(forms),
    author: author ? { type: author.type, name: author.name } : { type: 'OPERATOR', name: 'Almanac' },
    mine: isOf(row, member),
  }
}

function stateOf(row: CardRow, holds: HoldsOfSet): CardState {
  const { networks } = row
  const results = networks.map(({ result }) => result)
  const held = isHeldSet(
    networks.map(({ accountType, state, connectionId }) => {
      const begins = state === null ? holds.connections.find((each) => each.accountType === accountType)?.id : undefined
      const hold = holdOfPost(holds, { state, connectionId: connectionId ?? begins ?? null })
      return { done: state === 'DONE', held: hold !== null }
    }),
  )
  return cardStateOf({ ...row, results, held, retried: networks.some(({ state }) => isUnderWay(state)) })
}

/** Whether the member who asks made the set. */
const isOf = ({ author }: CardRow, member: Caller['member']) => author?.type === 'USER' && author.id === member?.userId
