import { DAY_MS } from '#contract/durations'
import type { HttpAnswer } from '../kit/http.ts'
import { appInForm, codeGrant } from '../kit/oauth.ts'
import type { Connect, ConnectContext } from '../network.ts'
import { accountsOf, type Location, locationsOf, readAll } from './api.ts'
import { manifest, SCOPE, TITLE } from './manifest.ts'
import { errors, NO_QUOTA } from './outcomes.ts'

/** Far more than a person manages; somebody with more learns that it is too much. */
const MAX_PAGES = 50

export const connect: Connect = {
  ...codeGrant({
    manifest,
    requires: ['CLIENT_ID', 'CLIENT_SECRET'],
    pkce: true,
    page: ({ endpoint }) => `${endpoint('authorize')}/o/oauth2/v2/auth`,
    tokens: ({ endpoint }) => `${endpoint('token')}/token`,
    app: appInForm,
    scopes: () => [SCOPE],
    // Without the first two there is no refresh token after the first sign-in.
    asks: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
    missing: () =>
      'The permission to manage the business was not granted. Connect again and leave its box ticked on the page of Google.',
    withoutRefresh:
      'Google gave access for an hour only, without a refresh token. Remove the access of this app at https://myaccount.google.com/permissions, then connect again.',
    /** Every location that the person manages and that takes posts, as an account of its own. */
    async accounts(context, { accessToken, refreshToken, expiresAt }) {
      const locations = await listLocations(context, accessToken)
      if (!Array.isArray(locations)) return locations
      const [first, ...others] = locations.map(({ account, name, title, address, mapsUri }) => {
        // Branches of one name are distinguished by where they are.
        const shared = locations.filter((other) => other.title === title).length > 1
        return {
          // The location alone: which account shows it depends on who signs in, and changes when locations are grouped.
          externalId: name,
          name: shared && address !== '' ? `${title}, ${address}` : title,
          username: null,
          profileUrl: mapsUri,
          avatarUrl: null,
          // Calls want the account in front by which this very person reaches it.
          credentials: { accessToken, refreshToken: refreshToken ?? '', account },
          expiresAt,
        }
      })
      return first ? { kind: 'accounts', accounts: [first, ...others] } : failed(NONE)
    },
  }),
  // A refresh token that is not used for six months lapses.
  renewEveryMs: 60 * DAY_MS,
}

/** `account`: `accounts/1`, which the API for posts wants in front of the location's name. */
type ManagedLocation = Location & { account: string }

/**
 * Locations that the signed-in person manages, over all of their accounts, without those where Google lets no program
 * post, and those that cannot be read. One that several accounts show is listed once, under the first of them. When there is
 * none, the answer says why as far as it is known.
 */
async function listLocations(context: ConnectContext, accessToken: string) {
  const caller = { ...context, credentials: { accessToken } }
  const accounts = await readAll(caller, accountsOf(caller), MAX_PAGES)
  if (accounts.kind === 'failed') return failed(`${TITLE} could not be reached. ${accounts.message}`)
  if (accounts.kind === 'refused') return failed(wordsFor(context, accounts.answer))
  if (accounts.value.more) return failed(TOO_MANY)

  const found = new Map<string, ManagedLocation>()
  let [hidden, refusal] = ['', '']
  for (const account of [...new Set(accounts.value.entries)].sort()) {
    const listed = await readAll(caller, locationsOf(caller, account), MAX_PAGES)
    if (listed.kind === 'failed') return failed(`${TITLE} could not be reached. ${listed.message}`)
    if (listed.kind === 'refused') {
      // An account that shows its locations to owners alone is no reason to leave out the others.
      if (!isLocked(listed.answer)) return failed(wordsFor(context, listed.answer))
      refusal ||= wordsFor(context, listed.answer)
      continue
    }
    if (listed.value.more) return failed(TOO_MANY)
    for (const location of listed.value.entries) {
      if (location.canPost === false) hidden = ALL_HIDDEN
      else if (!found.has(location.name)) found.set(location.name, { ...location, account })
    }
  }
  const why = refusal || hidden
  return found.size === 0 && why ? failed(why) : [...found.values()]
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

const failed = (message: string) => ({ kind: 'failed', message }) as const
