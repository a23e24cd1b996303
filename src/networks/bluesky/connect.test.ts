import { Agent } from 'undici'
import { expect, test } from 'vitest'
import { startPds } from '../../../test/_util/pds.ts'
import { createHttp, type Http, type HttpResult } from '../kit/http.ts'
import { answer, fixture, lost } from '../kit/testing.ts'
import type { ConnectContext } from '../network.ts'
import { network } from './index.ts'

const { endpoints } = network.manifest

function context(http: Http, own: Readonly<Record<string, string>> = {}): ConnectContext {
  const endpoint = (name: string) => own[name] ?? endpoints[name]?.default ?? ''
  return { endpoint, setting: () => '', http, signal: AbortSignal.timeout(10_000), now: () => new Date() }
}

const input = { service: null as string | null, identifier: 'baker.bsky.social', password: 'abcd-efgh-ijkl-mnop' }
const connect = (at: ConnectContext, more: Partial<typeof input> = {}) =>
  network.connect.withPassword?.(at, { ...input, ...more })

test('an account of a real server is known by its profile, its server and its tokens', async () => {
  const pds = await startPds()
  const agent = new Agent()
  const { did, handle, password, appPassword } = await pds.createAccount('baker')
  const { accessJwt } = await pds.call<{ accessJwt: string }>('com.atproto.server.createSession', {
    body: { identifier: handle, password },
  })
  const token = `Bearer ${accessJwt}`
  const picture = await fixture('transparent.png')
  const uploaded = await fetch(`${pds.url}/xrpc/com.atproto.repo.uploadBlob`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'image/png' },
    body: new Uint8Array(picture),
  })
  const { blob: avatar } = (await uploaded.json()) as { blob: unknown }
  const record = { $type: 'app.bsky.actor.profile', displayName: ' Corner Bakery ', avatar }
  const body = { repo: did, collection: 'app.bsky.actor.profile', rkey: 'self', record }
  await pds.call('com.atproto.repo.putRecord', { token, body })

  // Nothing asks the directory of the world.
  const at = context(createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent }), { plc: pds.plcUrl })
  const typed = { service: `${pds.url}/`, identifier: ` @${handle}`, password: `${appPassword}\n` }
  const outcome = await connect(at, typed)
  expect(outcome).toMatchObject({
    kind: 'connected',
    identity: {
      externalId: did,
      name: 'Corner Bakery',
      username: handle,
      profileUrl: `https://bsky.app/profile/${handle}`,
      endpoints: { pds: pds.url },
    },
  })
  const { avatarUrl = '', expiresAt = null } = outcome?.kind === 'connected' ? outcome.identity : {}
  const shown = await fetch(avatarUrl ?? '')
  expect(picture.equals(await shown.bytes())).toBe(true)
  expect(expiresAt?.getTime()).toBeGreaterThan(Date.now() + 1.9 * 3_600_000)
  await agent.destroy()
  await pds.stop()
})

const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'
const session = { did, handle: 'baker.bsky.social', accessJwt: 'not.a.jwt', refreshJwt: 'refresh', active: true }
/** The document of an account, which tells where it lives. */
const at = (serviceEndpoint: unknown, id = did) => ({ id, service: [{ id: `${id}#atproto_pds`, serviceEndpoint }] })

/** Answers the sign-in and the question for the account's document, and nothing else. */
function signIn(signedIn: HttpResult, document = answer(200, at('https://morel.us-east.host.bsky.network/'))) {
  const urls: string[] = []
  const http: Http = async ({ url }) => {
    urls.push(url)
    if (url.includes('createSession')) return signedIn
    return url.includes('/xrpc/') ? answer(400, { error: 'RecordNotFound' }) : document
  }
  return { urls, connect: (more?: Partial<typeof input>) => connect(context(http), more) }
}
const told = (words: string) => ({ kind: 'failed', message: expect.stringContaining(words) })

test('signs in at bsky.social, and goes on at the server that holds the account', async () => {
  const { urls, connect } = signIn(answer(200, session))
  const pds = 'https://morel.us-east.host.bsky.network'
  expect(await connect()).toMatchObject({
    kind: 'connected',
    identity: { name: 'baker.bsky.social', avatarUrl: null, expiresAt: null, endpoints: { pds } },
  })
  const [first, second, third, ...more] = urls
  expect([first, second]).toEqual([
    'https://bsky.social/xrpc/com.atproto.server.createSession',
    `https://plc.directory/${did}`,
  ])
  expect([new URL(third ?? '').origin, more]).toEqual([pds, []])
  // Named, it is the same one.
  expect(await connect({ service: 'https://bsky.social' })).toMatchObject({ kind: 'connected' })
})

test('what the server that answers says of where the account lives counts for nothing', async () => {
  const service = 'https://evil.example'
  const { urls, connect } = signIn(answer(200, { ...session, didDoc: at(service) }))
  expect(await connect({ service })).toEqual({
    kind: 'failed',
    message: expect.stringMatching(/^evil\.example does not hold this account: morel\..* Name that one/),
  })
  expect(urls).toHaveLength(2)
})

test.each<[unknown, string, number?]>([
  [{}, 'names no server'],
  [at(7), 'names no server'],
  [at('no address'), 'names no server'],
  [at('ftp://pds.example'), 'names no server'],
  [at('https://bsky.social', 'did:plc:bbbbbbbbbbbbbbbbbbbbbbbb'), 'names no server'],
  [{ id: did, service: [{ id: '#other', serviceEndpoint: 'https://a.example' }] }, 'names no server'],
  [{}, `plc.directory was asked where the account ${did} lives and does not know it.`, 404],
  [{}, 'does not tell (status 503). Try again later.', 503],
  // No token goes out in the open to a server that nobody named.
  [at('http://192.168.0.1:2583'), 'has no secure address'],
])('an account whose document is %j is not connected: %s', async (document, words, status = 200) => {
  const { urls, connect } = signIn(answer(200, session), answer(status, document))
  expect(await connect()).toEqual(told(words))
  expect(urls).toHaveLength(2)
})

test('a did:web is asked for on its own host', async () => {
  const own = 'did:web:pds.example'
  const { urls, connect } = signIn(answer(200, { ...session, did: own }), answer(200, at('https://pds.example', own)))
  expect(await connect({ service: 'https://pds.example' })).toMatchObject({ identity: { externalId: own } })
  expect(urls[1]).toBe('https://pds.example/.well-known/did.json')
  expect(await connect({ service: 'https://evil.example' })).toMatchObject({ kind: 'failed' })
})

test.each([
  'did:web:localhost%3A8080',
  'did:web:127.0.0.1',
  'did:web:a.example:path',
  'did:web:a.example%2F..',
  'did:web:user@a.example',
  'did:plc:../x',
  'did:plc:abc',
  'did:key:z6Mk',
])('nobody is asked for %s', async (other) => {
  const { urls, connect } = signIn(answer(200, { ...session, did: other }))
  expect(await connect()).toEqual(told('of a kind that Bluesky does not have'))
  expect(urls).toHaveLength(1)
})

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
  expect(outcome).toEqual(told(words))
  expect(JSON.stringify(outcome)).not.toContain(input.password)
})

test.each<[string, HttpResult, string]>([
  ['an expired refresh token', error(400, 'ExpiredToken', 'Token has been revoked'), 'dead'],
  ['a suspended account', error(401, 'AccountTakedown', 'Taken down'), 'dead'],
  ['too many requests', error(429, 'RateLimitExceeded', 'Rate Limit Exceeded'), 'failed'],
  ['a fault of the server', error(500, 'InternalServerError'), 'failed'],
  ['an unknown refusal', error(400, 'NewError'), 'failed'],
  ['the tokens of somebody else', answer(200, { ...session, did: 'did:plc:other' }), 'failed'],
  ['a page', answer(200), 'failed'],
  ['no answer', lost, 'failed'],
])('a refresh that brings %s', async (_, given, kind) => {
  const identity = { externalId: 'did:plc:abc', credentials: { accessJwt: 'jwt-access', refreshJwt: 'jwt-refresh' } }
  expect(
    await network.connect.refresh?.(
      context(async () => given),
      identity,
    ),
  ).toMatchObject({ kind })
})
