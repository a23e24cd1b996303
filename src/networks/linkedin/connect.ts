import type { AccountType } from '#contract'
import { type Caller, type Fruitless, pages } from '../kit/api.ts'
import { accountFrom, appInForm, type CodeGrant, codeGrant } from '../kit/oauth.ts'
import { may, need, reader, string, webAddress } from '../kit/read-json.ts'
import type { Connect, ConnectContext, NetworkIdentity, SignInOutcome } from '../network.ts'
import { manifest } from './manifest.ts'
import { errors } from './outcomes.ts'
import { get, listRoles, organizationUrn, pageUrn, parseError, parseLogo, personUrn } from './wire.ts'

/**
 * How accounts are connected. Sign-in:
 * https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow; pages and roles:
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-access-control-by-role
 * (both read 2026-11-21).
 */

/** What is asked for, and needed. */
const SCOPES: Partial<Record<AccountType, readonly string[]>> = {
  LINKEDIN_PERSONAL: ['openid', 'profile', 'w_member_social'],
  LINKEDIN_PAGE: ['rw_organization_admin', 'r_organization_social', 'w_organization_social'],
}

/** What comments want beside that, where the operator's app has it. */
const COMMENT_SCOPES: Partial<Record<AccountType, readonly string[]>> = {
  LINKEDIN_PERSONAL: ['w_member_social_feed'],
  LINKEDIN_PAGE: ['r_organization_social_feed', 'w_organization_social_feed'],
}

/** Roles on a page that may post. The second name of the content administrator is that of older versions. */
const POSTING_ROLES = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR', 'CONTENT_ADMIN']
const NO_PAGE =
  'This person may post on no LinkedIn page. Ask an administrator of the page for the role of administrator or content administrator, then sign in again.'
/** Roles of a person that are looked through: how many times so many. */
const MAX_TURNS = 5
const AT_A_TIME = 100

/** The Community Management API wants an app that has no other product, so pages may have one of their own. */
export function appOf(context: Parameters<CodeGrant['app']>[0], whose: Parameters<CodeGrant['app']>[1]) {
  const { accountType, externalId } = whose
  const isPage = accountType === 'LINKEDIN_PAGE' || organizationUrn(externalId) !== undefined
  return appInForm(context, {}, isPage && context.setting('PAGE_CLIENT_ID') !== '' ? 'PAGE_' : '')
}

export const connect: Connect = {
  ...codeGrant({
    manifest,
    requires: ['CLIENT_ID', 'CLIENT_SECRET'],
    page: ({ endpoint }) => `${endpoint('web')}/oauth/v2/authorization`,
    tokens: ({ endpoint }) => `${endpoint('web')}/oauth/v2/accessToken`,
    app: appOf,
    furtherApps: ['PAGE_'],
    // So it refuses a code of an app that it knows. In which order it looks at app and code is not documented.
    appAnswers: [{ words: /does not match authorization code/i, says: 'works' }],
    scopes: ({ setting }, accountType) => [
      ...(SCOPES[accountType] ?? []),
      ...(setting('COMMENTS') === 'on' ? (COMMENT_SCOPES[accountType] ?? []) : []),
    ],
    optional: Object.values(COMMENT_SCOPES).flat(),
    // Most apps get none. A wrong secret of the app is refused too, and says nothing of the grant.
    mayLackRefresh: true,
    dead: /refresh token\b.*\b(invalid|expired|revoked)/i,
    accounts(context, { accessToken, refreshToken, expiresAt, scope }, accountType) {
      const credentials = { accessToken, ...(refreshToken === null ? {} : { refreshToken }) }
      const read = accountType === 'LINKEDIN_PAGE' ? pagesOf : personOf
      const facts = { comments: /\bw_\w+_social_feed\b/.test(scope ?? '') }
      return read({ ...context, credentials }, { credentials, expiresAt, facts })
    },
  }),
  // A refresh does not lengthen the life of the refresh token, so there is none but for an access token that ends:
  // https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens (read 2026-11-21).
  canRefresh: ({ refreshToken }) => refreshToken !== undefined,
}

type Reading = ConnectContext & Caller
type Access = Pick<NetworkIdentity, 'credentials' | 'expiresAt' | 'facts'>

const parsePerson = reader({
  externalId: need('sub', personUrn),
  name: may('name', string, 'LinkedIn member'),
  avatarUrl: may('picture', webAddress),
})

/** https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 (read 2026-11-21) */
async function personOf(caller: Reading, access: Access): Promise<SignInOutcome> {
  const asked = await get(caller, 'v2/userinfo', parsePerson)
  const reading = { title: 'LinkedIn', errors, now: caller.now() }
  return accountFrom(reading, asked, (person) => ({ ...person, username: null, profileUrl: null, ...access }))
}

/** Every page on which the person may post, under the person's own token. */
async function pagesOf(caller: Reading, access: Access): Promise<SignInOutcome> {
  const listed = await pages(MAX_TURNS, async (next) => {
    const start = Number(next)
    const roles = await listRoles(caller, start, AT_A_TIME)
    if (roles.kind !== 'ok') return roles
    const isLast = roles.value.length < AT_A_TIME
    return { kind: 'ok', value: { entries: roles.value, next: isLast ? null : String(start + AT_A_TIME) } }
  })
  if (listed.kind !== 'ok') return failed('LinkedIn did not list the pages of this person.', listed)
  const theirs = listed.value.entries.filter(({ role }) => POSTING_ROLES.includes(role))
  const accounts: NetworkIdentity[] = []
  for (const externalId of new Set(theirs.flatMap(({ page }) => pageUrn(page) ?? []))) {
    const page = await readPage(caller, externalId.slice('urn:li:organization:'.length))
    if ('kind' in page) return page
    accounts.push({ externalId, ...page, ...access })
  }
  const [first, ...others] = accounts
  return first ? { kind: 'accounts', accounts: [first, ...others] } : { kind: 'failed', message: NO_PAGE }
}

const parsePage = reader({ name: may('localizedName', string), vanity: may('vanityName', string) })

/**
 * A page as people know it. A content administrator may not be allowed to read that, and not every page has a logo: it can be
 * connected all the same.
 */
async function readPage(caller: Caller, id: string) {
  // The versioned API does not resolve pictures. Brackets of a projection are not written in another way.
  const logoPath = `v2/organizations/${id}?projection=(logoV2(original~:playableStreams))`
  const [asked, logo] = await Promise.all([
    get(caller, `rest/organizations/${id}`, parsePage),
    get(caller, logoPath, parseLogo, 10_000),
  ])
  const isHidden = asked.kind === 'refused' && [403, 404].includes(asked.answer.status)
  if (asked.kind !== 'ok' && !isHidden) return failed('LinkedIn did not say how a page is called.', asked)
  const { name, vanity } = asked.kind === 'ok' ? asked.value : { name: null, vanity: null }
  const profileUrl = `https://www.linkedin.com/company/${encodeURIComponent(vanity ?? id)}/`
  const avatarUrl = logo.kind === 'ok' ? logo.value : null
  return { name: name ?? `LinkedIn page ${id}`, username: vanity, profileUrl, avatarUrl }
}

function failed(what: string, asked: Fruitless) {
  if (asked.kind === 'failed') return { kind: 'failed', message: `${what} ${asked.message}` } as const
  const { message, status } = parseError(asked.answer)
  const why = message === '' ? `It answered ${status}. Try again later.` : `It says: ${message}`
  return { kind: 'failed', message: `${what} ${why}` } as const
}
