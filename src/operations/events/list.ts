import { type AskedQuery, type EventPage, type EventQuery, LIMITS, ProblemError } from '#contract'
import { SECOND_MS } from '#contract/durations'
import { shownEvent } from '#domain'
import {
  type Database,
  findKeyView,
  listEvents,
  type EventPage as PageOfRows,
  readEventPositions,
  type Visible,
} from '#persistence'
import { placeNamed } from '../asked.ts'
import type { Caller } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import type { EventWait } from './waits.ts'

type Deps = Pick<OperationDeps, 'db' | 'eventWaits'>

/**
 * The events after a position. With `wait`, waits while there are none, as long as the client is connected and the
 * caller still has access.
 *
 * @param gone aborts when no one reads the answer any more
 * @throws ProblemError in this order: `social-set:not_found`, `request:invalid_query`, `event:position_gone`,
 *   `rate-limit:exceeded` when as many wait as may; `auth:invalid_credential` for a key that ends meanwhile
 */
export async function followEvents(
  deps: Deps,
  caller: Caller,
  query: AskedQuery<EventQuery>,
  gone: AbortSignal,
): Promise<EventPage> {
  const socialSet = await placeNamed(deps.db, caller, query)
  const asked = query.read()
  const { limit = LIMITS.events.defaultSize, wait = 0 } = asked
  const from = asked.after
  if (from === undefined) {
    const { newest } = await readEventPositions(deps.db, caller.accountId)
    return { data: [], nextAfter: newest }
  }
  const wanted = { types: asked['types[]'] ?? [], socialSetId: socialSet?.id ?? null, limit }
  const read = (visible: Visible, after: number) => pageBehind(deps.db, visible, { ...wanted, after })
  const page = await read(caller, from)
  if (wait === 0 || isAnswer(page)) return answerOf(page)
  using waiting = deps.eventWaits.enter(caller.accountId)
  if (!waiting) {
    const detail = `At most ${LIMITS.events.waiting} requests of an account wait for events at a time.`
    throw new ProblemError('rate-limit:exceeded', detail, { headers: { 'retry-after': '1' } })
  }
  return answerOf(await waitFor({ deps, caller, waiting, read, gone, after: page.nextAfter, ms: wait * SECOND_MS }))
}

const isAnswer = ({ rows, more }: PageOfRows) => rows.length > 0 || more

interface Waiting {
  deps: Deps
  caller: Caller
  waiting: EventWait
  read(visible: Visible, after: number): Promise<PageOfRows>
  gone: AbortSignal
  after: number
  ms: number
}

async function waitFor({ deps, caller, waiting, read, gone, after, ms }: Waiting): Promise<PageOfRows> {
  const ends = performance.now() + ms
  for (let visible: Visible = caller; ; visible = await stillVisible(deps.db, caller)) {
    waiting.listen()
    const page = await read(visible, after)
    const left = ends - performance.now()
    if (isAnswer(page) || left <= 0 || gone.aborted || waiting.over()) return page
    after = page.nextAfter
    await waiting.until(left, gone)
  }
}

/** What a key sees now; a member's request does not last long enough to ask again. */
async function stillVisible(db: Database, caller: Caller): Promise<Visible> {
  if (caller.member || caller.actor.id === null) return caller
  const view = await findKeyView(db, caller.actor.id)
  if (!view) throw new ProblemError('auth:invalid_credential', 'The API key is not valid any more.')
  return view
}

async function pageBehind(
  db: Database,
  visible: Visible,
  wanted: Parameters<typeof listEvents>[2],
): Promise<PageOfRows> {
  const page = await listEvents(db, visible, wanted)
  if (page) return page
  const { oldest, newest } = await readEventPositions(db, visible.accountId)
  const words =
    oldest > newest
      ? `There are none at the moment: go on with after=${newest}.`
      : `The oldest that there is has the position ${oldest}: go on with after=${oldest - 1}.`
  throw new ProblemError('event:position_gone', `There is no event that follows on position ${wanted.after}. ${words}`)
}

const answerOf = ({ rows, nextAfter }: PageOfRows): EventPage => ({ data: rows.map(shownEvent), nextAfter })
