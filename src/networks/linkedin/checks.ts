import { asDocumented, type Checks, daysTo, type Look, readProbe } from '../kit/checks.ts'
import { number, record, string } from '../kit/read-json.ts'
import { appOf } from './connect.ts'
import { errors } from './outcomes.ts'
import { call, get, listPosts, listRoles, organizationUrn } from './wire.ts'

const timeoutMs = 15_000
const keys = (names: string) => names.split(/\s+/)
/** Keys of a listing by those of its entries. */
const listed = (names: string) => ['paging.*', ...keys(names).map((name) => `elements[].${name}`)]
const CLOSED = 'The network refuses it, as to every app without the closed permission r_member_social.'
const NO_LOOKUP =
  'People cannot list their posts: a lost one is known only by publishing the same again, which is not tried here.'

/** https://learn.microsoft.com/en-us/linkedin/shared/authentication/token-introspection (read 2026-11-21) */
function introspect(look: Look) {
  const form = new URLSearchParams({ ...appOf(look, look.account).form, token: look.credentials.accessToken ?? '' })
  const path = `${look.endpoint('web')}/oauth/v2/introspectToken`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = Buffer.from(`${form}`)
  return call(look, { method: 'POST', path, headers, body, reads: true, timeoutMs, parse: record })
}

/** What only a real account can show. */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'token',
      settles: 'when the token ends, and which scopes it has',
      documented: keys('active auth_type? authorized_at? client_id? created_at? expires_at? scope? status?'),
      read: introspect,
      says({ scope, expires_at }, { now }) {
        const endsAt = number(expires_at)
        return `Scopes: ${string(scope) ?? 'none named'}. ${endsAt ? `It ends in ${daysTo(endsAt, now())} d.` : 'No end is named.'}`
      },
      differs: ({ active }) => (active === true ? null : 'LinkedIn calls the token inactive.'),
    }),
    readProbe({
      name: 'account',
      settles: 'whether the person can be read',
      accountTypes: ['LINKEDIN_PERSONAL'],
      documented: keys('sub name? given_name? family_name? picture? locale? locale.* email? email_verified?'),
      read: (look) => get(look, 'v2/userinfo', (body) => string(record(body)?.sub)),
    }),
    readProbe({
      name: 'page',
      settles: 'whether the page can be read',
      accountTypes: ['LINKEDIN_PAGE'],
      read: (look) => get(look, `rest/organizations/${look.account.externalId.split(':').at(-1)}`, record),
      differs: ({ localizedName }) => (string(localizedName) ? null : 'LinkedIn does not name the page.'),
    }),
    readProbe({
      name: 'pages',
      settles: 'which roles and kinds of pages are listed',
      accountTypes: ['LINKEDIN_PAGE'],
      documented: listed('role state? roleAssignee? organization? organizationTarget? organizationalTarget?'),
      read: (look) => listRoles(look, 0, 100),
      says: (roles) => `Pages by kind: ${kindsOf(roles).join(', ') || 'none'}.`,
      differs(roles) {
        const others = kindsOf(roles).filter((kind) => !/^organization(Brand)?$/.test(kind))
        return others.length > 0 ? `Pages of another kind are listed: ${others.join(', ')}.` : null
      },
    }),
    readProbe({
      name: 'posts',
      settles: 'whether posts can be listed, by which a lost one is found',
      documented: listed(
        `id author commentary? visibility? distribution.* content.* lifecycleState? lifecycleStateInfo.*
        isReshareDisabledByAuthor? createdAt? publishedAt? lastModifiedAt?`,
      ),
      read: (look) => listPosts(look, look.account.externalId, 5),
      says: (posts) => (posts.length === 0 ? 'The listing is empty.' : `${posts.length} posts could be read.`),
      refused: ({ status, text }) => (status === 403 && !/organization/.test(text) ? asDocumented(CLOSED) : null),
    }),
  ],
  noLookup: ({ account }) => (organizationUrn(account.externalId) ? null : NO_LOOKUP),
  /** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (read 2026-11-21) */
  remove(look, providerId) {
    const headers = { 'x-restli-method': 'DELETE' }
    const path = `rest/posts/${encodeURIComponent(providerId)}`
    return call(look, { method: 'DELETE', path, headers, timeoutMs, parse: () => true })
  },
  byHand: 'Open the post on linkedin.com, open its menu and choose "Delete post".',
}

/** Kinds of urns: `organization`, `organizationBrand`. */
const kindsOf = (roles: readonly { page: string }[]) => [
  ...new Set(roles.map(({ page }) => page.split(':')[2] ?? 'unknown')),
]
