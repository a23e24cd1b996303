import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, lost, page, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import type { NetworkIdentity } from '../network.ts'
import { network } from './index.ts'
import { openOwnStage, openStage, sample } from './testing-posts.ts'

/** The sign-in of accounts without a Page, and what goes out on them. */

const { refresh, renewEveryMs, canRefresh } = network.connect
if (!refresh) throw new Error('The network has a refresh.')
const DAY = 24 * 3_600_000
const TOKEN = 'POST /loginApi/oauth/access_token'

let stage: Stage
beforeEach(async () => {
  stage = await openOwnStage()
})
afterEach(() => stage.close())

async function signedIn(): Promise<NetworkIdentity> {
  const [account] = await stage.signIn.accounts()
  return account
}
const flat = (code: number, message: string) =>
  answer(400, { error_type: 'OAuthException', code, error_message: message })
/** Answers a call as the network did, with another body. */
const rewritten = (call: string, change: (body: Record<string, unknown>) => unknown) =>
  stage.on(call, async ({ send }) => {
    const real = await send()
    return real.kind === 'answer' ? answer(200, change(real.json as Record<string, unknown>)) : real
  })

describe('sign-in', () => {
  test('gives the one account by the id that Pages know as well', async () => {
    expect(await stage.signIn.accounts()).toMatchObject([
      {
        externalId: '17841499999900011',
        name: 'Pretend Pottery',
        username: 'pretend_pottery',
        profileUrl: 'https://www.instagram.com/pretend_pottery',
        signIn: 'instagram',
        credentials: { signIn: 'instagram' },
      },
    ])
  })

  test('comments may be declined, and then are not written', async () => {
    const outcome = await stage.signIn.run(undefined, (url) => {
      url.search = url.search.replace(/(%2C|,)instagram_business_manage_comments/, '')
    })
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    const world = { ...stage.world, backend: { ...stage.world.backend, ...outcome.accounts[0] } }
    stage.world = world
    const sent = await stage.deliver(sample('IMAGE', { fields: { firstComment: 'First' } }))
    expect(sent.post).toMatchObject({ kind: 'made' })
    expect(sent.followUp).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('Comments were not allowed'),
    })
  })

  test('reads the answer to a code bare as well, and permissions as a list', async () => {
    const bare = rewritten(TOKEN, (body) => {
      const [entry] = body.data as { permissions: string }[]
      return { ...entry, permissions: entry?.permissions.split(',') }
    })
    expect(await stage.signIn.run(stage.context(bare))).toMatchObject({ kind: 'accounts' })
  })

  test('without a word about permissions the network is tried for the one to publish', async () => {
    const silent = rewritten(TOKEN, (body) => {
      const [entry] = body.data as { access_token: string }[]
      return { access_token: entry?.access_token }
    })
    expect(await stage.signIn.run(stage.context(silent))).toMatchObject({ kind: 'accounts' })
    const declined = (url: URL) => {
      url.search = url.search.replace(/(%2C|,)instagram_business_content_publish/, '')
    }
    expect(await stage.signIn.run(stage.context(silent), declined)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('instagram_business_content_publish'),
    })
  })

  test('reads the account out of a list, and all digits of an id that is a number', async () => {
    const listed = rewritten('GET me', (body) => ({ data: [body] }))
    expect(await stage.signIn.run(stage.context(listed))).toMatchObject({
      kind: 'accounts',
      accounts: [{ externalId: '17841499999900011' }],
    })
    const asNumber = stage.on('GET me', { ...answer(200, { username: 'a' }), text: '{"user_id":17841499999900013}' })
    expect(await stage.signIn.run(stage.context(asNumber))).toMatchObject({
      accounts: [{ externalId: '17841499999900013', name: 'a' }],
    })
  })

  test('an account that is no tester of an app with standard access hears what to do', async () => {
    const refused = answer(400, {
      error: { message: 'Unsupported request - method type: get', type: 'IGApiException', code: 100 },
    })
    for (const call of ['GET /loginGraph/access_token', 'GET me']) {
      const outcome = await stage.signIn.run(stage.context(stage.on(call, refused)))
      expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('Instagram tester') })
    }
  })

  test('no message holds a token', async () => {
    const seen: string[] = []
    const context = stage.context({
      async intercept({ request, send }) {
        const given = new URL(request.url).searchParams.get('access_token')
        if (!given) return send()
        seen.push(given)
        return flat(190, `Invalid OAuth access token - Cannot parse access token ${given}`)
      },
    })
    const outcome = await stage.signIn.run(context)
    expect(seen).toHaveLength(1)
    expect(outcome).toMatchObject({ kind: 'failed' })
    expect(JSON.stringify(outcome)).not.toContain(seen[0]?.slice(0, 20))
  })
})

describe('renewal', () => {
  const later = (days: number) => stage.pass(days * DAY)
  const renew = (identity: NetworkIdentity, trouble: Trouble = {}) => refresh(stage.context(trouble), identity)

  test('gives a new token for another 60 days, which works', async () => {
    const identity = await signedIn()
    later(30)
    const outcome = await renew(identity)
    if (outcome.kind !== 'refreshed') throw new Error(outcome.message)
    expect(outcome.credentials).toMatchObject({ signIn: 'instagram' })
    expect(outcome.credentials.accessToken).not.toBe(identity.credentials.accessToken)
    expect(outcome.expiresAt?.getTime()).toBeGreaterThan(stage.world.clock.now().getTime() + 59.9 * DAY)
    later(59)
    expect(await renew({ ...identity, credentials: outcome.credentials })).toMatchObject({ kind: 'refreshed' })
  })

  test('a token of less than a day is not renewed, and lives on', async () => {
    const identity = await signedIn()
    expect(await renew(identity)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('works all the same'),
    })
    later(1.01)
    expect(await renew(identity)).toMatchObject({ kind: 'refreshed' })
  })

  test('one that has ended is dead', async () => {
    const identity = await signedIn()
    later(61)
    const outcome = await renew(identity)
    expect(outcome).toMatchObject({ kind: 'dead', message: expect.stringContaining('Connect the account again') })
    expect(JSON.stringify(outcome)).not.toContain(identity.credentials.accessToken)
  })

  test('comes long before that by itself, and not for tokens of Pages, which have no end', async () => {
    expect(renewEveryMs).toBe(30 * DAY)
    expect(canRefresh?.((await signedIn()).credentials)).toBe(true)
    const byPage = { accessToken: 'EAAB' }
    expect(canRefresh?.(byPage)).toBe(false)
    expect(await refresh(stage.context(), { externalId: '1', credentials: byPage })).toMatchObject({ kind: 'failed' })
  })

  test.each<[string, HttpResult]>([
    ['a connection that breaks', lost],
    ['a server error', { ...graphError(2), status: 500 }],
    ['a limit', graphError(4)],
    ['a page of a gateway', page(502)],
    ['a success without a token', answer(200, {})],
    ['a permission of the app', graphError(200)],
  ])('%s proves nothing', async (_, instead) => {
    const identity = await signedIn()
    later(30)
    expect(await renew(identity, stage.on('GET /loginGraph/refresh_access_token', instead))).toMatchObject({
      kind: 'failed',
    })
    expect(await renew(identity)).toMatchObject({ kind: 'refreshed' })
  })

  test('a refusal that nothing else confirms proves nothing', async () => {
    const identity = await signedIn()
    later(61)
    expect(await renew(identity, stage.on('GET me', lost))).toMatchObject({ kind: 'failed' })
  })

  test('a flat refusal of an older form is the end as well', async () => {
    const identity = await signedIn()
    const refused = flat(400, 'The access_token provided is invalid.')
    const trouble = both(stage.on('GET /loginGraph/refresh_access_token', refused), stage.on('GET me', refused))
    expect(await renew(identity, trouble)).toMatchObject({ kind: 'dead' })
  })
})

describe('posts', () => {
  test.each(['IMAGE', 'CAROUSEL', 'REEL', 'STORY'])('%s goes out by its own host alone', async (type) => {
    const before = stage.sent.length
    const sent = await stage.deliver(sample(type))
    expect(sent.post).toMatchObject({ kind: 'made', permalink: expect.stringMatching(/^http/) })
    const hosts = stage.sent.slice(before).map(({ url }) => new URL(url).pathname.split('/')[3])
    expect(new Set(hosts)).toEqual(new Set(['loginGraph']))
  })

  test('one whose answer was lost is found by its own host, and so is its comment', async () => {
    const sent = await stage.deliver(sample('IMAGE', { caption: 'Lost', fields: { firstComment: 'First' } }), {
      async intercept({ step, send }) {
        const real = await send()
        return step === 'publish' || step === 'send' ? lost : real
      },
    })
    expect(sent).toMatchObject({ post: { kind: 'made', providerId: expect.any(String) }, followUp: { kind: 'made' } })
    expect(await stage.posts()).toHaveLength(1)
  })

  test('a token that is over ends the connection', async () => {
    stage.pass(61 * DAY)
    const sent = await stage.deliver(sample('IMAGE'))
    expect(sent.post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_CONNECTION_EXPIRED' })
    expect(await stage.posts()).toEqual([])
  })
})

describe('the pretend hosts', () => {
  test('each refuses the tokens of the other', async () => {
    const pages = await openStage()
    try {
      const { accessToken = '' } = pages.world.backend.credentials
      const there = await stage.api('GET me', undefined, { token: accessToken })
      expect(there).toMatchObject({ status: 400, json: { error_type: 'OAuthException', code: 190 } })
      const [person] = await pages.signIn.accounts()
      for (const token of Object.values(person.credentials)) {
        expect((await pages.api('GET /loginGraph/v25.0/me', undefined, { token })).status).toBe(400)
      }
      const own = (await signedIn()).credentials.accessToken ?? ''
      const here = await stage.api('GET /graph/v25.0/17841499999900011', undefined, { token: own })
      expect(here.json).toMatchObject({ error: { code: 190 } })
    } finally {
      await pages.close()
    }
  })

  test('a permission that was not granted is refused without an envelope', async () => {
    const short = await stage.signIn.run(undefined, (url) => url.searchParams.set('scope', 'instagram_business_basic'))
    expect(short).toMatchObject({ kind: 'failed' })
    const given = stage.calls(TOKEN).at(-1)?.result as { json: { data: { access_token: string }[] } }
    const token = given.json.data[0]?.access_token ?? ''
    expect((await stage.api('GET me?fields=username', undefined, { token })).json).toMatchObject({
      username: 'pretend_pottery',
    })
    expect(await stage.api('POST me/media', { image_url: 'x' }, { token })).toMatchObject({
      status: 403,
      json: { error_type: 'OAuthException', code: 10 },
    })
  })

  test('there are no tracks of the audio library', async () => {
    const token = (await signedIn()).credentials.accessToken ?? ''
    const reel = { media_type: 'REELS', video_url: 'https://x.example/a.mp4', audio_configuration: { audio_id: '1' } }
    expect((await stage.api('POST me/media', reel, { token })).json).toMatchObject({
      error: { code: 100, message: expect.stringContaining('audio_configuration') },
    })
  })
})
