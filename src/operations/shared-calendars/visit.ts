import {
  type AskedBody,
  entryAt,
  type GuestEmailBody,
  type GuestNameBody,
  type GuestVisit,
  LIMITS,
  nameProblem,
  refuseBody,
} from '#contract'
import { newLinkToken } from '#domain'
import { acceptedLocale, accountMail, languageOf } from '#news'
import {
  countSharedWaiting,
  type DatabaseTransaction,
  findConfirmation,
  findEmailToConfirm,
  findVisits,
  insertConfirmation,
  renameGuest,
  setGuestLocale,
  socialSetPlaces,
  stopGuestNews,
  confirmGuestEmail as writeConfirmed,
} from '#persistence'
import type { OperationDeps } from '../deps.ts'
import { checkEmail, plainEmail } from '../members/read-person.ts'
import { sendLater } from '../password-resets/deps.ts'
import { refusal } from '../refusal.ts'
import { countInHour } from './count-in-hour.ts'
import { countWrites, type Guest, type GuestDeps, refusePreview, requireName } from './guest.ts'
import { hashOf, notSharedAnyMore } from './serialize.ts'

type Deps = Pick<OperationDeps, 'db' | 'plans' | 'thread' | 'mailer' | 'publicUrl' | 'log'>

/** What a guest can see: the link, its brands, and who the guest is. */
export async function readGuestVisit(
  deps: Deps,
  { id, name, email, calendar, allows, preview }: Guest,
): Promise<GuestVisit> {
  const { db, mailer } = deps
  const waiting = await countSharedWaiting(db, calendar)
  const months = waiting.map(({ socialSetId, month, count, firstAt, nextAt }) => ({
    socialSetId,
    month,
    count,
    firstAt: firstAt.toISOString(),
    nextAt: nextAt?.toISOString() ?? null,
  }))
  return {
    name: calendar.name,
    brands: await socialSetPlaces(db, calendar.socialSetIds),
    shows: calendar.shows,
    allows,
    preview,
    formal: calendar.formal,
    lastDay: calendar.lastDay,
    guest: { id, name, email, emailToConfirm: await findEmailToConfirm(db, id) },
    mail: mailer !== null,
    waiting: {
      count: months.reduce((sum, { count }) => sum + count, 0),
      nextAt: months.flatMap(({ nextAt }) => nextAt ?? []).toSorted()[0] ?? null,
      months,
    },
  }
}

/**
 * Sets the guest's name. Earlier texts keep the name under which they were written.
 *
 * @throws ProblemError `shared-calendar:not_allowed` in a preview, `request:invalid_query`, `request:invalid_body`,
 *   `rate-limit:exceeded`
 */
export async function nameGuest(deps: Deps, guest: Guest, body: AskedBody<GuestNameBody>): Promise<GuestVisit> {
  refusePreview(guest)
  const name = body.read().name.trim()
  const wrong = nameProblem(name, 'A guest')
  refuseBody(wrong === null ? [] : [entryAt(['name'], 'request:invalid_body', wrong)])
  await countWrites(deps.db, guest)
  await renameGuest(deps.db, guest.id, name)
  return readGuestVisit(deps, { ...guest, name })
}

/**
 * Turns on mail notifications for the guest, once the link in a mail to the address was followed; null turns them
 * off.
 *
 * @throws ProblemError `shared-calendar:not_allowed` in a preview, `shared-calendar:name_required`, `request:invalid_query`,
 *   `request:invalid_body`, `rate-limit:exceeded`
 * @throws Refusal where no mail can be sent
 */
export async function changeGuestEmail(
  deps: Deps,
  guest: Guest,
  { body, headers }: { body: AskedBody<GuestEmailBody>; headers: Headers },
): Promise<GuestVisit> {
  refusePreview(guest)
  requireName(guest)
  const { email: given } = body.read()
  if (given === null) {
    await deps.db.transaction().execute((trx) => stopGuestNews(trx, guest.id))
    return readGuestVisit(deps, { ...guest, email: null })
  }
  const email = plainEmail(given)
  refuseBody(checkEmail('email', email))
  if (!deps.mailer) throw refusal('why:no_mail_here')
  if (email === guest.email) return readGuestVisit(deps, guest)
  const { mailsPerHour, confirmHours: hours } = LIMITS.guestVisits
  await countInHour(deps.db, `shared-mails:${guest.id}`, mailsPerHour.guest)
  await countInHour(deps.db, `shared-mails:${guest.calendar.id}`, mailsPerHour.link)
  const { token, hash: tokenHash } = newLinkToken()
  const locale = acceptedLocale(headers.get('accept-language'))
  await deps.db.transaction().execute(async (trx: DatabaseTransaction) => {
    const [visit] = await findVisits(trx, guest.calendar.id, [guest.visit])
    if (!visit) throw notSharedAnyMore()
    await setGuestLocale(trx, guest.id, locale)
    await insertConfirmation(trx, { tokenHash, sharedCalendarId: guest.calendar.id, guestId: guest.id, email, hours })
  })
  // Nothing in it is what a guest wrote: the address may be that of someone else.
  const parts = { values: { calendar: guest.calendar.name, hours }, url: `${deps.publicUrl}/shared/confirm/${token}` }
  sendLater(deps, async () => ({
    to: email,
    ...accountMail(languageOf(locale, { formal: guest.calendar.formal }), 'guest-email', parts),
  }))
  return readGuestVisit(deps, guest)
}

/** How to address the guest whose email address a mail's link can confirm now; null if there is nothing to confirm. */
export async function findGuestConfirmation(
  { db }: Pick<GuestDeps, 'db'>,
  token: string,
): Promise<{ formal: boolean } | null> {
  return findConfirmation(db, hashOf(token))
}

/** Confirms the address of a mail's link, once, with the same answer. */
export async function confirmGuestEmail(
  { db }: Pick<GuestDeps, 'db'>,
  token: string,
): Promise<{ formal: boolean } | null> {
  return writeConfirmed(db, hashOf(token))
}
