import type { AccountType } from '#contract'
import type { Connect, ConnectContext, NetworkIdentity, RefreshOutcome, SignInOutcome } from '../network.ts'
import { addressWith, requestToken, type TokenAnswer } from '../toolkit/oauth.ts'
import { record, string, webAddress } from '../toolkit/read-json.ts'
import { type Caller, call } from './api.ts'
import { organizationUrn, parseError } from './wire.ts'

/**
 * How accounts are connected. Sign-in:
 * https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow; pages and roles:
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-access-control-by-role
 * (both read 2026-11-21).
 */

/** What is asked for, and needed. */
export const SCOPES: Partial<Record<AccountType, readonly string[]>> = {
  LINKEDIN_PERSONAL: ['openid', 'profile', 'w_member_social'],
  LINKEDIN_PAGE: ['rw_organization_admin', 'r_organization_social', 'w_organization_social'],
}

/** Roles on a page that may post. The second name of the content administrator is that of older versions. */
const POSTING_ROLES = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR', 'CONTENT_ADMIN']
/** Pages of a person that are looked through, and how many come at a time. */
const MAX_PAGES = 500
const AT_A_TIME = 100

export const connect: Connect = {
  oauth: {
    requires: ['CLIENT_ID', 'CLIENT_SECRET'],
    // Not part of the flow for programs that keep a secret.
    pkce: false,
    authorizeUrl(context, { accountType, state, redirectUri }) {
      return addressWith(`${context.endpoint('web')}/oauth/v2/authorization`, {
        response_type: 'code',
        client_id: appOf(context, accountType === 'LINKEDIN_PAGE').id,
        redirect_uri: redirectUri,
        state,
        scope: (SCOPES[accountType] ?? []).join(' '),
      })
    },
    async complete(context, { accountType, code, redirectUri }) {
      const page = accountType === 'LINKEDIN_PAGE'
      const app = appOf(context, page)
      const asked = await requestToken(context, 'LinkedIn', {
        method: 'POST',
        url: tokenUrl(context),
        form: {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          client_id: app.id,
          client_secret: app.secret,
        },
      })
      if (asked.kind !== 'token') return failed(asked.message)
      const missing = missingScopes(accountType, asked.token.scope)
      if (missing.length > 0) {
        return failed(
          `LinkedIn did not grant ${missing.join(', ')}. Sign in again and allow everything that is asked for.`,
        )
      }
      return page ? pagesOf(context, asked.token) : personOf(context, asked.token)
    },
  },
  // A refresh does not lengthen the life of the refresh token, so there is none but for an access token that ends.
  refresh,
  canRefresh: ({ refreshToken }) => refreshToken !== undefined,
}

const failed = (message: string) => ({ kind: 'failed', message }) as const
const tokenUrl = (context: ConnectContext) => `${context.endpoint('web')}/oauth/v2/accessToken`

/** The Community Management API wants an app that has no other product, so pages may have one of their own. */
function appOf({ setting }: ConnectContext, page: boolean): { id: string; secret: string } {
  if (page && setting('PAGE_CLIENT_ID') !== '')
    return { id: setting('PAGE_CLIENT_ID'), secret: setting('PAGE_CLIENT_SECRET') }
  return { id: setting('CLIENT_ID'), secret: setting('CLIENT_SECRET') }
}

/** Those that were asked for and are not in the answer. LinkedIn parts them by commas or spaces. */
function missingScopes(accountType: AccountType, granted: string | null): string[] {
  if (granted === null) return []
  const names = granted.split(/[\s,]+/)
  return (SCOPES[accountType] ?? []).filter((scope) => !names.includes(scope))
}

function credentialsOf({ accessToken, refreshToken }: TokenAnswer): NetworkIdentity['credentials'] {
  return { accessToken, ...(refreshToken === null ? {} : { refreshToken }) }
}

/** https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 (read 2026-11-21) */
async function personOf(context: ConnectContext, token: TokenAnswer): Promise<SignInOutcome> {
  const credentials = credentialsOf(token)
  const asked = await call(callerOf(context, credentials), {
    method: 'GET',
    path: 'v2/userinfo',
    parse({ json }) {
      const person = record(json)
      const id = string(person?.sub)
      if (id === undefined || !/^[\w-]{1,64}$/.test(id)) return undefined
      return { id, name: string(person?.name) ?? 'LinkedIn member', picture: webAddress(person?.picture) }
    },
  })
  if (asked.kind !== 'ok') return failed(`LinkedIn did not say who signed in. ${wordsOf(asked)}`)
  const { id, name, picture } = asked.value
  const identity: NetworkIdentity = {
    externalId: `urn:li:person:${id}`,
    name,
    username: null,
    profileUrl: null,
    avatarUrl: picture,
    credentials,
    expiresAt: token.expiresAt,
  }
  return { kind: 'accounts', accounts: [identity] }
}

/** Every page on which the person may post, under the person's own token. */
async function pagesOf(context: ConnectContext, token: TokenAnswer): Promise<SignInOutcome> {
  const credentials = credentialsOf(token)
  const caller = callerOf(context, credentials)
  const urns = new Set<string>()
  let seen = 0
  for (let count = AT_A_TIME; count === AT_A_TIME && seen < MAX_PAGES; seen += count) {
    const asked = await call(caller, {
      method: 'GET',
      path: 'rest/organizationAcls',
      query: { q: 'roleAssignee', state: 'APPROVED', start: String(seen), count: String(AT_A_TIME) },
      headers: { 'x-restli-method': 'FINDER' },
      parse({ json }) {
        const elements = record(json)?.elements
        return Array.isArray(elements) ? elements.map((each) => record(each)) : undefined
      },
    })
    if (asked.kind !== 'ok') return failed(`LinkedIn did not list the pages of this person. ${wordsOf(asked)}`)
    count = asked.value.length
    for (const acl of asked.value) {
      const urn = organizationUrn(acl?.organization ?? acl?.organizationTarget ?? acl?.organizationalTarget)
      if (urn && POSTING_ROLES.includes(String(acl?.role))) urns.add(urn)
    }
  }
  const accounts: NetworkIdentity[] = []
  for (const urn of urns) {
    const details = await pageDetails(caller, urn)
    if (details.kind === 'failed') return details
    accounts.push({ externalId: urn, ...details.page, avatarUrl: null, credentials, expiresAt: token.expiresAt })
  }
  const [first, ...others] = accounts
  if (first) return { kind: 'accounts', accounts: [first, ...others] }
  return failed(
    'This person may post on no LinkedIn page. Ask an administrator of the page for the role of administrator or content administrator, then sign in again.',
  )
}

type Details = { kind: 'page'; page: Pick<NetworkIdentity, 'name' | 'username' | 'profileUrl'> }

/** A content administrator may not be allowed to read them: the page can be connected all the same. */
async function pageDetails(caller: Caller, urn: string): Promise<Details | { kind: 'failed'; message: string }> {
  const id = urn.slice('urn:li:organization:'.length)
  const asked = await call(caller, {
    method: 'GET',
    path: `rest/organizations/${id}`,
    parse({ json }) {
      const page = record(json)
      return page && { name: string(page.localizedName), vanity: string(page.vanityName) }
    },
  })
  if (
    asked.kind === 'failed' ||
    (asked.kind === 'refused' && !(asked.answer.status === 403 || asked.answer.status === 404))
  ) {
    return failed(`LinkedIn did not say how a page is called. ${wordsOf(asked)}`)
  }
  const { name, vanity } = asked.kind === 'ok' ? asked.value : {}
  return {
    kind: 'page',
    page: {
      name: name ?? `LinkedIn page ${id}`,
      username: vanity ?? null,
      profileUrl: `https://www.linkedin.com/company/${encodeURIComponent(vanity ?? id)}/`,
    },
  }
}

const callerOf = (context: ConnectContext, credentials: NetworkIdentity['credentials']): Caller => ({
  endpoint: context.endpoint,
  setting: context.setting,
  http: context.http,
  signal: context.signal,
  credentials,
})

function wordsOf(asked: Exclude<Awaited<ReturnType<typeof call>>, { kind: 'ok' }>): string {
  if (asked.kind === 'failed') return asked.message
  const { message } = parseError(asked.answer)
  return message === '' ? `It answered ${asked.answer.status}. Try again later.` : `It says: ${message}`
}

/** https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens (read 2026-11-21) */
async function refresh(
  context: ConnectContext,
  { externalId, credentials }: { externalId: string; credentials: NetworkIdentity['credentials'] },
): Promise<RefreshOutcome> {
  const { refreshToken } = credentials
  // Most apps get none. The access token may be good for a while yet; LinkedIn says so when it is not.
  if (!refreshToken) {
    return { kind: 'failed', message: 'LinkedIn gave no refresh token. Connect the account again when it asks for it.' }
  }
  const app = appOf(context, organizationUrn(externalId) !== undefined)
  const asked = await requestToken(context, 'LinkedIn', {
    method: 'POST',
    url: tokenUrl(context),
    form: { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: app.id, client_secret: app.secret },
  })
  if (asked.kind === 'token') {
    const { accessToken, expiresAt } = asked.token
    const kept = asked.token.refreshToken ?? refreshToken
    return { kind: 'refreshed', credentials: { ...credentials, accessToken, refreshToken: kept }, expiresAt }
  }
  // A wrong secret of the app is refused too, and says nothing of the grant.
  const over =
    asked.kind === 'refused' &&
    (asked.error === 'invalid_grant' || /refresh token\b.*\b(invalid|expired|revoked)/i.test(asked.message))
  if (!over) return { kind: 'failed', message: asked.message }
  return { kind: 'dead', message: 'LinkedIn no longer accepts the sign-in. Connect the account again.' }
}
