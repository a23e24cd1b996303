import { describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import { answer, both, worldOf } from '../kit/testing.ts'
import type { NetworkIdentity } from '../network.ts'
import { network } from './index.ts'
import { commented, declined, openOwnStage, openStage, stageOfEach } from './testing-posts.ts'

/** The sign-in of accounts without a Page, and what goes out on them. */

const { refresh, renewEveryMs, canRefresh } = network.connect
if (!refresh) throw new Error('The network has a refresh.')
const DAY = 24 * 3_600_000
const TOKEN = 'POST /loginApi/oauth/access_token'
const stage = stageOfEach(openOwnStage)

async function signedIn(): Promise<NetworkIdentity> {
  const [account] = await stage().signIn.accounts()
  return account
}
/** The answer to a code, of another shape. */
const rewritten = (change: (entry: { access_token: string; permissions: string }) => object) =>
  stage().on(TOKEN, async ({ send }) => {
    const real = await send()
    if (real.kind === 'failed') return real
    const [entry] = (real.json as { data: [{ access_token: string; permissions: string }] }).data
    return answer(200, change(entry))
  })

describe('sign-in', () => {
  test.each(['as documented', 'bare, with permissions as a list'])(
    'gives the one account by the id that Pages know as well: %s',
    async (shape) => {
      const bare = rewritten((entry) => ({ ...entry, permissions: entry.permissions.split(',') }))
      const outcome = await stage().signIn.run(stage().context(shape === 'as documented' ? {} : bare))
      if (outcome.kind === 'failed') throw new Error(outcome.message)
      expect(outcome.accounts).toMatchObject([
        {
          externalId: '17841499999900011',
          name: 'Pretend Pottery',
          username: 'pretend_pottery',
          profileUrl: 'https://www.instagram.com/pretend_pottery',
          signIn: 'instagram',
          credentials: { signIn: 'instagram' },
        },
      ])
    },
  )

  test('comments may be declined, and then are not written', async () => {
    const outcome = await stage().signIn.run(undefined, declined('manage_comments'))
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    stage().world = worldOf(stage(), outcome.accounts[0])
    const message = expect.stringContaining('Comments were not allowed')
    expect(await stage().deliver(commented('First'))).toMatchObject({
      post: { kind: 'made' },
      followUp: { kind: 'failed', message },
    })
  })

  test('without a word about permissions the network is tried for the one to publish', async () => {
    const run = (change?: (url: URL) => void) => {
      const silent = rewritten(({ access_token }) => ({ access_token }))
      return stage().signIn.run(stage().context(silent), change)
    }
    expect(await run()).toMatchObject({ kind: 'accounts' })
    expect(await run(declined('content_publish'))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('instagram_business_content_publish'),
    })
  })

  test.each(['GET /loginGraph/access_token', 'GET me'])(
    'an account that is no tester of an app with standard access hears what to do: %s',
    async (call) => {
      const refused = { message: 'Unsupported request - method type: get', type: 'IGApiException', code: 100 }
      const outcome = await stage().signIn.run(stage().context(stage().on(call, answer(400, { error: refused }))))
      expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('Instagram tester') })
    },
  )
})

/** What renewals prove, and what they do not: `threads/connect.test.ts`. */
describe('renewal', () => {
  const renew = (identity: NetworkIdentity, trouble: Trouble = {}) => refresh(stage().context(trouble), identity)

  test('gives a new token for another 60 days, not in the first day, and never when it has ended', async () => {
    const identity = await signedIn()
    expect(await renew(identity)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('works all the same'),
    })
    stage().pass(30 * DAY)
    const outcome = await renew(identity)
    if (outcome.kind !== 'refreshed') throw new Error(outcome.message)
    expect(outcome.credentials).toMatchObject({ signIn: 'instagram' })
    expect(outcome.credentials.accessToken).not.toBe(identity.credentials.accessToken)
    stage().pass(59 * DAY)
    expect(await renew({ ...identity, credentials: outcome.credentials })).toMatchObject({ kind: 'refreshed' })
    expect(await renew(identity)).toMatchObject({ kind: 'dead' })
  })

  test('comes long before that by itself, and not for tokens of Pages, which have no end', async () => {
    expect(renewEveryMs).toBe(30 * DAY)
    expect(canRefresh?.((await signedIn()).credentials)).toBe(true)
    const byPage = { accessToken: 'EAAB' }
    expect(canRefresh?.(byPage)).toBe(false)
    expect(await refresh(stage().context(), { externalId: '1', credentials: byPage })).toMatchObject({ kind: 'failed' })
  })

  test('a flat refusal of an older form is the end as well', async () => {
    const words = { error_type: 'OAuthException', code: 400, error_message: 'The access_token provided is invalid.' }
    const refused = answer(400, words)
    const trouble = both(stage().on('GET /loginGraph/refresh_access_token', refused), stage().on('GET me', refused))
    expect(await renew(await signedIn(), trouble)).toMatchObject({ kind: 'dead' })
  })
})

describe('the pretend hosts', () => {
  const ME = '17841499999900011'

  test('each refuses the tokens of the other', async () => {
    const pages = await openStage()
    const [person] = await pages.signIn.accounts()
    const { accessToken = '' } = pages.world.backend.credentials
    for (const token of [accessToken, ...Object.values(person.credentials)]) {
      const there = await pages.api('GET /loginGraph/v25.0/me', undefined, { token })
      expect(there).toMatchObject({ status: 400, json: { error_type: 'OAuthException', code: 190 } })
    }
    const { accessToken: own = '' } = (await signedIn()).credentials
    const here = await stage().api(`GET /graph/v25.0/${ME}`, undefined, { token: own })
    expect(here.json).toMatchObject({ error: { code: 190 } })
    await pages.close()
  })

  test('a permission that was not granted is refused without an envelope', async () => {
    expect(await stage().signIn.run(undefined, declined('publish', 'comments'))).toMatchObject({ kind: 'failed' })
    const given = stage().calls(TOKEN).at(-1)?.result as { json: { data: [{ access_token: string }] } }
    const token = given.json.data[0].access_token
    expect((await stage().api('GET me?fields=username', undefined, { token })).json).toMatchObject({
      username: 'pretend_pottery',
    })
    expect(await stage().api(`POST ${ME}/media`, {}, { token })).toMatchObject({
      status: 403,
      json: { error_type: 'OAuthException', code: 10 },
    })
  })

  test('there are no tracks of the audio library', async () => {
    const { accessToken: token = '' } = (await signedIn()).credentials
    const reel = { media_type: 'REELS', video_url: 'https://x.example/a.mp4', audio_configuration: { audio_id: '1' } }
    expect((await stage().api(`POST ${ME}/media`, reel, { token })).json).toMatchObject({
      error: { code: 100, message: expect.stringContaining('audio_configuration') },
    })
  })
})
