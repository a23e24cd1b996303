import type { Connect, ConnectContext, Credentials, NetworkIdentity, OAuth, SignInOutcome } from '../network.ts'
import { addressWith, refreshGrant, requestToken } from '../toolkit/oauth.ts'
import { listLocations, type ManagedLocation } from './locations.ts'
import { SCOPE, TITLE } from './manifest.ts'

const DAY_MS = 24 * 3_600_000
const REVOKE = 'Remove the access of this app at https://myaccount.google.com/permissions, then connect again.'

const oauth: OAuth = {
  requires: ['CLIENT_ID', 'CLIENT_SECRET'],
  pkce: true,
  authorizeUrl: (context, { state, redirectUri, codeChallenge }) =>
    addressWith(`${context.endpoint('authorize')}/o/oauth2/v2/auth`, {
      client_id: context.setting('CLIENT_ID'),
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: SCOPE,
      // Without these two there is no refresh token after the first sign-in.
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      state,
      code_challenge: codeChallenge,
      code_challenge_method: codeChallenge === null ? null : 'S256',
    }),
  complete,
}

export const connect: Connect = {
  oauth,
  refresh: (context, { credentials }) =>
    // Anything but invalid_grant is about this installation's client, not about the person's consent.
    refreshGrant(context, TITLE, credentials, { url: tokenUrl(context), form: client(context) }, ['invalid_grant']),
  // A refresh token that nobody uses for six months lapses.
  renewEveryMs: 60 * DAY_MS,
}

const tokenUrl = (context: ConnectContext) => `${context.endpoint('token')}/token`

const client = (context: ConnectContext) => ({
  client_id: context.setting('CLIENT_ID'),
  client_secret: context.setting('CLIENT_SECRET'),
})

/** Every location that the person manages and that takes posts, as an account of its own. */
async function complete(
  context: ConnectContext,
  grant: { code: string; redirectUri: string; codeVerifier: string | null },
): Promise<SignInOutcome> {
  const form = {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    ...client(context),
    ...(grant.codeVerifier === null ? {} : { code_verifier: grant.codeVerifier }),
  }
  const asked = await requestToken(context, TITLE, { method: 'POST', url: tokenUrl(context), form })
  if (asked.kind === 'failed') return asked
  if (asked.kind === 'refused') {
    if (asked.error === 'invalid_grant') {
      return failed(
        'Google no longer accepts this sign-in: it was used before or is too old. Connect the account again.',
      )
    }
    return failed(asked.message)
  }
  const { token } = asked
  if (token.scope !== null && !token.scope.split(' ').includes(SCOPE)) {
    return failed(
      'The permission to manage the business was not granted. Connect again and leave its box ticked on the page of Google.',
    )
  }
  if (token.refreshToken === null) {
    return failed(`Google gave access for an hour only, without a refresh token. ${REVOKE}`)
  }
  const listed = await listLocations(context, token.accessToken)
  if (listed.kind === 'failed') return listed
  const credentials: Credentials = { accessToken: token.accessToken, refreshToken: token.refreshToken }
  const [first, ...others] = identitiesOf(listed.locations, credentials, token.expiresAt)
  return first ? { kind: 'accounts', accounts: [first, ...others] } : failed(listed.none)
}

function identitiesOf(
  locations: readonly ManagedLocation[],
  credentials: Credentials,
  expiresAt: Date | null,
): NetworkIdentity[] {
  return locations.map(({ account, name, title, address, mapsUri }) => {
    // Branches of one name are told apart by where they are.
    const shared = locations.filter((other) => other.title === title).length > 1
    return {
      // The location alone: which account shows it depends on who signs in, and changes when locations are grouped.
      externalId: name,
      name: shared && address !== '' ? `${title}, ${address}` : title,
      username: null,
      profileUrl: mapsUri,
      avatarUrl: null,
      // Calls want the account in front by which this very person reaches it.
      credentials: { ...credentials, account },
      expiresAt,
    }
  })
}

const failed = (message: string): SignInOutcome => ({ kind: 'failed', message })
