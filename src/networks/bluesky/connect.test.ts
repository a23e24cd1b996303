import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFixture } from '../../../test/_util/file-server.ts'
import { type Pds, startPds } from '../../../test/_util/pds.ts'
import { createHttp, type Http, type HttpResult } from '../kit/http.ts'
import type { ConnectContext } from '../network.ts'
import { network } from './index.ts'

let pds: Pds
let agent: Agent
beforeAll(async () => {
  pds = await startPds()
  agent = new Agent()
})
afterAll(async () => {
  await agent?.destroy()
  await pds?.stop()
})

/** Nothing asks the directory of the world. */
const local = (name: string) => (name === 'plc' ? pds.plcUrl : defaults(name))
const defaults = (name: string) => network.manifest.endpoints[name]?.default ?? ''

function context(http: Http, endpoint = defaults): ConnectContext {
  return { endpoint, setting: () => '', http, signal: AbortSignal.timeout(10_000), now: () => new Date() }
}

async function connect(
  http: Http,
  input: { service: string | null; identifier: string; password: string },
  endpoint = defaults,
) {
  const outcome = await network.connect.withPassword?.(context(http, endpoint), input)
  if (!outcome) throw new Error('There is no sign-in with a password.')
  return outcome
}

describe('with a real server', () => {
  const way: Http = (request) => createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent })(request)
  const there = (input: Parameters<typeof connect>[1], endpoint = local) => connect(way, input, endpoint)

  test('an account is known by its profile, its server and its tokens', async () => {
    const { did, handle, password, appPassword } = await pds.createAccount('baker')
    const { accessJwt } = await pds.call<{ accessJwt: string }>('com.atproto.server.createSession', {
      body: { identifier: handle, password },
    })
    const uploaded = await fetch(`${pds.url}/xrpc/com.atproto.repo.uploadBlob`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessJwt}`, 'content-type': 'image/png' },
      body: new Uint8Array(await readFixture('transparent.png')),
    })
    const { blob } = (await uploaded.json()) as { blob: unknown }
    const record = { $type: 'app.bsky.actor.profile', displayName: ' Corner Bakery ', avatar: blob }
    await pds.call('com.atproto.repo.putRecord', {
      token: `Bearer ${accessJwt}`,
      body: { repo: did, collection: 'app.bsky.actor.profile', rkey: 'self', record },
    })

    const outcome = await there({
      service: `${pds.url}/`,
      identifier: ` @${handle}`,
      password: `${appPassword}\n`,
    })
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
    if (outcome.kind === 'failed') return
    const avatar = await fetch(outcome.identity.avatarUrl ?? '')
    expect(Buffer.from(await avatar.arrayBuffer()).equals(await readFixture('transparent.png'))).toBe(true)
    const hours = ((outcome.identity.expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(1.9)
  })

  test('a wrong password is told with the way to a right one', async () => {
    const { handle } = await pds.createAccount('baker')
    const outcome = await there({ service: pds.url, identifier: handle, password: 'wrong-secret' })
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('App passwords') })
    expect(JSON.stringify(outcome)).not.toContain('wrong-secret')
  })

  test('an account that was taken down cannot be connected', async () => {
    const { did, handle, password } = await pds.createAccount('baker')
    await pds.takeDown(did)
    const outcome = await there({ service: pds.url, identifier: handle, password })
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('suspended') })
  })

  test('a service where nobody answers is told as such', async () => {
    const outcome = await there({ service: 'http://127.0.0.1:1', identifier: 'baker.test', password: 'x' })
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('could not be reached') })
  })

  test('a server that claims an account of another one is not believed', async () => {
    const { did, handle, appPassword } = await pds.createAccount('victim')
    const claim = { did, handle, accessJwt: 'theirs', refreshJwt: 'theirs', active: true }
    const didDoc = { id: did, service: [{ id: '#atproto_pds', serviceEndpoint: '' }] }
    const liar = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...claim, didDoc }))
    })
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
    const service = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`
    didDoc.service[0] = { id: '#atproto_pds', serviceEndpoint: service }
    const outcome = await there({ service, identifier: handle, password: appPassword })
    await new Promise((resolve) => liar.close(resolve))
    expect(outcome).toEqual({
      kind: 'failed',
      message: `${new URL(service).host} does not hold this account: ${new URL(pds.url).host} does. Name that one as the service.`,
    })
  })

  test("the installation's own service answers for accounts on other servers", async () => {
    const { did, handle, appPassword } = await pds.createAccount('baker')
    const gate = createServer(async (request, response) => {
      const answer = await fetch(`${pds.url}${request.url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: await text(request),
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`
    const own = (name: string) => (name === 'pds' ? url : local(name))
    const input = { identifier: handle, password: appPassword }
    const secure = await there({ ...input, service: null }, own)
    const other = await there({ ...input, service: url })
    gate.closeAllConnections()
    await new Promise((resolve) => gate.close(resolve))
    // It goes on at the server of the document, which here has no secure address.
    expect(secure).toEqual({ kind: 'failed', message: `The server of the account, ${pds.url}, has no secure address.` })
    expect(other).toMatchObject({ message: expect.stringContaining('does not hold this account') })
    expect(await there({ ...input, service: pds.url })).toMatchObject({ identity: { externalId: did } })
  })
})

describe('with given answers', () => {
  const input = { service: null, identifier: 'baker.bsky.social', password: 'abcd-efgh-ijkl-mnop' }
  const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'
  const session = {
    did,
    handle: 'baker.bsky.social',
    accessJwt: 'not.a.jwt',
    refreshJwt: 'refresh',
    active: true,
  }
  const at = (serviceEndpoint: unknown, id = did) => ({ id, service: [{ id: `${id}#atproto_pds`, serviceEndpoint }] })
  const bskySocial = at('https://morel.us-east.host.bsky.network/')
  const answer = (status: number, json: unknown): HttpResult => {
    return { kind: 'answer', status, headers: {}, text: JSON.stringify(json) ?? '', json }
  }
  /** Answers the sign-in and the question for the account's document, and nothing else. */
  const signIn = (status: number, body: object, document: unknown = bskySocial): Http & { urls: string[] } => {
    const urls: string[] = []
    const http: Http = async ({ url }) => {
      urls.push(url)
      if (url.includes('createSession')) return answer(status, body)
      if (url.includes('/xrpc/')) return answer(400, { error: 'RecordNotFound' })
      return typeof document === 'number' ? answer(document, {}) : answer(200, document)
    }
    return Object.assign(http, { urls })
  }

  test('signs in at bsky.social, and goes on at the server that holds the account', async () => {
    const http = signIn(200, session)
    expect(await connect(http, input)).toMatchObject({
      kind: 'connected',
      identity: {
        name: 'baker.bsky.social',
        avatarUrl: null,
        expiresAt: null,
        endpoints: { pds: 'https://morel.us-east.host.bsky.network' },
      },
    })
    expect(http.urls.slice(0, 2)).toEqual([
      'https://bsky.social/xrpc/com.atproto.server.createSession',
      `https://plc.directory/${did}`,
    ])
    expect(http.urls.slice(2).map((url) => new URL(url).host)).toEqual(['morel.us-east.host.bsky.network'])
    // Named, it is the same one.
    expect(await connect(signIn(200, session), { ...input, service: 'https://bsky.social' })).toMatchObject({
      kind: 'connected',
    })
  })

  test('what the server that answers says of where the account lives counts for nothing', async () => {
    const service = 'https://evil.example'
    const http = signIn(200, { ...session, didDoc: at(service) })
    expect(await connect(http, { ...input, service })).toEqual({
      kind: 'failed',
      message: expect.stringMatching(/^evil\.example does not hold this account: morel\./),
    })
    expect(http.urls).toHaveLength(2)
  })

  test.each([
    [{}, 'names no server'],
    [at(7), 'names no server'],
    [at('no address'), 'names no server'],
    [at('ftp://pds.example'), 'names no server'],
    [at('https://bsky.social', 'did:plc:bbbbbbbbbbbbbbbbbbbbbbbb'), 'names no server'],
    [{ ...at('https://bsky.social'), service: [{ id: '#other', serviceEndpoint: 'https://a.example' }] }, 'no server'],
    [404, 'plc.directory was asked where the account did:plc:ewvi7nxzyoun6zhxrhs64oiz lives and does not know it.'],
    [503, 'does not tell (status 503). Try again later.'],
  ])('an account whose document names no server is not connected: %j', async (document, words) => {
    const http = signIn(200, session, document)
    expect(await connect(http, input)).toEqual({ kind: 'failed', message: expect.stringContaining(words) })
    expect(http.urls).toHaveLength(2)
  })

  test('a directory that cannot be reached connects nothing', async () => {
    const http = signIn(200, session)
    const broken: Http = async (request) =>
      request.url.startsWith('https://plc.directory/')
        ? { kind: 'failed', sent: false, message: 'The network did not answer in time.' }
        : http(request)
    expect(await connect(broken, input)).toMatchObject({
      message: expect.stringContaining('could not be reached. The network did not answer in time.'),
    })
  })

  test('a did:web is asked for on its own host', async () => {
    const own = 'did:web:pds.example'
    const named = { ...input, service: 'https://pds.example' }
    const http = signIn(200, { ...session, did: own }, at('https://pds.example', own))
    expect(await connect(http, named)).toMatchObject({ identity: { externalId: own } })
    expect(http.urls[1]).toBe('https://pds.example/.well-known/did.json')
    const claimed = signIn(200, { ...session, did: own }, at('https://pds.example', own))
    expect(await connect(claimed, { ...input, service: 'https://evil.example' })).toMatchObject({ kind: 'failed' })
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
    const http = signIn(200, { ...session, did: other })
    expect(await connect(http, input)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('of a kind that Bluesky does not have'),
    })
    expect(http.urls).toHaveLength(1)
  })

  test('no token goes out in the open to a server that nobody named', async () => {
    const http = signIn(200, session, at('http://192.168.0.1:2583'))
    expect(await connect(http, input)).toMatchObject({ kind: 'failed' })
    expect(http.urls).toHaveLength(2)
  })

  test.each([
    ['a second factor', 401, { error: 'AuthFactorTokenRequired', message: 'code sent' }, 'main password'],
    ['too many sign-ins', 429, { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' }, 'five minutes'],
    ['an unknown error', 400, { error: 'NewError', message: 'Sorry.' }, '(NewError). Sorry.'],
    ['a deactivated account', 200, { ...session, active: false, status: 'deactivated' }, 'deactivated'],
    ['a suspended account', 200, { ...session, active: false, status: 'suspended' }, 'suspended'],
    ['another kind of server', 404, { detail: 'Not Found' }, 'does not answer as a Bluesky server'],
    ['an answer without tokens', 200, { did: 'did:plc:abc' }, 'does not answer as a Bluesky server'],
  ])('%s is told in words', async (_, status, body, words) => {
    expect(await connect(signIn(status, body), input)).toEqual({
      kind: 'failed',
      message: expect.stringContaining(words),
    })
  })

  test.each([
    ['an expired refresh token', answer(400, { error: 'ExpiredToken', message: 'Token has been revoked' }), 'dead'],
    ['a suspended account', answer(401, { error: 'AccountTakedown', message: 'Taken down' }), 'dead'],
    ['too many requests', answer(429, { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' }), 'failed'],
    ['a fault of the server', answer(500, { error: 'InternalServerError', message: '' }), 'failed'],
    ['an unknown refusal', answer(400, { error: 'NewError', message: '' }), 'failed'],
    ['the tokens of somebody else', answer(200, { ...session, did: 'did:plc:other' }), 'failed'],
    ['a page', answer(200, undefined), 'failed'],
    ['no answer', { kind: 'failed', sent: true, message: 'The connection broke.' } as const, 'failed'],
  ])('a refresh that brings %s', async (_, result, kind) => {
    const identity = {
      externalId: 'did:plc:abc',
      credentials: { accessJwt: 'jwt-access', refreshJwt: 'jwt-refresh' },
    }
    expect(
      await network.connect.refresh?.(
        context(async () => result),
        identity,
      ),
    ).toMatchObject({ kind })
  })
})
