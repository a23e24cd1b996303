import { LIMITS } from '#contract'
import { addressBounds, deviceWords, isId, newId, newLinkToken } from '#domain'
import { cookieAttributes, cookieName, readNamedCookie } from '#identity'
import {
  type Database,
  dropEntry,
  dropVisit,
  findVisits,
  findWayIn,
  holdEntry,
  holdOpenSharedCalendar,
  insertEntry,
  insertGuest,
  insertVisit,
  prolongVisit,
  type VisitRow,
} from '#persistence'
import type { OperationDeps } from '../deps.ts'
import { limitTries, type Tries } from '../members/attempts.ts'
import { countInHour } from './count-in-hour.ts'
import { hashOf } from './serialize.ts'

const VISIT = 'almanac_visit'
const ENTRY = 'almanac_entry'
/** So long has the browser to load the page that it was sent to. */
const ENTRY_SECONDS = 300
const VISIT_SECONDS = LIMITS.guestVisits.visitDays * 86_400
const PREVIEW_SECONDS = LIMITS.guestVisits.previewHours * 3_600

type Deps = Pick<OperationDeps, 'db' | 'identity' | 'publicUrl'>

/** What a secret in an address led to. Nothing is revealed about a shared calendar before it is entered. */
export type Entered =
  | { kind: 'entered'; id: string; cookie: string }
  /** `formal`: how guests of it are addressed, of which the person is one who has its address. */
  | { kind: 'passcode'; wrong: boolean; formal: boolean }
  | { kind: 'not-shared' }

/** What a browser that loads the page gets. */
export type Begun =
  | { kind: 'visit'; cookies: string[] }
  /** There are as many guests as a link can have. */
  | { kind: 'full' }
  | { kind: 'not-shared' }

/**
 * Follows the secret of an address into a shared calendar. If there is a passcode, it is required first. The visitor
 * is not a guest yet: only when the page loads is it known which visit the browser has. A member's preview never becomes
 * a guest: its cookie is the secret itself.
 *
 * @param given `passcode` null: none was given yet
 * @throws ProblemError `auth:too_many_attempts`
 */
export async function enterSharedCalendar(
  deps: Deps,
  token: string,
  { passcode, address }: { passcode: string | null; address: string },
): Promise<Entered> {
  const { db } = deps
  const hash = hashOf(token)
  const way = await findWayIn(db, hash)
  if (!way) return { kind: 'not-shared' }
  const entry = (secret: string): Entered => {
    const cookie = cookieOf(deps.publicUrl, way.id, ENTRY, secret, ENTRY_SECONDS)
    return { kind: 'entered', id: way.id, cookie }
  }
  if (way.ofMember) return entry(token)
  const asked = way.passcodeHash
  if (asked !== null) {
    if (passcode === null) return { kind: 'passcode', wrong: false, formal: way.formal }
    const right = await limitTries(db, passcodeTries(way.id, address), async () =>
      (await deps.identity.verifyPassword({ hash: asked, password: passcode })) ? true : null,
    )
    if (!right) return { kind: 'passcode', wrong: true, formal: way.formal }
  }
  const { token: secret, hash: tokenHash } = newLinkToken()
  return db.transaction().execute(async (trx): Promise<Entered> => {
    // What a passcode took to check may have been closed, or have got another one, meanwhile.
    await holdOpenSharedCalendar(trx, way.id)
    const now = await findWayIn(trx, hash)
    if (!now || now.passcodeHash !== way.passcodeHash) return { kind: 'not-shared' }
    if (now.guestId === null) await insertEntry(trx, { tokenHash, sharedCalendarId: now.id, seconds: ENTRY_SECONDS })
    else await insertVisit(trx, { tokenHash, guestId: now.guestId, days: LIMITS.guestVisits.visitDays })
    return entry(secret)
  })
}

/** Wrong passcodes are counted where they come from; beyond those of a link, tries wait for their turn instead of being refused. */
function passcodeTries(id: string, address: string): Tries[] {
  return [
    ...addressBounds(`shared-calendar:${id}`, address, 10),
    {
      subject: `shared-calendar:${id}`,
      limit: 100,
      shared: true,
      turns: {
        everyMs: 5_000,
        who: 'Many are trying passcodes here.',
        instead: 'or use a browser in which you have opened it before',
      },
    },
  ]
}

/**
 * The visit of a browser that loads the page of a shared calendar, and its cookies. A browser that has just followed
 * a link continues its existing visit, unless it came from a mail as a guest with a name; without a visit, it
 * becomes a new guest. A member's preview is never mixed with a guest's visit: the latest one counts.
 *
 * @throws ProblemError `rate-limit:exceeded` for more new guests from an address than in an hour
 */
export async function beginVisit(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  id: string,
  { address, headers }: { address: string; headers: Headers },
): Promise<Begun> {
  const [had, came] = [readNamedCookie(headers, VISIT), readNamedCookie(headers, ENTRY)]
  const found = await visitsOf(db, id, [had, came])
  const [old, entry] = [visitOf(found, had), visitOf(found, came)]
  const begun = (token: string | null, seconds: number): Begun => ({
    kind: 'visit',
    cookies: [
      cookieOf(publicUrl, id.toLowerCase(), VISIT, token ?? '', seconds),
      ...(came === null ? [] : [cookieOf(publicUrl, id.toLowerCase(), ENTRY, '', 0)]),
    ],
  })
  if (came !== null && !entry) {
    if (old && !old.ofMember) await dropEntry(db, hashOf(came))
    else {
      const outcome = await becomeGuest(db, id, { token: came, address, headers })
      if (outcome === 'guest') return begun(came, VISIT_SECONDS)
      if (outcome === 'full') return { kind: 'full' }
    }
  }
  const stays = entry && (!old || entry.guest.name !== null || entry.ofMember || old.ofMember) ? entry : old
  if (!stays) return { kind: 'not-shared' }
  const other = stays === entry ? old : entry
  if (other && !other.ofMember && other.tokenHash !== stays.tokenHash) await dropVisit(db, other.tokenHash)
  await prolongVisit(db, stays.tokenHash, LIMITS.guestVisits.visitDays)
  return begun(stays === entry ? came : had, stays.ofMember ? PREVIEW_SECONDS : VISIT_SECONDS)
}

/**
 * Makes a guest of a browser that has followed the address of a link, once: its secret is the visit from then on, so that a page that
 * is loaded twice finds it.
 *
 * @throws ProblemError `rate-limit:exceeded`
 */
async function becomeGuest(
  db: Database,
  id: string,
  { token, address, headers }: { token: string; address: string; headers: Headers },
): Promise<'guest' | 'full' | 'none'> {
  if (!isId(id)) return 'none'
  const tokenHash = hashOf(token)
  const { guests, guestsPerHour, visitDays: days } = LIMITS.guestVisits
  // The page may have been loaded by the same secret a moment ago.
  const otherwise = async (at: Database) => ((await findVisits(at, id, [tokenHash])).length > 0 ? 'guest' : 'none')
  if (!(await holdEntry(db, id, tokenHash))) return otherwise(db)
  for (const { subject, limit } of addressBounds(`shared-guests:${id.toLowerCase()}`, address, guestsPerHour)) {
    await countInHour(db, subject, limit)
  }
  return db.transaction().execute(async (trx) => {
    if (!(await holdOpenSharedCalendar(trx, id))) return 'none'
    if (!(await holdEntry(trx, id, tokenHash))) return otherwise(trx)
    const guestId = newId()
    const device = deviceWords(headers.get('user-agent') ?? '')
    if (!(await insertGuest(trx, { id: guestId, sharedCalendarId: id, device }, guests))) return 'full'
    await insertVisit(trx, { tokenHash, guestId, days })
    await dropEntry(trx, tokenHash)
    return 'guest'
  })
}

/** The visit named by a request's cookie; null if it does not belong to that shared calendar, or has ended. */
export async function findVisit(db: Database, id: string, headers: Headers): Promise<VisitRow | null> {
  const token = readNamedCookie(headers, VISIT)
  return visitOf(await visitsOf(db, id, [token]), token)
}

const TOKEN = 43

/** The part of a request that distinguishes visits; never longer than a token. */
export const visitOfHeaders = (headers: Headers): string => (readNamedCookie(headers, VISIT) ?? '').slice(0, TOKEN)

/** The id of nothing: what is no id is looked for all the same. */
const NO_ID = '00000000-0000-0000-0000-000000000000'

function visitsOf(db: Database, id: string, tokens: readonly (string | null)[]): Promise<VisitRow[]> {
  return findVisits(db, isId(id) ? id : NO_ID, tokens.map(hashOf))
}

const visitOf = (found: readonly VisitRow[], token: string | null) =>
  found.find(({ tokenHash }) => tokenHash.equals(hashOf(token))) ?? null

function cookieOf(publicUrl: string, id: string, name: string, value: string, seconds: number): string {
  return `${cookieName(publicUrl, name)}=${value}; ${cookieAttributes(publicUrl, seconds, `/shared/view/${id}`)}`
}
