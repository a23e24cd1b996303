import { appInForm, codeGrant } from '../kit/oauth.ts'
import type { Connect, Credentials, NetworkIdentity } from '../network.ts'
import { listLocations, type ManagedLocation } from './locations.ts'
import { manifest, SCOPE } from './manifest.ts'

const DAY_MS = 24 * 3_600_000

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
      const listed = await listLocations(context, accessToken)
      if (listed.kind === 'failed') return listed
      const credentials = { accessToken, refreshToken: refreshToken ?? '' }
      const [first, ...others] = identitiesOf(listed.locations, credentials, expiresAt)
      if (!first) return { kind: 'failed', message: listed.none }
      return { kind: 'accounts', accounts: [first, ...others] }
    },
  }),
  // A refresh token that nobody uses for six months lapses.
  renewEveryMs: 60 * DAY_MS,
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
