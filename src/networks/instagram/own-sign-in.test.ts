import { describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import { stageFor } from '../conformance/stages.ts'
import { answer, both, worldOf } from '../kit/testing.ts'
import { network } from './index.ts'
import { commented, declined, openOwnStage, openStage } from './testing-posts.ts'

/** The sign-in of accounts without a Page, and what goes out on them. */

const { refresh, renewEveryMs, canRefresh } = network.connect
if (!refresh) throw new Error('The network has a refresh.')
const TOKEN = 'POST /loginApi/oauth/access_token'
const stage = stageFor('each', openOwnStage)

const signedIn = async () => (await stage.signIn.accounts())[0]
const run = (trouble?: Trouble, change?: (url: URL) => void) => stage.signIn.run(stage.context(trouble), change)
/** The answer to a code, of another shape. */
const rewritten = (change: (entry: { access_token: string; permissions: string }) => object) =>
  stage.on(TOKEN, async ({ send }) => {
    const real = (await send()) as { json: { data: [{ access_token: string; permissions: string }] } }
    return answer(200, change(real.json.data[0]))
  })

describe('sign-in', () => {
  test('gives the one account by the id that Pages know as well, also from a bare answer with a list', async () => {
    const bare = rewritten((entry) => ({ ...entry, permissions: entry.permissions.split(',') }))
    const account = {
      externalId: '17841499999900011',
      name: 'Demo Pottery',
      username: 'demo_pottery',
      profileUrl: 'https://www.instagram.com/demo_pottery',
      signIn: 'instagram',
      credentials: { signIn: 'instagram' },
    }
    expect(await run(bare)).toMatchObject({ kind: 'accounts', accounts: [account] })
    expect(stage.calls('GET /content_publishing_limit')).toEqual([])
  })

  test('comments may be declined, and then are not written', async () => {
    const outcome = await run({}, declined('manage_comments'))
    if (outcome.kind !== 'accounts') throw new Error(outcome.message)
    stage.world = worldOf(stage, outcome.accounts[0])
    const { post, followUp } = await stage.deliver(commented('First'))
    expect([post, followUp]).toMatchObject([{ kind: 'made' }, { message: expect.stringContaining('not allowed') }])
  })

  test('without a word about permissions the network is tried for those that are needed', async () => {
    const silent = () => rewritten(({ access_token }) => ({ access_token }))
    expect(await run(silent())).toMatchObject({ kind: 'accounts' })
    for (const scope of ['instagram_business_basic', 'instagram_business_content_publish']) {
      const message = expect.stringContaining(scope)
      expect(await run(silent(), declined(scope))).toMatchObject({ kind: 'failed', message })
    }
  })

  test.each(['GET /loginGraph/access_token', 'GET me'])(
    'an account that is no tester of an app with standard access hears what to do: %s',
    async (call) => {
      const error = { message: 'Unsupported request - method type: get', type: 'IGApiException', code: 100 }
      const message = expect.stringContaining('Instagram tester')
      expect(await run(stage.on(call, answer(400, { error })))).toMatchObject({ kind: 'failed', message })
    },
  )
})

/** What renewals prove, and what they do not: `threads/connect.test.ts`. */
test('a renewal goes to the host of this sign-in, long before the end, and no token of a Page is renewed', async () => {
  const identity = await signedIn()
  stage.pass((renewEveryMs ?? 0) / 30)
  const { accessToken: before = '' } = identity.credentials
  const credentials = { signIn: 'instagram', accessToken: expect.not.stringContaining(before) }
  expect(await refresh(stage.context(), identity)).toMatchObject({ kind: 'refreshed', credentials })
  expect([renewEveryMs, canRefresh?.(identity.credentials)]).toEqual([30 * 24 * 3_600_000, true])
  const byPage = { accessToken: 'EAAB' }
  expect(canRefresh?.(byPage)).toBe(false)
  expect(await refresh(stage.context(), { externalId: '1', credentials: byPage })).toMatchObject({ kind: 'failed' })
})

test('a flat refusal of an older form is the end of a token as well', async () => {
  const words = { error_type: 'OAuthException', code: 400, error_message: 'The access_token provided is invalid.' }
  const refused = answer(400, words)
  const trouble = both(stage.on('GET /loginGraph/refresh_access_token', refused), stage.on('GET me', refused))
  expect(await refresh(stage.context(trouble), await signedIn())).toMatchObject({ kind: 'dead' })
})

describe('the simulated hosts', () => {
  const ME = '17841499999900011'
  const tokenOf = async () => (await signedIn()).credentials.accessToken ?? ''

  test('each refuses the tokens of the other', async () => {
    const pages = await openStage()
    const [person] = await pages.signIn.accounts()
    const { accessToken = '' } = pages.world.backend.credentials
    for (const token of [accessToken, ...Object.values(person.credentials)]) {
      const there = await pages.api('GET /loginGraph/v25.0/me', undefined, { token })
      expect(there).toMatchObject({ status: 400, json: { error_type: 'OAuthException', code: 190 } })
    }
    const here = await stage.api(`GET /graph/v25.0/${ME}`, undefined, { token: await tokenOf() })
    expect(here.json).toMatchObject({ error: { code: 190 } })
    await pages.close()
  })

  test('there are no tracks of the audio library', async () => {
    const reel = { media_type: 'REELS', video_url: 'https://x.example/a.mp4', audio_configuration: { audio_id: '1' } }
    const { json } = await stage.api(`POST ${ME}/media`, reel, { token: await tokenOf() })
    expect(json).toMatchObject({ error: { code: 100, message: expect.stringContaining('audio_configuration') } })
  })
})
