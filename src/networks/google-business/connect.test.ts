import { expect, test } from 'vitest'
import type { Exchange, Trouble } from '../conformance/delivery.ts'
import { stageFor } from '../conformance/stages.ts'
import { answer, type Json } from '../kit/testing.ts'
import { googleError, info, openStage } from './testing-posts.ts'

const [ACCOUNTS, LOCATIONS] = ['GET /v1/accounts', 'GET /locations'] as const
const stage = stageFor('each', openStage)

const times = 100
const signedIn = async (trouble: Trouble) => {
  const outcome = await stage.signIn.run(stage.context(trouble))
  return outcome.kind === 'failed'
    ? outcome.message
    : outcome.accounts.map(({ externalId, credentials }) => [externalId, credentials.account])
}

test('lists the locations of all accounts over all pages, each once, without those that take no posts', async () => {
  const accounts = await stage.signIn.accounts()
  expect(accounts.map(({ externalId, name, credentials }) => [externalId, name, credentials.account])).toEqual([
    ['locations/2000001', 'Corner Bakery, 12 Main Street, Springfield', 'accounts/1000001'],
    ['locations/2000002', 'Corner Bakery, 3 Oak Avenue, Shelbyville', 'accounts/1000001'],
    ['locations/2000004', 'Flour Mill', 'accounts/1000002'],
  ])
  expect([stage.calls(ACCOUNTS).length, stage.calls(LOCATIONS).length]).toEqual([2, 5])
  const [{ profileUrl, externalId, credentials }] = accounts
  expect(profileUrl).toMatch(/^https:\/\/maps/)
  expect(Object.keys(credentials).sort()).toEqual(['accessToken', 'account', 'refreshToken'])
  const body = { summary: 'Bread', topicType: 'STANDARD' }
  const more = { token: credentials.accessToken ?? '' }
  const made = await stage.api(`POST ${credentials.account}/${externalId}/localPosts`, body, more)
  expect(made).toMatchObject({ status: 200, json: { state: 'PROCESSING' } })
})

test.each([
  ['accounts', ACCOUNTS],
  ['locations', LOCATIONS],
])('entries of %s that cannot be read are skipped', async (list, call) => {
  const before = await signedIn({})
  const strange = [{ name: 'newKind/1', title: 'Odd' }, null]
  const trouble = stage.on(
    call,
    async ({ send }) => {
      const real = await send()
      const json = (real.kind === 'answer' ? real.json : {}) as Json
      const { [list]: entries } = json as Record<string, unknown[] | undefined>
      return entries ? answer(200, { ...json, [list]: [...strange, ...entries] }) : real
    },
    { times },
  )
  expect(await signedIn(trouble)).toEqual(before)
})

test.each([
  ['that was put in a group', ['accounts/2', 'accounts/10'], 'accounts/10'],
  ['that somebody else manages', ['accounts/777'], 'accounts/777'],
])('a location %s is the same account as before', async (_, names, account) => {
  const managedBy = (accounts: readonly string[]): Trouble => ({
    async intercept({ request, send }) {
      if (request.url.includes('/v1/accounts?')) return answer(200, { accounts: accounts.map((name) => ({ name })) })
      const locations = [{ name: 'locations/9', title: 'Bakery' }]
      return request.url.includes('/locations?') ? answer(200, { locations }) : send()
    },
  })
  expect(await signedIn(managedBy(['accounts/2']))).toEqual([['locations/9', 'accounts/2']])
  expect(await signedIn(managedBy(names))).toEqual([['locations/9', account]])
})

test('an account that nothing may be read of is passed over; when nothing else is there it is reported', async () => {
  const isLocked = ({ request }: Exchange) => request.url.includes('1000004')
  const locked = stage.on(LOCATIONS, (exchange) => (isLocked(exchange) ? null : answer(200, {})), { times })
  expect(await signedIn(locked)).toContain('refused to list the accounts of this person (403)')
})

const kiosk = { name: 'locations/7', title: 'Kiosk', metadata: { canOperateLocalPost: false } }
const noQuota = info({ metadata: { quota_limit_value: '0' } })
const disabled = { message: 'The API has not been used in project 1 before or it is disabled.' }
const suspended = {
  message: "Permission denied: Consumer 'project_number:1' has been suspended.",
  ...info({ reason: 'CONSUMER_SUSPENDED' }),
}
test.each([
  ['no account', ACCOUNTS, answer(200, {}), 'manages no business'],
  ['accounts beside which there is something new', ACCOUNTS, answer(200, { surprise: [] }), 'manages no business'],
  ['accounts without a location', LOCATIONS, answer(200, {}), 'manages no business'],
  ['locations that take no posts', LOCATIONS, answer(200, { locations: [kiosk] }), 'lets no program post'],
  ['no quota', ACCOUNTS, googleError(429, 'RESOURCE_EXHAUSTED', noQuota), 'Application for Basic API Access'],
  ['no quota, as 403', ACCOUNTS, googleError(403, 'PERMISSION_DENIED', noQuota), 'Application for Basic API Access'],
  ['a 429 that says no more', ACCOUNTS, googleError(429, 'RESOURCE_EXHAUSTED'), 'Basic API Access'],
  ['a suspended project', LOCATIONS, googleError(403, 'PERMISSION_DENIED', suspended), 'the Google Cloud project'],
  ['an API that is switched off', LOCATIONS, googleError(403, 'PERMISSION_DENIED', disabled), 'not switched on'],
  ['a server error', LOCATIONS, answer(503, {}), 'answered with a fault (503)'],
  ['too many pages', LOCATIONS, answer(200, { locations: [], nextPageToken: 'more' }), 'more accounts or locations'],
])('%s is reported in words', async (_, call, instead, words) => {
  expect(await signedIn(stage.on(call, instead, { times }))).toContain(words)
})
