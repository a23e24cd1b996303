import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Exchange, Trouble } from '../conformance/delivery.ts'
import { answer, lost, openStage, type Stage } from '../kit/testing.ts'
import { connect } from './connect.ts'
import { network } from './index.ts'
import { pinterestError } from './testing-pins.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(network, 'PINTEREST', { base: 'api/v5' })
})
afterAll(() => stage?.close())

const { options } = connect as typeof connect & { options: NonNullable<typeof connect.options> }

describe('the sign-in', () => {
  test('leads to the account', async () => {
    const [identity] = await stage.signIn.accounts()
    expect(identity).toMatchObject({
      externalId: '700000000000000001',
      name: 'Pretend Bakery',
      username: 'pretend_bakery',
      avatarUrl: null,
      profileUrl: expect.stringMatching(/\/www\/pretend_bakery\/$/),
      credentials: { accessToken: expect.stringMatching(/^pina_/), refreshToken: expect.stringMatching(/^pinr_/) },
    })
  })

  test('the app shows itself in the header, and asks for tokens that can be renewed', async () => {
    await stage.signIn.run()
    const { request } = stage.calls('POST oauth/token').at(-1) ?? {}
    const secret = stage.context().setting('CLIENT_SECRET')
    expect(secret.length).toBeGreaterThan(20)
    expect(request?.headers?.authorization).toBe(`Basic ${btoa(`sandbox-client:${secret}`)}`)
    expect(request?.form).toMatchObject({ continuous_refresh: 'true' })
    expect(JSON.stringify(request?.form)).not.toContain(secret)
  })

  test("tells the network's own words, and what could not be read", async () => {
    const other = stage.context({}, { CLIENT_ID: 'another-app' })
    expect(await stage.signIn.complete(await stage.signIn.code(), { context: other })).toEqual({
      kind: 'failed',
      message: 'Pinterest refused the sign-in: Authentication failed.',
    })
    expect(await stage.signIn.complete('made-up')).toMatchObject({
      message: expect.stringContaining('The authorization grant is invalid'),
    })
    for (const broken of [lost, pinterestError(500, 500, 'Oops'), answer(200, { id: 5 })]) {
      expect(await stage.signIn.run(stage.context(stage.on('GET user_account', broken)))).toMatchObject({
        message: expect.stringMatching(/^Pinterest (could not be reached|does not show the account)\. ./),
      })
    }
  })
})

describe('the boards to choose from', () => {
  const ask = (trouble: Trouble = {}, credentials = stage.world.backend.credentials) =>
    options(stage.context(trouble), { externalId: '1', credentials, accountType: 'PINTEREST' })
  const always = { times: 100 }

  test('are those of the account that others see', async () => {
    expect(await ask()).toEqual({
      kind: 'options',
      options: {
        boardId: [
          { value: '549755885175000001', title: 'Fresh bread' },
          { value: '549755885175000002', title: 'Pastries' },
        ],
      },
    })
  })

  test('are read page by page; boards of advertisements are left out, secret ones say so', async () => {
    const pages: Record<string, unknown> = {
      '': {
        items: [
          { id: '1', name: 'One' },
          { id: '2', name: 'Ads', is_ads_only: true },
        ],
        bookmark: 'next',
      },
      next: { items: [{ id: '3', name: 'Three', privacy: 'SECRET' }, { id: '4' }], bookmark: null },
    }
    const asked = ({ request }: Exchange) => pages[new URL(request.url).searchParams.get('bookmark') ?? '']
    const paged = stage.on('GET boards', (exchange) => answer(200, asked(exchange)), always)
    expect(await ask(paged)).toEqual({
      kind: 'options',
      options: {
        boardId: [
          { value: '1', title: 'One' },
          { value: '3', title: 'Three (secret)' },
          { value: '4', title: '4' },
        ],
      },
    })
  })

  test('a dead token, a fault and a list without end are told as what they are', async () => {
    expect(await ask({}, { accessToken: 'pina_nobody' })).toMatchObject({ kind: 'reconnect', mayRefresh: true })
    const broken = pinterestError(500, 500, 'Oops')
    expect(await ask(stage.on('GET boards', broken))).toMatchObject({ kind: 'failed' })
    expect(await ask(stage.on('GET boards', lost))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('The connection broke.'),
    })
    let asked = 0
    const more = () => {
      asked++
      return answer(200, { items: [], bookmark: 'more' })
    }
    const endless = stage.on('GET boards', more, always)
    expect(await ask(endless)).toMatchObject({ kind: 'options' })
    expect(asked).toBe(20)
  })
})

describe('a refresh', () => {
  test('a refresh token that is not renewed is kept', async () => {
    const fresh = answer(200, { access_token: 'pina_new', token_type: 'bearer', expires_in: 60, scope: '' })
    const credentials = { accessToken: 'pina_a', refreshToken: 'pinr_a' }
    const context = stage.context(stage.on('POST oauth/token', fresh))
    expect(await stage.signIn.refresh(credentials, context)).toMatchObject({
      kind: 'refreshed',
      credentials: { accessToken: 'pina_new', refreshToken: 'pinr_a' },
    })
  })

  test('without a refresh token no read ends a connection: publishing tells when access has ended', async () => {
    const [identity] = await stage.signIn.accounts()
    const { accessToken = '' } = identity.credentials
    const kindFor = async (token: string, trouble: Trouble = {}) =>
      (await stage.signIn.refresh({ accessToken: token }, stage.context(trouble))).kind
    expect(await kindFor(accessToken)).toBe('failed')
    for (const broken of [pinterestError(500, 500, 'Oops'), lost]) {
      expect(await kindFor('pina_a', stage.on('GET user_account', broken))).toBe('failed')
    }
    stage.pass(30 * 24 * 3_600_000)
    expect(await kindFor(accessToken)).toBe('failed')
    expect(network.connect.canRefresh?.({ accessToken })).toBe(false)
  })
})
