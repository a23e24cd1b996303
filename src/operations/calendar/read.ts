import {
  accountTypes,
  type Calendar,
  type CalendarAuthors,
  type CalendarCard,
  type CalendarElsewhere,
  type CardState,
  type QueryReader,
  RESULT_STATUSES,
  readQuery,
} from '#contract'
import { cardStateOf, daysAfter, excerptOf, isId } from '#domain'
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
import type { Caller } from '../caller.ts'
import { noteAnswer } from '../notes/serialize.ts'
import { holdOfPost, isHeldSet, isUnderWay } from '../post-sets/deliveries.ts'
import { readNarrowing } from '../post-sets/list.ts'
import { URL_HOURS } from '../post-sets/serialize.ts'
import { readTimeFilter } from '../read-time-filter.ts'
import { socialSetOfQuery } from '../social-sets/require.ts'

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
 * The calendar of a social set between two times: cards of post sets and notes, by time. `query` is the query string:
 * `socialSetId`, `from` (at or after), `to` (before), and the filters of the list of post sets with those for
 * `accountTypes`, `authors`, `series` and `outcome`. Filters are about cards; notes are always there.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readCalendar({ db, urls }: CalendarDeps, caller: Caller, query: string): Promise<Calendar> {
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
 * by. `query` is that of the calendar.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readElsewhere(
  { db }: Pick<CalendarDeps, 'db'>,
  caller: Caller,
  query: string,
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
async function readAsked(db: Database, caller: Caller, query: string) {
  const reader = readQuery(query)
  const socialSet = await socialSetOfQuery(db, caller, reader)
  const { from, before } = readRange(reader, socialSet?.timezone ?? 'UTC')
  const filters = { ...readNarrowing(reader), more: readMore(reader) }
  reader.finish()
  if (!socialSet || !from || !before) throw new Error('A query that cannot be used was not refused.')
  return { socialSet, from, before, filters }
}

/**
 * Who has made the post sets of a social set. `query` is the query string: `socialSetId`.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readAuthors({ db }: { db: Database }, caller: Caller, query: string): Promise<CalendarAuthors> {
  const reader = readQuery(query)
  const socialSet = await socialSetOfQuery(db, caller, reader)
  reader.finish()
  if (!socialSet) throw new Error('A query that cannot be used was not refused.')
  return { data: await listAuthors(db, socialSet.id) }
}

function readRange(reader: QueryReader, timezone: string): { from: Date | null; before: Date | null } {
  const [from = null, before = null] = ['from', 'to'].map((name) => {
    const { given, time } = readTimeFilter(reader, name, timezone)
    if (!given) reader.problem(name, 'is required')
    return time
  })
  if (from && before && from > before) reader.problem('from', 'must not be later than to')
  if (from && before && before > daysAfter(from, RANGE_DAYS, timezone)) {
    reader.problem('to', `must be at most ${RANGE_DAYS} days after from`)
  }
  return { from, before }
}

function readMore(reader: QueryReader): NonNullable<PostSetFilters['more']> {
  const series = reader.text('filters[series]')
  if (series !== null && !isId(series)) reader.problem('filters[series]', 'must be the id of a series')
  return {
    accountTypes: reader.choices('filters[accountTypes]', accountTypes),
    authors: reader.texts('filters[authors]'),
    seriesId: series,
    outcomes: reader.choices('filters[outcome]', RESULT_STATUSES),
  }
}

function cardAnswer(
  row: CardRow,
  urls: Pick<UrlSigner, 'sign'>,
  now: Date,
  { member }: Pick<Caller, 'member'>,
  holds: HoldsOfSet,
): CalendarCard {
  const { caption, thumbnailOf, scheduledAt, author, networks, ...card } = row
  return {
    ...card,
    scheduledAt: scheduledAt.toISOString(),
    networks: networks.map(({ accountType, result }) => ({ accountType, result })),
    state: stateOf(row, holds),
    excerpt: excerptOf(caption, EXCERPT_CODE_POINTS),
    thumbnailUrl: thumbnailOf === null ? null : urls.sign({ id: thumbnailOf, variant: 'thumbnail' }, URL_HOURS, now),
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
