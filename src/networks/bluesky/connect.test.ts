import { expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import { answer, callerOf, lost } from '../kit/testing.ts'
import { network } from './index.ts'

const endpoint = (name: string) => network.manifest.endpoints[name]?.default ?? ''
const input = { service: null as string | null, identifier: 'baker.bsky.social', password: 'abcd-efgh-ijkl-mnop' }
const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'
const session = { did, handle: 'baker.bsky.social', accessJwt: 'not.a.jwt', refreshJwt: 'refresh', active: true }
/** A token that says when it ends. */
const accessJwt = `a.${Buffer.from('{"exp":1800000000}').toString('base64url')}.c`
const expiresAt = new Date(1_800_000_000_000)
/** The document of an account, which names its server. */
const at = (serviceEndpoint: unknown, id = did) => ({ id, service: [{ id: `${id}#atproto_pds`, serviceEndpoint }] })

const pds = 'https://morel.us-east.host.bsky.network'
const noRecord = answer(400, { error: 'RecordNotFound' })

/** Answers the sign-in, the question for the account's document, and that for its profile. */
function signIn(signedIn: HttpResult, document = answer(200, at(`${pds}/`)), profile = noRecord) {
  const { caller, sent } = callerOf(({ url }) => {
    if (url.includes('createSession')) return signedIn
    return url.includes('/xrpc/') ? profile : document
  })
  const context = { ...caller, endpoint }
  const connect = (more?: Partial<typeof input>) => network.connect.withPassword?.(context, { ...input, ...more })
  return { sent, connect, urls: () => sent.map(({ url }) => url) }
}
const saying = (words: string) => ({ kind: 'failed', message: expect.stringContaining(words) })

test('signs in at bsky.social, and goes on at the server that holds the account', async () => {
  const { sent, urls, connect } = signIn(answer(200, session))
  // The app puts marks of direction around a handle that is copied.
  const more = { identifier: ' \u202a@baker.bsky.social\u202c', password: `${input.password}\n` }
  expect(await connect(more)).toMatchObject({ identity: { name: session.handle, avatarUrl: null, expiresAt: null } })
  expect(sent[0]?.json).toEqual({ identifier: input.identifier, password: input.password })
  expect(urls()).toEqual([
    'https://bsky.social/xrpc/com.atproto.server.createSession',
    `https://plc.directory/${did}`,
    expect.stringContaining(`${pds}/xrpc/com.atproto.repo.getRecord?`),
  ])
  // Named, it is the same one.
  expect(await connect({ service: 'https://bsky.social/' })).toMatchObject({ kind: 'connected' })
})

test('an account has the name and the picture of its profile', async () => {
  const avatar = { $type: 'blob', ref: { $link: 'bafkrei' }, mimeType: 'image/png', size: 4 }
  const profile = answer(200, { value: { displayName: ' Corner Bakery ', avatar } })
  const identity = {
    externalId: did,
    name: 'Corner Bakery',
    username: session.handle,
    profileUrl: 'https://bsky.app/profile/baker.bsky.social',
    avatarUrl: `${pds}/xrpc/com.atproto.sync.getBlob?did=did%3Aplc%3Aewvi7nxzyoun6zhxrhs64oiz&cid=bafkrei`,
    credentials: { accessJwt, refreshJwt: 'refresh' },
    expiresAt,
    endpoints: { pds },
  }
  const { connect } = signIn(answer(200, { ...session, accessJwt }), undefined, profile)
  expect(await connect()).toEqual({ kind: 'connected', identity })
})

test('what the server that answers says of where the account lives counts for nothing', async () => {
  const service = 'https://evil.example'
  const { urls, connect } = signIn(answer(200, { ...session, didDoc: at(service) }))
  expect(await connect({ service })).toEqual({
    kind: 'failed',
    message: expect.stringMatching(/^evil\.example does not hold this account: morel\..* Name that one/),
  })
  expect(urls()).toHaveLength(2)
})

test.each<[unknown, string, number?]>([
  [{}, 'names no server'],
  [at('no address'), 'names no server'],
  [at('ftp://pds.example'), 'names no server'],
  [{ ...at('https://bsky.social'), id: 'did:plc:bbbbbbbbbbbbbbbbbbbbbbbb' }, 'names no server'],
  [{ id: did, service: [{ id: '#other', serviceEndpoint: 'https://a.example' }] }, 'names no server'],
  [{}, `plc.directory was asked where the account ${did} lives and does not know it.`, 404],
  [{}, 'does not say (status 503). Try again later.', 503],
  // No token goes out in the open to a server that was not named.
  [at('http://192.168.0.1:2583'), 'has no secure address'],
])('an account whose document is %j is not connected: %s', async (document, words, status = 200) => {
  const { urls, connect } = signIn(answer(200, session), answer(status, document))
  expect(await connect()).toEqual(saying(words))
  expect(urls()).toHaveLength(2)
})

test('a did:web is asked for on its own host', async () => {
  const own = 'did:web:pds.example'
  const { urls, connect } = signIn(answer(200, { ...session, did: own }), answer(200, at('https://pds.example', own)))
  expect(await connect({ service: 'https://pds.example' })).toMatchObject({ identity: { externalId: own } })
  expect(urls()[1]).toBe('https://pds.example/.well-known/did.json')
  expect(await connect({ service: 'https://evil.example' })).toMatchObject({ kind: 'failed' })
})

const hosts = ['localhost%3A8080', '127.0.0.1', 'a.example:path', 'a.example%2F..', 'user@a.example']
test.each([...hosts.map((host) => `did:web:${host}`), 'did:plc:../x', 'did:plc:abc', 'did:key:z6Mk'])(
  'nothing is asked for %s',
  async (other) => {
    const { urls, connect } = signIn(answer(200, { ...session, did: other }))
    expect(await connect()).toEqual(saying('of a kind that Bluesky does not have'))
    expect(urls()).toHaveLength(1)
  },
)

const error = (status: number, name: string, message = '') => answer(status, { error: name, message })

test.each<[string, HttpResult, string]>([
  ['a wrong password', error(401, 'AuthenticationRequired', 'Invalid identifier or password'), 'App passwords'],
  ['a second factor', error(401, 'AuthFactorTokenRequired', 'code sent'), 'main password'],
  ['an account that was taken down', error(401, 'AccountTakedown'), 'suspended'],
  ['too many sign-ins', error(429, 'RateLimitExceeded', 'Rate Limit Exceeded'), 'five minutes'],
  ['an unknown error', error(400, 'NewError', 'Sorry.'), '(NewError). Sorry.'],
  ['a deactivated account', answer(200, { ...session, active: false, status: 'deactivated' }), 'deactivated'],
  ['a suspended account', answer(200, { ...session, active: false, status: 'suspended' }), 'suspended'],
  ['another kind of server', answer(404, { detail: 'Not Found' }), 'does not answer as a Bluesky server'],
  ['an answer without tokens', answer(200, { did: 'did:plc:abc' }), 'does not answer as a Bluesky server'],
  ['no answer', lost, 'bsky.social could not be reached. The connection broke.'],
])('%s is shown in words', async (_, given, words) => {
  const outcome = await signIn(given).connect()
  expect(outcome).toEqual(saying(words))
  expect(JSON.stringify(outcome)).not.toContain(input.password)
})

const credentials = { accessJwt, refreshJwt: 'next' }
const [dead, nothing] = [{ kind: 'dead' }, { kind: 'failed' }]
test.each<[string, HttpResult, object]>([
  ['new tokens', answer(200, { ...session, ...credentials }), { kind: 'refreshed', credentials, expiresAt }],
  ['an expired refresh token', error(400, 'ExpiredToken', 'Token has been revoked'), dead],
  ['a suspended account', error(401, 'AccountTakedown', 'Taken down'), dead],
  ['too many requests', error(429, 'RateLimitExceeded', 'Rate Limit Exceeded'), nothing],
  ['a fault of the server', error(500, 'InternalServerError'), nothing],
  ['an unknown refusal', error(400, 'NewError'), nothing],
  ['the tokens of somebody else', answer(200, { ...session, did: 'did:plc:other' }), nothing],
  ['a page', answer(200), nothing],
  ['no answer', lost, nothing],
])('a refresh that brings %s', async (_, given, outcome) => {
  const identity = { externalId: did, credentials: { accessJwt: 'jwt-access', refreshJwt: 'jwt-refresh' } }
  const { caller } = callerOf(() => given)
  expect(await network.connect.refresh?.(caller, identity)).toMatchObject(outcome)
})
