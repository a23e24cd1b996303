import type { HttpAnswer } from '../kit/http.ts'
import type { ConnectContext } from '../network.ts'
import { accountsOf, locationsOf, readAll } from './api.ts'
import { TITLE } from './manifest.ts'
import { errors, NO_QUOTA } from './outcomes.ts'
import type { Location } from './wire.ts'

/** Far more than a person manages; somebody who has more is told so. */
const MAX_PAGES = 50

export interface ManagedLocation extends Location {
  /** `accounts/1`: the API for posts wants it in front of the location's name. */
  account: string
}

export type LocationsOutcome =
  /** `none` says why there is none, for when there is none. */
  { kind: 'locations'; locations: ManagedLocation[]; none: string } | { kind: 'failed'; message: string }

/**
 * Locations that the signed-in person manages, over all of their accounts, without those where Google lets no program
 * post, and those that cannot be read. One that several accounts show is listed once, under the first of them.
 */
export async function listLocations(context: ConnectContext, accessToken: string): Promise<LocationsOutcome> {
  const caller = { ...context, credentials: { accessToken } }
  const accounts = await readAll(caller, accountsOf(caller), MAX_PAGES)
  if (accounts.kind === 'failed') return failed(`${TITLE} could not be reached. ${accounts.message}`)
  if (accounts.kind === 'refused') return failed(wordsFor(context, accounts.answer))
  if (accounts.value.more) return failed(TOO_MANY)

  const found = new Map<string, ManagedLocation>()
  let none = NONE
  let refusal: string | null = null
  for (const account of [...new Set(accounts.value.entries)].sort()) {
    const listed = await readAll(caller, locationsOf(caller, account), MAX_PAGES)
    if (listed.kind === 'failed') return failed(`${TITLE} could not be reached. ${listed.message}`)
    if (listed.kind === 'refused') {
      // An account that shows its locations to owners alone is no reason to leave out the others.
      if (!isLocked(listed.answer)) return failed(wordsFor(context, listed.answer))
      refusal ??= wordsFor(context, listed.answer)
      continue
    }
    if (listed.value.more) return failed(TOO_MANY)
    for (const location of listed.value.entries) {
      if (location.canPost === false) none = ALL_HIDDEN
      else if (!found.has(location.name)) found.set(location.name, { ...location, account })
    }
  }
  return { kind: 'locations', locations: [...found.values()], none: refusal ?? none }
}

const TOO_MANY = `${TITLE} lists more accounts or locations than can be shown. Sign in as somebody who manages fewer.`
const NONE =
  'This Google account manages no business. Sign in with the account that owns or manages the Business Profile.'
const ALL_HIDDEN =
  'Google lets no program post on any location of this account, as is common for chains and unverified profiles. Verify the profile, or post in the Business Profile itself.'

const isLocked = ({ status, text }: HttpAnswer) =>
  status === 404 || (status === 403 && !/SERVICE_DISABLED|SCOPE_INSUFFICIENT|quota/i.test(text))

/** What an answer means while signing in. */
function wordsFor(context: ConnectContext, answer: HttpAnswer): string {
  const { row, meaning } = errors.lookUp(answer, context.now())
  switch (meaning.kind) {
    case 'wait':
      return `Google takes no more requests of this installation for now. Try again in a few minutes. If that does not help: ${NO_QUOTA}`
    case 'reconnect':
      return `Google refused to list the accounts of this person (${answer.status}). Connect again and grant everything asked for.`
    case 'refused':
      return row === null ? `${TITLE} refused to list the accounts of this person (${answer.status}).` : meaning.message
    case 'again':
    case 'ambiguous':
      return `${TITLE} answered with a fault (${answer.status}). Try again.`
  }
}

const failed = (message: string): LocationsOutcome => ({ kind: 'failed', message })
