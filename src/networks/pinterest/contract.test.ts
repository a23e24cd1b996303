import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Exchanged, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { openContract } from './testing-contract.ts'
import { sample } from './testing-pins.ts'

/** The vendor's machine-readable contract. It is not part of the project and lies beside it on some machines. */
const file = join(import.meta.dirname, '../../../../shared/contracts/pinterest-v5.openapi.json')
const missing = !existsSync(file)
if (missing && process.env.CI === 'true') throw new Error(`The contract of the vendor is not at ${file}.`)
if (missing) process.stderr.write(`Contract of the vendor: not at ${file}, so nothing is compared with it.\n`)

const OPERATIONS = [
  'oauth/token',
  'user_account/get',
  'boards/list',
  'boards/list_pins',
  'pins/create',
  'pins/get',
  'media/create',
  'media/get',
]

describe.skipIf(missing)('the contract of the vendor, when it lies beside the checkout,', () => {
  let stage: Stage
  let contract: ReturnType<typeof openContract>
  beforeAll(async () => {
    stage = await openStage(network, 'PINTEREST', { base: 'api/v5' })
    contract = openContract(file)
  })
  afterAll(() => stage?.close())

  /** Everything that is wrong with what was sent and answered, and which operations it was. */
  function compare(exchanges: readonly Exchanged[]): { wrong: string[]; seen: Set<string> } {
    const seen = new Set<string>()
    const wrong = exchanges.flatMap(({ request, result }) => {
      const path = new URL(request.url).pathname.replace('/sandbox/pinterest', '')
      if (!path.startsWith('/api/v5/') || result.kind === 'failed') return []
      const found = contract.operationOf(request.method, path.slice('/api/v5'.length))
      if (!found) return [`${request.method} ${path} is not known`]
      const { operation, names } = found
      seen.add(operation.operationId)
      const says = (what: string) => (text: string) => `${operation.operationId} ${what}: ${text}`
      const body =
        operation.requestBody?.content[request.form ? 'application/x-www-form-urlencoded' : 'application/json']
      const grant = request.form?.grant_type === 'refresh_token' ? 'Refresh' : 'Code'
      const oauth = operation.operationId === 'oauth/token' && result.status < 300
      const sent = request.form ? contract.schema(`OauthAccessTokenRequest${grant}`) : body?.schema
      const answered = oauth
        ? contract.schema(`OauthAccessTokenResponse${grant}`)
        : contract.answerSchema(operation, result.status)
      return [
        ...contract.wrongsOfQuery(operation, new URL(request.url).searchParams, names).map(says('query')),
        ...(sent ? contract.wrongs(sent, request.form ?? request.json).map(says('request')) : []),
        ...(answered
          ? contract.wrongs(answered, result.json).map(says(`answer ${result.status}`))
          : [`${operation.operationId} has no answer ${result.status}`]),
      ]
    })
    return { wrong, seen }
  }

  test('knows everything that the connector sends and the pretend network answers', async () => {
    const [identity] = await stage.signIn.accounts()
    const asked = await network.connect.options?.(stage.context(), { ...identity, accountType: 'PINTEREST' })
    expect(asked).toMatchObject({ kind: 'options' })
    expect(await stage.signIn.refresh(identity.credentials)).toMatchObject({ kind: 'refreshed' })

    const words = { altText: 'Bread' }
    const posts = [
      sample([], { media: [{ file: 'photo.jpg', ...words }] }),
      sample(['animated.gif'], { fields: { website: '' } }),
      sample(['photo.jpg', 'photo.jpg']),
      sample(['video-h264-aac.mp4']),
      sample(['video-h264-aac.mp4', 'photo.jpg']),
      sample(['photo.jpg'], { caption: 'Lost [[fault:500-after-accept]]' }),
    ]
    for (const post of posts) expect((await stage.deliver(post)).post).toMatchObject({ kind: 'made' })
    const pinId = stage.world.backend.posts().then(([pin]) => pin?.id)
    expect((await stage.api(`GET pins/${await pinId}`)).status).toBe(200)

    const { wrong, seen } = compare(stage.exchanged)
    expect(wrong).toEqual([])
    expect([...seen].sort()).toEqual([...OPERATIONS].sort())
    expect(stage.calls('GET boards/{id}/pins').length).toBeGreaterThan(0)
  })

  test('knows the shape of every refusal of the pretend network', async () => {
    const before = stage.exchanged.length
    const image = { source_type: 'image_base64', content_type: 'image/png', data: 'AAAA' }
    const pin = { board_id: '549755885175000001', title: 'Bread', media_source: image }
    const answers = [
      await stage.api('GET user_account', undefined, { token: 'no-one' }),
      await stage.api('GET boards?page_size=25', undefined, { token: 'no-one' }),
      await stage.api('GET boards/1/pins'),
      await stage.api('GET pins/1'),
      await stage.api('GET media/1'),
      await stage.api('POST media', { media_type: 'video' }, { token: 'no-one' }),
      await stage.api('POST pins', { ...pin, board_id: '1' }),
      await stage.api('POST pins', pin),
    ]
    for (const fault of ['500-before', 'rate-limited', 'token-expired', 'account-restricted', 'account-suspended']) {
      answers.push(await stage.api('POST pins', { ...pin, description: `[[fault:${fault}]]` }))
    }
    expect(answers.filter(({ status }) => status < 400)).toEqual([])
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([400, 401, 403, 404, 429, 500]))
    const { wrong } = compare(stage.exchanged.slice(before))
    expect(wrong).toEqual([])
  })

  test.each<[string, string, unknown, boolean]>([
    ['a pin', 'PinCreate', { title: 'Bread', description: null }, true],
    ['a long title', 'PinCreate', { title: 'x'.repeat(101) }, false],
    ['an unknown field', 'PinCreate', { colour: 'red' }, false],
    ['a board that is no number', 'PinCreate', { board_id: 'bread' }, false],
    ['an unknown source', 'PinCreate', { media_source: { source_type: 'film' } }, false],
    [
      'a GIF in base64',
      'PinCreate',
      { media_source: { source_type: 'image_base64', content_type: 'image/gif', data: 'AAAA' } },
      false,
    ],
    ['a pin as answered', 'Pin', { id: '1', created_at: '2022-10-13T01:40:29-00:00' }, true],
    ['a pin without id', 'Pin', { title: 'Bread' }, false],
    ['a time without a zone', 'Pin', { id: '1', created_at: '2022-10-13T01:40:29' }, false],
  ])('tells right from wrong: %s', (_, name, value, right) => {
    expect(contract.wrongs(contract.schema(name), value).length === 0).toBe(right)
  })
})
