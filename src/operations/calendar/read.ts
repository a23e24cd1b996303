import {
  type AskedQuery,
  type Calendar,
  type CalendarAuthors,
  type CalendarCard,
  type CalendarElsewhere,
  type CalendarFound,
  type CalendarQuery,
  type CardState,
  type FoundQuery,
  kindsOfPosts,
  LIMITS,
  type SeenBrandsQuery,
} from '#contract'
import { HOUR_MS } from '#contract/durations'
import { cardStateOf, excerptOf, isId } from '#domain'
import type { UrlSigner } from '#media'
import {
  type CardRow,
  type Database,
  type HoldsOfSet,
  listAuthors,
  listCards,
  listNoteRows,
  listNotesOfAll,
  type PostSetFilters,
  readHoldsOfSet,
  readHoldsOfSets,
} from '#persistence'
import { placeNamed } from '../asked.ts'
import type { Caller } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { refusalAt } from '../members/read-person.ts'
import { noteAnswer } from '../notes/serialize.ts'
import { holdOfPost, isHeldSet } from '../post-sets/deliveries.ts'
import { narrowingOf } from '../post-sets/list.ts'
import { URL_HOURS } from '../post-sets/serialize.ts'
import { isUnderWay } from '../post-sets/under-way.ts'
import { goodTime } from '../read-body.ts'
import { checkRange } from '../read-query.ts'
import { readTimezone } from '../social-sets/create.ts'

type Deps = Pick<OperationDeps, 'db' | 'urls'>

/** A month with the weeks around it, and room for a month before or after. */
const RANGE_DAYS = 62
/** Cards and notes of one social set, and of all. */
const MOST = { one: 2_000, all: 6_000 }
/** How far apart the same date is on two clocks: notes without a time are of the date that they have in their social set. */
const DATE_APART_MS = 26 * HOUR_MS
/** Post sets that a search over all social sets finds at most: a person goes to one of them. */
const MOST_FOUND = 10

/**
 * The calendar of a social set between two times, or of all that the caller sees: cards of post sets and notes, by
 * time. Filters apply only to cards; notes are always included. For all social sets, notes whose date begins or ends
 * outside of the range are included too.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readCalendar(
  { db, urls }: Deps,
  caller: Caller,
  query: AskedQuery<CalendarQuery>,
): Promise<Calendar> {
  const { socialSetId, timezone, from, before, most, filters } = await readAsked(db, caller, query)
  const take = { limit: most + 1, captionCodePoints: LIMITS.excerpt.readCodePoints }
  const rows = await listCards(db, caller, { socialSetId, from, before, ...filters }, take)
  const holdsOf = await readHolds(db, caller, socialSetId)
  const notes =
    socialSetId === null
      ? await listNotesOfAll(db, caller, aroundDates({ from, before }), { limit: most + 1 })
      : await listNoteRows(db, { socialSetId, from, before }, { limit: most + 1 })
  const now = new Date()
  return {
    timezone,
    cards: rows.slice(0, most).map((row) => cardAnswer(row, urls, now, caller, holdsOf(row.socialSetId))),
    notes: notes.slice(0, most).map(noteAnswer),
    truncated: rows.length > most || notes.length > most,
  }
}

const aroundDates = ({ from, before }: { from: Date; before: Date }) => ({
  from: new Date(from.getTime() - DATE_APART_MS),
  before: new Date(before.getTime() + DATE_APART_MS),
})

/** What stops each social set that is asked for. */
async function readHolds(
  db: Database,
  caller: Caller,
  socialSetId: string | null,
): Promise<(socialSetId: string) => HoldsOfSet> {
  if (socialSetId === null) return readHoldsOfSets(db, caller)
  const holds = await readHoldsOfSet(db, { accountId: caller.accountId, socialSetId })
  return () => holds
}

/**
 * Matches of the filters outside of the shown range, counted by month and by what only screens filter by.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readElsewhere(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  query: AskedQuery<CalendarQuery>,
): Promise<CalendarElsewhere> {
  const { socialSetId, timezone, from, before, filters } = await readAsked(db, caller, query)
  const most = MOST.one
  const take = { limit: most + 1, captionCodePoints: 0 }
  const outside = { socialSetId, ...filters }
  const earlier = await listCards(db, caller, { ...outside, from: null, before: from }, take)
  const later = await listCards(db, caller, { ...outside, from: before, before: null }, take)
  const holdsOf = await readHolds(db, caller, socialSetId)
  const groups = new Map<string, CalendarElsewhere['groups'][number]>()
  for (const row of [...earlier.slice(0, most), ...later.slice(0, most)]) {
    const { status, approval, scheduledAt } = row
    const [state, mine] = [stateOf(row, holdsOf(row.socialSetId)), isOf(row, caller.member)]
    const month = monthOf(scheduledAt, timezone)
    const key = [month, state, status, approval, mine].join(' ')
    const group = groups.get(key)
    if (group) group.count += 1
    else groups.set(key, { month, state, status, approval, mine, count: 1, first: scheduledAt.toISOString() })
  }
  return { groups: [...groups.values()], truncated: earlier.length > most || later.length > most }
}

/**
 * The latest post sets of all social sets that the caller sees with a text in a caption.
 *
 * @throws ProblemError `request:invalid_query`
 */
export async function findCards(
  { db, urls }: Deps,
  caller: Caller,
  query: AskedQuery<FoundQuery>,
): Promise<CalendarFound> {
  const { 'filters[search]': search } = query.read()
  const all = { socialSetId: null, from: null, before: null, statuses: null, accountTypes: null, approvals: null }
  const take = { limit: MOST_FOUND, captionCodePoints: LIMITS.excerpt.readCodePoints, order: 'latest' } as const
  const rows = await listCards(db, caller, { ...all, labelIds: null, externalId: null, search }, take)
  const holdsOf = await readHolds(db, caller, null)
  const now = new Date()
  return { data: rows.map((row) => cardAnswer(row, urls, now, caller, holdsOf(row.socialSetId))) }
}

/** `2026-12` */
const monthOf = (time: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toPlainYearMonth()
    .toString()

const isTimezone = (text: string) => refusalAt('timezone', () => readTimezone(text)).length === 0

/** What a query of the calendar asks for. */
async function readAsked(db: Database, caller: Caller, query: AskedQuery<CalendarQuery>) {
  const named = await placeNamed(db, caller, query)
  const zoneOf = ({ timezone = 'UTC' }: { timezone?: string }) =>
    named?.timezone ?? (isTimezone(timezone) ? readTimezone(timezone) : 'UTC')
  const asked = query.read((read, problem) => {
    checkRange(read, problem, { timezone: zoneOf(read), days: RANGE_DAYS })
    const { timezone, 'filters[series]': series } = read
    if (timezone !== undefined && !isTimezone(timezone))
      problem('timezone', 'must be an IANA name, such as Europe/Berlin')
    if (series !== undefined && !isId(series)) problem('filters[series]', 'must be the id of a series')
  })
  const timezone = zoneOf(asked)
  const [from, before] = [goodTime(asked.from, timezone), goodTime(asked.to, timezone)]
  const filters = { ...narrowingOf(asked), more: moreOf(asked) }
  return { socialSetId: named?.id ?? null, timezone, from, before, most: named ? MOST.one : MOST.all, filters }
}

/**
 * The creators of the post sets of a social set, or of all that the caller sees.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readAuthors(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<SeenBrandsQuery>,
): Promise<CalendarAuthors> {
  const named = await placeNamed(db, caller, query)
  query.read()
  return { data: await listAuthors(db, caller, named?.id ?? null) }
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
    excerpt: excerptOf(caption, LIMITS.excerpt.codePoints),
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
