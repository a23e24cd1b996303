import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import { answer, openStage, type Stage, worldOf } from '../kit/testing.ts'
import { network } from './index.ts'
import { headers, sample } from './testing-posts.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(network, 'LINKEDIN_PAGE', { base: 'api', headers })
})
afterAll(() => stage.close())
const person = () => stage.signIn.as('LINKEDIN_PERSONAL')

describe('the way to the sign-in', () => {
  test('pages share the app when they have none of their own', () => {
    const setting = (name: string) => (name.startsWith('PAGE_') ? '' : `value of ${name}`)
    const ask = {
      accountType: 'LINKEDIN_PAGE',
      state: 's',
      redirectUri: 'https://a.example',
      codeChallenge: null,
    } as const
    const url = new URL(network.connect.oauth?.authorizeUrl({ ...stage.context(), setting }, ask) ?? '')
    expect(url.searchParams.get('client_id')).toBe('value of CLIENT_ID')
  })

  test('an app without the product is sent back with words', async () => {
    const url = stage.signIn.address(({ searchParams }) => searchParams.set('client_id', 'sandbox-member-app'))
    const back = await fetch(url, { redirect: 'manual' })
    expect(back.headers.get('location')).toContain('unauthorized_scope_error')
  })
})

describe('coming back', () => {
  test('as a person: the member', async () => {
    expect(await person().accounts()).toMatchObject([{ externalId: 'urn:li:person:pReTeNd_01', name: 'Pat Baker' }])
  })

  test('as pages: those on which the person may post', async () => {
    expect(await stage.signIn.accounts()).toMatchObject([
      {
        externalId: 'urn:li:organization:7000001',
        name: 'Corner Bakery',
        username: 'corner-bakery',
        profileUrl: 'https://www.linkedin.com/company/corner-bakery/',
        avatarUrl: expect.stringMatching(/\/logos\/corner-bakery-200\.png$/),
      },
      { externalId: 'urn:li:organization:7000002', name: 'Mill & Sons' },
      { externalId: 'urn:li:organization:7000004', name: 'Sourdough', avatarUrl: null },
    ])
  })

  test('a showcase page publishes as an organization', async () => {
    const page = (await stage.signIn.accounts()).find(({ name }) => name === 'Sourdough')
    if (!page) throw new Error('The showcase page is missing.')
    const world = worldOf(stage, page)
    expect((await deliver(world, sample('LINKEDIN_PAGE', { caption: 'A loaf' }))).post).toMatchObject({ kind: 'made' })
  })

  test.each([
    ['are refused', answer(403, { message: 'Not enough permissions', status: 403 })],
    ['fail', answer(500, { message: 'Internal Server Error', status: 500 })],
    ['have another shape', answer(200, { logoV2: { 'original~': { elements: [{}, { identifiers: [{}] }] } } })],
  ])('logos that %s are no reason not to connect pages', async (_, instead) => {
    const context = stage.context({
      intercept: async ({ request, send }) => (request.url.includes('/v2/organizations/') ? instead : send()),
    })
    const outcome = await stage.signIn.run(context)
    expect(outcome).toMatchObject({ kind: 'accounts' })
    expect(outcome.kind === 'accounts' && outcome.accounts.map(({ avatarUrl }) => avatarUrl)).toEqual([
      null,
      null,
      null,
    ])
  })

  test('a code of one app is worth nothing to the other', async () => {
    expect(await stage.signIn.complete(await person().code())).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('authorization code'),
    })
  })

  test('the tokens publish', async () => {
    const [page] = await stage.signIn.accounts()
    const post = {
      author: page.externalId,
      commentary: 'Hello',
      visibility: 'PUBLIC',
      distribution: { feedDistribution: 'MAIN_FEED' },
      lifecycleState: 'PUBLISHED',
    }
    const token = page.credentials.accessToken ?? ''
    expect(await stage.api('POST rest/posts', post, { token })).toMatchObject({ status: 201 })
  })

  test('a person without a page is told what to do', async () => {
    const elements = [{ organization: 'urn:li:organization:1', role: 'ANALYST', state: 'APPROVED' }]
    const roles = stage.on('GET rest/organizationAcls', answer(200, { elements }), { times: 9 })
    expect(await stage.signIn.run(stage.context(roles))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('administrator'),
    })
  })

  test('a person with many pages sees all, also those whose name is not told', async () => {
    const all = Array.from({ length: 130 }, (_, index) => ({
      organization: `urn:li:organization:${index + 1}`,
      role: index % 2 ? 'ADMINISTRATOR' : 'CONTENT_ADMIN',
    }))
    const context = stage.context({
      async intercept({ request, send }) {
        const url = new URL(request.url)
        if (url.pathname.includes('/organizations/')) return answer(403, { message: 'No.', status: 403 })
        if (!url.pathname.endsWith('organizationAcls')) return send()
        const start = Number(url.searchParams.get('start'))
        return answer(200, { elements: all.slice(start, start + Number(url.searchParams.get('count'))) })
      },
    })
    const outcome = await stage.signIn.run(context)
    if (outcome.kind === 'failed') throw new Error(outcome.message)
    expect(outcome.accounts).toHaveLength(130)
    expect(outcome.accounts[4]).toMatchObject({
      name: 'LinkedIn page 5',
      username: null,
      profileUrl: 'https://www.linkedin.com/company/5/',
    })
  })

  test.each(['userinfo', 'organizationAcls', '/organizations/'])('a fault of %s is told as one', async (path) => {
    const fault = answer(500, { message: 'Internal Server Error', status: 500 })
    const context = stage.context({
      intercept: async ({ request, send }) => (request.url.includes(path) ? fault : send()),
    })
    const outcome = await (path === 'userinfo' ? person() : stage.signIn).run(context)
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('Internal Server Error') })
  })
})

describe('refreshing', () => {
  test('a person without a refresh token is not dead before LinkedIn says so', async () => {
    const outcome = await stage.signIn.refresh({ accessToken: 'a' })
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('Connect the account again') })
  })

  test('each kind of account is refreshed by its own app', async () => {
    const asked: unknown[] = []
    const context = stage.context({
      async intercept({ request }) {
        asked.push(request.form?.client_id)
        return answer(200, { access_token: 'b', expires_in: 60, refresh_token: 'r2' })
      },
    })
    const credentials = { accessToken: 'a', refreshToken: 'r' }
    const refresh = (externalId: string) => network.connect.refresh?.(context, { externalId, credentials })
    expect(await refresh('urn:li:organization:1')).toMatchObject({
      credentials: { accessToken: 'b', refreshToken: 'r2' },
    })
    await refresh('urn:li:person:1')
    expect(asked).toEqual(['sandbox-page-app', 'sandbox-member-app'])
  })
})
