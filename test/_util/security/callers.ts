import { type ErrorCode, type Right, ROLES, rightsOf, SCOPES, type Scope } from '#contract'
import type { DeclaredRoute } from '#http'
import { type Person, signInAs } from '../api/members.ts'
import type { Fixture } from './fixture.ts'
import type { Outcome, Outside, Row } from './row.ts'

/** A caller of a route, and the outcome that is expected. */
export interface Caller {
  name: string
  headers: Record<string, string>
  /** `done`: the request succeeds. */
  expected: 'done' | Outcome | ((answer: unknown) => void)
  /** A member who is signed in; null for other callers. */
  person: Person | null
  /** Must not see the account's social set in the answer. */
  outsider: boolean
}

const OUR_PAGE = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
const OTHER_SITE = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
const withKey = (key: string) => ({ authorization: `Bearer ${key}` })
const refused = (status: number, code: ErrorCode): Outcome => [status, code]

/** All callers of a route, with their outcomes by the right that it declares and the contract's table of rights. */
export async function callersOf(fixture: Fixture, route: DeclaredRoute, row: Row): Promise<Caller[]> {
  const needed = [...(route.right ? [route.right] : []), ...(row.rights ?? [])]
  if (route.url.startsWith('/v1/')) return keys(fixture, needed as Scope[], row)
  if (route.open) return signedOut(fixture, 'done')
  const out = signedOut(fixture, refused(401, 'auth:not_signed_in'))
  if (route.operator) return [...out, ...(await operators(fixture))]
  return [...out, ...(await signedIn(fixture, needed, row))]
}

/** What a row needs to know of a caller besides the person: of a key whose request succeeds, that. */
export function keyOf(route: DeclaredRoute, { expected, headers }: Pick<Caller, 'expected' | 'headers'>) {
  const [, key = null] = /^Bearer (.*)$/.exec(headers.authorization ?? '') ?? []
  return { forKeys: route.url.startsWith('/v1/'), key: expected === 'done' ? key : null }
}

async function keys(fixture: Fixture, scopes: readonly Scope[], row: Row): Promise<Caller[]> {
  const { api, members } = fixture
  const caller = (name: string, headers: Record<string, string>, expected: Caller['expected'], outsider = false) => ({
    name,
    headers,
    expected,
    person: null,
    outsider: outsider || expected !== 'done',
  })
  const missing = refused(401, 'auth:missing_credential')
  const insufficient = refused(403, 'auth:insufficient_scope')
  const lacking = scopes.map(async (scope) => {
    const key = await fixture.keyWith(SCOPES.filter((other) => other !== scope))
    return caller(`a key with every scope but ${scope}`, withKey(key), insufficient)
  })
  return [
    caller('no credential', {}, missing),
    caller('a session without a key', { ...OUR_PAGE, cookie: members.owner.cookie }, missing),
    caller('a key revoked with its member', withKey(fixture.leaverKey), refused(401, 'auth:invalid_credential')),
    caller('a key without scopes', withKey(await fixture.keyWith([])), scopes.length > 0 ? insufficient : 'done'),
    ...(await Promise.all(lacking)),
    caller('a key with the needed scopes alone', withKey(await fixture.keyWith(scopes)), 'done'),
    // Browsers do not send keys by themselves, so the origin does not matter.
    caller('a key from another site', { ...withKey(api.key), ...OTHER_SITE }, 'done'),
    caller('a key of another account', withKey(fixture.strangerKey), of(row.outside), true),
    caller('a key for other social sets', withKey(fixture.restrictedKey), of(row.restricted ?? row.outside), true),
  ]
}

async function signedIn(fixture: Fixture, rights: readonly Right[], row: Row): Promise<Caller[]> {
  const { api, members } = fixture
  const caller = async (
    name: string,
    standing: Person,
    expected: Caller['expected'],
    again: () => Promise<Person>,
    outsider = false,
  ): Promise<Caller> => {
    const person = row.endsSession && expected === 'done' ? await again() : standing
    const headers = { ...OUR_PAGE, cookie: person.cookie }
    return { name, headers, expected, person, outsider: outsider || expected !== 'done' }
  }
  const roles = ROLES.map((role) => {
    const may = rights.every((right) => rightsOf(role).includes(right))
    const expected = may ? 'done' : refused(403, 'auth:insufficient_role')
    return caller(role, members[role], expected, () => signInAs(api, role))
  })
  const stranger = async () => signInAs(api, 'owner', { accountId: await api.newAccount() })
  const restricted = () => signInAs(api, 'admin', { socialSetIds: [] })
  return Promise.all([
    ...roles,
    caller('the owner of another account', fixture.stranger, of(row.outside), stranger, true),
    caller('an admin of other social sets', fixture.restricted, of(row.restricted ?? row.outside), restricted, true),
  ])
}

/** For members of every role there is nothing, unless they operate the installation. */
async function operators({ members, stranger, operator }: Fixture): Promise<Caller[]> {
  const nothing = refused(404, 'route:not_found')
  const caller = (name: string, person: Person, expected: Caller['expected']): Caller => {
    const headers = { ...OUR_PAGE, cookie: person.cookie }
    return { name, headers, expected, person, outsider: expected !== 'done' }
  }
  return [
    ...ROLES.map((role) => caller(role, members[role], nothing)),
    caller('the owner of another account', stranger, nothing),
    caller('a reviewer who operates the installation', operator, 'done'),
  ]
}

/** Callers without a session, and another site in the browser of a member. */
function signedOut({ api, members, leaver }: Fixture, expected: Caller['expected']): Caller[] {
  const caller = (name: string, headers: Record<string, string>, expected: Caller['expected']): Caller => ({
    name,
    headers,
    expected,
    person: null,
    outsider: expected !== 'done',
  })
  return [
    caller('no session', OUR_PAGE, expected),
    caller('a member who has left', { ...OUR_PAGE, cookie: leaver.cookie }, expected),
    caller('a key instead of a session', { ...OUR_PAGE, ...withKey(api.key) }, expected),
    caller('another site', { ...OTHER_SITE, cookie: members.owner.cookie }, refused(403, 'auth:cross_site_request')),
  ]
}

function of(outside: Outside): Caller['expected'] {
  if (outside === 'own') return 'done'
  return typeof outside === 'string' ? refused(404, outside) : outside
}
