import { asDocumented, type Checks, readProbe } from '../kit/checks.ts'
import { addressWith } from '../kit/oauth.ts'
import { number, record, string } from '../kit/read-json.ts'
import { call } from './api.ts'
import { errors } from './outcomes.ts'
import { organizationUrn, parsePosts } from './wire.ts'

const isPage = (externalId: string) => organizationUrn(externalId) !== undefined

const POST_KEYS = [
  'elements[].id',
  'elements[].author',
  'elements[].commentary?',
  'elements[].visibility?',
  'elements[].distribution.*',
  'elements[].content.*',
  'elements[].lifecycleState?',
  'elements[].lifecycleStateInfo.*',
  'elements[].isReshareDisabledByAuthor?',
  'elements[].createdAt?',
  'elements[].publishedAt?',
  'elements[].lastModifiedAt?',
  'paging.*',
]

/** What only a real account can tell. */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'token',
      settles: 'when the token ends, and which scopes it has',
      documented: [
        'active',
        'auth_type?',
        'authorized_at?',
        'client_id?',
        'created_at?',
        'expires_at?',
        'scope?',
        'status?',
      ],
      /** https://learn.microsoft.com/en-us/linkedin/shared/authentication/token-introspection (read 2026-11-21) */
      read(look) {
        const { setting, credentials, account } = look
        const app = isPage(account.externalId) && setting('PAGE_CLIENT_ID') !== '' ? 'PAGE_' : ''
        const form = new URLSearchParams({
          client_id: setting(`${app}CLIENT_ID`),
          client_secret: setting(`${app}CLIENT_SECRET`),
          token: credentials.accessToken ?? '',
        })
        return call(look, {
          method: 'POST',
          path: addressWith(`${look.endpoint('web')}/oauth/v2/introspectToken`, {}),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: Buffer.from(form.toString()),
          reads: true,
          timeoutMs: 15_000,
          parse: readToken,
        })
      },
      says: ({ scope, endsAt }, { now }) =>
        `Scopes: ${scope ?? 'none named'}. ${endsAt ? `It ends in ${Math.round((endsAt * 1000 - now().getTime()) / 86_400_000)} d.` : 'No end is named.'}`,
      differs: ({ isActive }) => (isActive ? null : 'LinkedIn calls the token inactive.'),
    }),
    readProbe({
      name: 'account',
      settles: 'whether the person can be read',
      accountTypes: ['LINKEDIN_PERSONAL'],
      documented: [
        'sub',
        'name?',
        'given_name?',
        'family_name?',
        'picture?',
        'locale?',
        'locale.*',
        'email?',
        'email_verified?',
      ],
      read: (look) =>
        call(look, {
          method: 'GET',
          path: 'v2/userinfo',
          timeoutMs: 15_000,
          parse: (body) => string(record(body)?.sub),
        }),
    }),
    readProbe({
      name: 'page',
      settles: 'whether the page can be read',
      accountTypes: ['LINKEDIN_PAGE'],
      read: (look) =>
        call(look, {
          method: 'GET',
          path: `rest/organizations/${look.account.externalId.split(':').at(-1)}`,
          timeoutMs: 15_000,
          parse: (body) => (record(body)?.localizedName === undefined ? undefined : true),
        }),
    }),
    readProbe({
      name: 'pages',
      settles: 'which roles and kinds of pages are listed',
      accountTypes: ['LINKEDIN_PAGE'],
      documented: [
        'elements[].role',
        'elements[].state?',
        'elements[].roleAssignee?',
        'elements[].organization?',
        'elements[].organizationTarget?',
        'elements[].organizationalTarget?',
        'paging.*',
      ],
      read: (look) =>
        call(look, {
          method: 'GET',
          path: 'rest/organizationAcls',
          query: { q: 'roleAssignee', state: 'APPROVED', start: '0', count: '100' },
          headers: { 'x-restli-method': 'FINDER' },
          timeoutMs: 15_000,
          parse: readRoles,
        }),
      says: (kinds) => `Pages by kind: ${kinds.join(', ') || 'none'}.`,
      differs(kinds) {
        const others = kinds.filter((kind) => !/^(organization|organizationBrand)$/.test(kind))
        return others.length > 0 ? `Pages of another kind are listed: ${others.join(', ')}.` : null
      },
    }),
    readProbe({
      name: 'posts',
      settles: 'whether posts can be listed, by which a lost one is found',
      documented: POST_KEYS,
      read: (look) =>
        call(look, {
          method: 'GET',
          path: 'rest/posts',
          query: { q: 'author', author: look.account.externalId, count: '5', sortBy: 'LAST_MODIFIED' },
          headers: { 'x-restli-method': 'FINDER' },
          timeoutMs: 15_000,
          parse: parsePosts,
        }),
      says: (posts) => (posts.length === 0 ? 'The listing is empty.' : `${posts.length} posts could be read.`),
      refused: ({ status, text }) =>
        status === 403 && !/organization/.test(text)
          ? asDocumented('The network refuses it, as to every app without the closed permission r_member_social.')
          : null,
    }),
  ],
  noLookup: ({ account }) =>
    isPage(account.externalId)
      ? null
      : 'People cannot list their posts: a lost one is known only by publishing the same again, which is not tried here.',
  /** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (read 2026-11-21) */
  remove: (look, providerId) =>
    call(look, {
      method: 'DELETE',
      path: `rest/posts/${encodeURIComponent(providerId)}`,
      headers: { 'x-restli-method': 'DELETE' },
      timeoutMs: 15_000,
      parse: () => true,
    }),
  byHand: 'Open the post on linkedin.com, open its menu and choose "Delete post".',
}

function readToken(body: unknown) {
  const token = record(body)
  if (typeof token?.active !== 'boolean') return undefined
  return { isActive: token.active, scope: string(token.scope), endsAt: number(token.expires_at) }
}

/** Kinds of urns: `organization`, `organizationBrand`. */
function readRoles(body: unknown): string[] | undefined {
  const elements = record(body)?.elements
  if (!Array.isArray(elements)) return undefined
  const kinds = elements.map((each) => {
    const { organization, organizationTarget, organizationalTarget } = record(each) ?? {}
    const urn = string(organization ?? organizationTarget ?? organizationalTarget) ?? ''
    return urn.split(':')[2] ?? 'unknown'
  })
  return [...new Set(kinds)]
}
