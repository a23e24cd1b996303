import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { HttpRequest, HttpResult } from '../kit/http.ts'
import { answer, lost } from '../kit/testing.ts'
import { network } from './index.ts'
import { openStage, type Stage } from './testing-posts.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

/** Changes answers on the way. */
const changed = (change: (request: HttpRequest, real: HttpResult) => HttpResult | undefined): Trouble => ({
  async intercept({ request, send }) {
    const real = await send()
    return change(request, real) ?? real
  },
})
const withBody = (real: HttpResult, change: object): HttpResult =>
  real.kind === 'answer' ? answer(real.status, { ...(real.json as object), ...change }) : real
const isTo = (request: HttpRequest, end: string) => new URL(request.url).pathname.endsWith(end)

describe('the sign-in', () => {
  test('lists the locations of all accounts over all pages, each once, without those that take no posts', async () => {
    const accounts = await stage.signIn.accounts()
    expect(accounts.map(({ externalId, name }) => [externalId, name])).toEqual([
      ['locations/2000001', 'Corner Bakery, 12 Main Street, Springfield'],
      ['locations/2000002', 'Corner Bakery, 3 Oak Avenue, Shelbyville'],
      ['locations/2000004', 'Flour Mill'],
    ])
    const pages = (end: string) => stage.sent.filter((request) => isTo(request, end)).length
    expect([pages('/v1/accounts'), pages('1000001/locations'), pages('1000003/locations')]).toEqual([2, 2, 1])
    const [first] = accounts
    expect(first.profileUrl).toMatch(/^https:\/\/maps/)
    expect(Object.keys(first.credentials).sort()).toEqual(['accessToken', 'account', 'refreshToken'])
    expect(accounts.map(({ credentials }) => credentials.account)).toEqual([
      'accounts/1000001',
      'accounts/1000001',
      'accounts/1000002',
    ])
  })

  test.each(['/v1/accounts', '/locations'])('entries of %s that cannot be read are skipped', async (end) => {
    const list = end === '/locations' ? 'locations' : 'accounts'
    const before = await stage.signIn.accounts()
    const trouble = changed((request, real) => {
      if (!isTo(request, end) || real.kind !== 'answer') return undefined
      const { [list]: entries } = real.json as Record<string, unknown[] | undefined>
      return entries && withBody(real, { [list]: [{ name: 'newKind/1', title: 'Odd' }, null, ...entries] })
    })
    const outcome = await stage.signIn.run(stage.context(trouble))
    if (outcome.kind === 'failed') throw new Error(outcome.message)
    expect(outcome.accounts.map(({ externalId }) => externalId)).toEqual(before.map(({ externalId }) => externalId))
  })

  test.each([
    ['that was put in a group', ['accounts/2', 'accounts/10'], 'accounts/10'],
    ['that somebody else manages', ['accounts/777'], 'accounts/777'],
  ])('a location %s is the same account as before', async (_, names, account) => {
    const locations = [{ name: 'locations/9', title: 'Bakery' }]
    const managedBy = (accounts: readonly string[]) =>
      changed((request) => {
        if (isTo(request, '/v1/accounts')) return answer(200, { accounts: accounts.map((name) => ({ name })) })
        return isTo(request, '/locations') ? answer(200, { locations }) : undefined
      })
    const before = await stage.signIn.run(stage.context(managedBy(['accounts/2'])))
    const after = await stage.signIn.run(stage.context(managedBy(names)))
    expect(before).toMatchObject({ accounts: [{ externalId: 'locations/9', credentials: { account: 'accounts/2' } }] })
    expect(after).toMatchObject({ accounts: [{ externalId: 'locations/9', credentials: { account } }] })
  })

  test('access without a refresh token says where the old consent is taken back', async () => {
    const sparing = changed((request, real) =>
      isTo(request, '/token') ? withBody(real, { refresh_token: undefined }) : undefined,
    )
    expect(await stage.signIn.run(stage.context(sparing))).toMatchObject({
      message: expect.stringContaining('myaccount.google.com/permissions'),
    })
  })

  test('an account that nothing may be read of is passed over; when nothing else is there it is told', async () => {
    const trouble = changed((request, real) =>
      isTo(request, '/locations') && !isTo(request, '1000004/locations')
        ? withBody(real, { locations: [], nextPageToken: '' })
        : undefined,
    )
    expect(await stage.signIn.run(stage.context(trouble))).toEqual({
      kind: 'failed',
      message: expect.stringContaining('refused to list the accounts of this person (403)'),
    })
  })

  const noQuota = {
    error: {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: 'Quota exceeded.',
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', metadata: { quota_limit_value: '0' } }],
    },
  }
  const disabled = {
    error: {
      code: 403,
      status: 'PERMISSION_DENIED',
      message: 'The API has not been used in project 1 before or it is disabled.',
    },
  }
  const suspended = {
    error: {
      code: 403,
      status: 'PERMISSION_DENIED',
      message: "Permission denied: Consumer 'project_number:1' has been suspended.",
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'CONSUMER_SUSPENDED' }],
    },
  }
  test.each([
    ['no account', '/accounts', answer(200, {}), 'manages no business'],
    ['accounts without a location', '/locations', answer(200, {}), 'manages no business'],
    [
      'locations that take no posts',
      '/locations',
      answer(200, { locations: [{ name: 'locations/7', title: 'Kiosk', metadata: { canOperateLocalPost: false } }] }),
      'lets no program post',
    ],
    ['a project without quota', '/accounts', answer(429, noQuota), 'Application for Basic API Access'],
    ['a project without quota, as 403', '/accounts', answer(403, noQuota), 'Application for Basic API Access'],
    [
      'a 429 that says no more',
      '/accounts',
      answer(429, { error: { status: 'RESOURCE_EXHAUSTED' } }),
      'Basic API Access',
    ],
    ['a project that Google has suspended', '/locations', answer(403, suspended), 'the Google Cloud project'],
    ['an API that is switched off', '/locations', answer(403, disabled), 'not switched on'],
    ['a server error', '/locations', answer(503, {}), 'answered with a fault (503)'],
    ['accounts beside which there is something new', '/accounts', answer(200, { surprise: [] }), 'manages no business'],
    ['an answer of another shape', '/accounts', answer(200, { accounts: {} }), 'answered with a fault (200)'],
    ['a broken connection', '/accounts', lost, 'could not be reached'],
    ['a token endpoint that fails', '/token', answer(500, {}), 'with a fault (500)'],
    [
      'a wrong secret',
      '/token',
      answer(401, { error: 'invalid_client', error_description: 'Unauthorized' }),
      'Unauthorized',
    ],
  ])('%s is told in words', async (_, end, instead, words) => {
    const trouble = changed((request) => {
      const own = end === '/accounts' ? isTo(request, '/v1/accounts') : isTo(request, end)
      return own ? instead : undefined
    })
    expect(await stage.signIn.run(stage.context(trouble))).toEqual({
      kind: 'failed',
      message: expect.stringContaining(words),
    })
  })

  test('what was connected can post', async () => {
    const [{ externalId, credentials }] = await stage.signIn.accounts()
    const body = { summary: 'Bread', topicType: 'STANDARD' }
    const token = credentials.accessToken ?? ''
    const made = await stage.api(`POST ${credentials.account}/${externalId}/localPosts`, body, { token })
    expect(made).toMatchObject({ status: 200, json: { state: 'PROCESSING' } })
  })
})

describe('the refresh', () => {
  test('a refresh token that the network renews is taken over', async () => {
    const trouble = changed((_, real) => withBody(real, { refresh_token: '1//another-refresh-token' }))
    expect(await stage.signIn.refresh(stage.world.backend.credentials, stage.context(trouble))).toMatchObject({
      credentials: { refreshToken: '1//another-refresh-token' },
    })
  })

  test('consent that was taken back is dead', async () => {
    const [{ credentials }] = await stage.signIn.accounts()
    expect((await stage.signIn.refresh(credentials)).kind).toBe('refreshed')
    const token = encodeURIComponent(credentials.refreshToken ?? '')
    const revoke = () => stage.api(`POST /token/revoke?token=${token}`)
    expect([(await revoke()).status, (await revoke()).status]).toEqual([200, 400])
    expect((await stage.signIn.refresh(credentials)).kind).toBe('dead')
    const read = await stage.api('GET /accounts/v1/accounts', undefined, { token: credentials.accessToken ?? '' })
    expect(read.status).toBe(401)
  })

  test('is made in time for tokens that lapse when nobody uses them', () => {
    const days = (network.connect.renewEveryMs ?? Number.POSITIVE_INFINITY) / 86_400_000
    expect(days).toBeGreaterThan(30)
    expect(days).toBeLessThan(120)
  })
})
