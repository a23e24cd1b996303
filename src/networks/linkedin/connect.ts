import type { AccountType } from '#contract'
import type { Caller, Fruitless } from '../kit/api.ts'
import { accountFrom, appInForm, codeGrant, type TokenAnswer } from '../kit/oauth.ts'
import { record, string, webAddress } from '../kit/read-json.ts'
import type { Connect, ConnectContext, NetworkIdentity, SignInOutcome } from '../network.ts'
import { call } from './api.ts'
import { manifest } from './manifest.ts'
import { errors } from './outcomes.ts'
import { organizationUrn, pageUrn, parseError, parseLogo } from './wire.ts'

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
  ...codeGrant({
    manifest,
    requires: ['CLIENT_ID', 'CLIENT_SECRET'],
    page: ({ endpoint }) => `${endpoint('web')}/oauth/v2/authorization`,
    tokens: ({ endpoint }) => `${endpoint('web')}/oauth/v2/accessToken`,
    // The Community Management API wants an app that has no other product, so pages may have one of their own.
    app(context, { accountType, externalId }) {
      const isPage = accountType === 'LINKEDIN_PAGE' || organizationUrn(externalId) !== undefined
      return appInForm(context, {}, isPage && context.setting('PAGE_CLIENT_ID') !== '' ? 'PAGE_' : '')
    },
    furtherApps: ['PAGE_'],
    // So it refuses a code of an app that it knows. In which order it looks at app and code is not documented.
    appAnswers: [{ words: /does not match authorization code/i, says: 'works' }],
    scopes: (_, accountType) => SCOPES[accountType] ?? [],
    // Most apps get none. A wrong secret of the app is refused too, and says nothing of the grant.
    mayLackRefresh: true,
    dead: /refresh token\b.*\b(invalid|expired|revoked)/i,
    accounts: (context, token, accountType) =>
      accountType === 'LINKEDIN_PAGE' ? pagesOf(context, token) : personOf(context, token),
  }),
  // A refresh does not lengthen the life of the refresh token, so there is none but for an access token that ends:
  // https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens (read 2026-11-21).
  canRefresh: ({ refreshToken }) => refreshToken !== undefined,
}

const failed = (message: string) => ({ kind: 'failed', message }) as const

function credentialsOf({ accessToken, refreshToken }: TokenAnswer): NetworkIdentity['credentials'] {
  return { accessToken, ...(refreshToken === null ? {} : { refreshToken }) }
}

/** https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 (read 2026-11-21) */
async function personOf(context: ConnectContext, token: TokenAnswer): Promise<SignInOutcome> {
  const credentials = credentialsOf(token)
  const asked = await call({ ...context, credentials }, { method: 'GET', path: 'v2/userinfo', parse: parsePerson })
  return accountFrom({ title: 'LinkedIn', errors, now: context.now() }, asked, ({ id, name, picture }) => ({
    externalId: `urn:li:person:${id}`,
    name,
    username: null,
    profileUrl: null,
    avatarUrl: picture,
    credentials,
    expiresAt: token.expiresAt,
  }))
}

function parsePerson(json: unknown) {
  const person = record(json)
  const id = string(person?.sub)
  if (id === undefined || !/^[\w-]{1,64}$/.test(id)) return undefined
  return { id, name: string(person?.name) ?? 'LinkedIn member', picture: webAddress(person?.picture) }
}

/** Every page on which the person may post, under the person's own token. */
async function pagesOf(context: ConnectContext, token: TokenAnswer): Promise<SignInOutcome> {
  const credentials = credentialsOf(token)
  const caller = { ...context, credentials }
  const urns = new Set<string>()
  let seen = 0
  for (let count = AT_A_TIME; count === AT_A_TIME && seen < MAX_PAGES; seen += count) {
    const asked = await call(caller, {
      method: 'GET',
      path: 'rest/organizationAcls',
      query: { q: 'roleAssignee', state: 'APPROVED', start: String(seen), count: String(AT_A_TIME) },
      headers: { 'x-restli-method': 'FINDER' },
      parse(json) {
        const elements = record(json)?.elements
        return Array.isArray(elements) ? elements.map((each) => record(each)) : undefined
      },
    })
    if (asked.kind !== 'ok') return failed(`LinkedIn did not list the pages of this person. ${wordsOf(asked)}`)
    count = asked.value.length
    for (const acl of asked.value) {
      const urn = pageUrn(acl?.organization ?? acl?.organizationTarget ?? acl?.organizationalTarget)
      if (urn && POSTING_ROLES.includes(String(acl?.role))) urns.add(urn)
    }
  }
  const accounts: NetworkIdentity[] = []
  for (const urn of urns) {
    const [details, avatarUrl] = await Promise.all([pageDetails(caller, urn), logoOf(caller, urn)])
    if (details.kind === 'failed') return details
    accounts.push({ externalId: urn, ...details.page, avatarUrl, credentials, expiresAt: token.expiresAt })
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
  const id = numberOf(urn)
  const asked = await call(caller, {
    method: 'GET',
    path: `rest/organizations/${id}`,
    parse(json) {
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

/** The logo of a page. Without one, or when it cannot be had, the page is shown without. */
async function logoOf(caller: Caller, urn: string): Promise<string | null> {
  const asked = await call(caller, {
    method: 'GET',
    // The versioned API does not resolve pictures. Brackets of a projection are not written in another way.
    path: `v2/organizations/${numberOf(urn)}?projection=(logoV2(original~:playableStreams))`,
    timeoutMs: 10_000,
    parse: parseLogo,
  })
  return asked.kind === 'ok' ? asked.value : null
}

const numberOf = (urn: string) => urn.slice('urn:li:organization:'.length)

function wordsOf(asked: Fruitless): string {
  if (asked.kind === 'failed') return asked.message
  const { message } = parseError(asked.answer)
  return message === '' ? `It answered ${asked.answer.status}. Try again later.` : `It says: ${message}`
}
