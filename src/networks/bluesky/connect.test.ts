import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFixture } from '../../../test/_util/file-server.ts'
import { type Pds, startPds } from '../../../test/_util/pds.ts'
import type { ConnectContext } from '../network.ts'
import { createHttp, type Http, type HttpResult } from '../toolkit/http.ts'
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
  const http: Http = (request) => createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent })(request)

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

    const outcome = await connect(http, {
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
        credentials: { video: 'server' },
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
    const outcome = await connect(http, { service: pds.url, identifier: handle, password: 'wrong-secret' })
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('App passwords') })
    expect(JSON.stringify(outcome)).not.toContain('wrong-secret')
  })

  test('an account that was taken down cannot be connected', async () => {
    const { did, handle, password } = await pds.createAccount('baker')
    await pds.takeDown(did)
    const outcome = await connect(http, { service: pds.url, identifier: handle, password })
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('suspended') })
  })

  test('a service where nobody answers is told as such', async () => {
    const outcome = await connect(http, { service: 'http://127.0.0.1:1', identifier: 'baker.test', password: 'x' })
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('could not be reached') })
  })
})

describe('with given answers', () => {
  const input = { service: null, identifier: 'baker.bsky.social', password: 'abcd-efgh-ijkl-mnop' }
  const session = {
    did: 'did:plc:abc',
    handle: 'baker.bsky.social',
    accessJwt: 'not.a.jwt',
    refreshJwt: 'refresh',
    active: true,
  }
  const at = (serviceEndpoint: unknown) => ({ service: [{ id: 'did:plc:abc#atproto_pds', serviceEndpoint }] })
  const answer = (status: number, json: unknown): HttpResult => {
    return { kind: 'answer', status, headers: {}, text: JSON.stringify(json), json }
  }
  /** Answers the sign-in, and nothing else. */
  const signIn = (status: number, body: object): Http & { urls: string[] } => {
    const urls: string[] = []
    const http: Http = async ({ url }) => {
      urls.push(url)
      return url.includes('createSession') ? answer(status, body) : answer(400, { error: 'RecordNotFound' })
    }
    return Object.assign(http, { urls })
  }

  test('signs in at bsky.social, and goes on at the server that holds the account', async () => {
    const http = signIn(200, { ...session, didDoc: at('https://morel.us-east.host.bsky.network/') })
    expect(await connect(http, input)).toMatchObject({
      kind: 'connected',
      identity: {
        name: 'baker.bsky.social',
        avatarUrl: null,
        expiresAt: null,
        credentials: { video: 'service' },
        endpoints: { pds: 'https://morel.us-east.host.bsky.network' },
      },
    })
    expect(http.urls.map((url) => new URL(url).host)).toEqual(['bsky.social', 'morel.us-east.host.bsky.network'])
  })

  test.each([undefined, {}, at(7), at('no address')])('without an address of a server it stays: %j', async (didDoc) => {
    expect(await connect(signIn(200, { ...session, didDoc }), input)).toMatchObject({
      identity: { endpoints: { pds: 'https://bsky.social' } },
    })
  })

  test('no token goes out in the open to a server that nobody named', async () => {
    const http = signIn(200, { ...session, didDoc: at('http://192.168.0.1:2583') })
    expect(await connect(http, input)).toMatchObject({ kind: 'failed' })
    expect(http.urls).toHaveLength(1)
  })

  test('a video service of the installation serves accounts of every server', async () => {
    const http = signIn(200, { ...session, didDoc: at('https://pds.example') })
    const own = (name: string) => (name === 'video' ? 'https://video.example' : defaults(name))
    expect(await connect(http, input)).toMatchObject({ identity: { credentials: { video: 'server' } } })
    expect(await connect(http, input, own)).toMatchObject({ identity: { credentials: { video: 'service' } } })
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
    const identity = { externalId: 'did:plc:abc', credentials: { accessJwt: 'a', refreshJwt: 'r', video: 'server' } }
    expect(
      await network.connect.refresh?.(
        context(async () => result),
        identity,
      ),
    ).toMatchObject({ kind })
  })
})
