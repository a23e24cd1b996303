import { afterAll, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { Exchange, Trouble } from '../conformance/delivery.ts'
import { answer, both, worldOf } from '../kit/testing.ts'
import type { NetworkIdentity } from '../network.ts'
import { appOf } from './connect.ts'
import { network } from './index.ts'
import { openStage, sample } from './testing-posts.ts'

const stage = await openStage('LINKEDIN_PAGE')
afterAll(stage.close)
const person = () => stage.signIn.as('LINKEDIN_PERSONAL')
const fault = answer(500, { message: 'Internal Server Error', status: 500 })
const times = 200
const ROLES = 'GET rest/organizationAcls'
const run = (trouble: Trouble) => stage.signIn.run(stage.context(trouble))
const failed = (words: string) => ({ kind: 'failed', message: expect.stringContaining(words) })

test('without an app for pages the first one is theirs', () => {
  const context = stage.context({}, { PAGE_CLIENT_ID: '' })
  const form = { client_id: 'sandbox-member-app' }
  expect(appOf(context, { externalId: 'urn:li:organization:1' })).toMatchObject({ id: form, form })
})

test('an app without the product is sent back with words, and gets nothing for a code of another one', async () => {
  const other = stage.signIn.address(({ searchParams }) => searchParams.set('client_id', 'sandbox-member-app'))
  const back = await fetch(other, { redirect: 'manual' })
  expect(back.headers.get('location')).toContain('unauthorized_scope_error')
  expect(await stage.signIn.complete(await person().code())).toMatchObject(failed('authorization code'))
})

test('as a person: the member, who is not dead before LinkedIn says so', async () => {
  const [account] = await person().accounts()
  expect(account).toMatchObject({ externalId: 'urn:li:person:pReTeNd_01', name: 'Pat Baker' })
  expect(network.connect.canRefresh?.(account.credentials)).toBe(false)
  expect(await stage.signIn.refresh({ accessToken: 'a' })).toMatchObject(failed('Connect the account again'))
})

test('as pages: those on which the person may post', async () => {
  const [first, ...others] = await stage.signIn.accounts()
  expect(first).toMatchObject({ externalId: 'urn:li:organization:7000001', name: 'Corner Bakery' })
  expect(first.profileUrl).toBe(`https://www.linkedin.com/company/${first.username}/`)
  expect(first.avatarUrl).toMatch(/\/logos\/corner-bakery-200\.png$/)
  expect(others).toMatchObject([{ name: 'Mill & Sons' }, { name: 'Sourdough', avatarUrl: null }])
})

test('a showcase page publishes as an organization', async () => {
  const page = (await stage.signIn.accounts())[2] as NetworkIdentity
  expect(JSON.stringify(stage.calls(ROLES).at(-1)?.result)).toContain('urn:li:organizationBrand:7000004')
  expect((await deliver(worldOf(stage, page), sample('LINKEDIN_PAGE'))).post.kind).toBe('made')
})

test.each([
  ['fail', fault],
  ['have another shape', answer(200, { logoV2: { 'original~': { elements: [{}, { identifiers: [{}] }] } } })],
])('logos that %s are no reason not to connect pages', async (_, instead) => {
  const outcome = await run(stage.on('GET v2/organizations/{id}', instead, { times }))
  expect(outcome).toMatchObject({ accounts: Array(3).fill({ avatarUrl: null }) })
})

test.each([
  [
    'no page',
    ROLES,
    answer(200, { elements: [{ organization: 'urn:li:organization:1', role: 'ANALYST' }] }),
    'the role',
  ],
  ['a page that cannot be read', 'GET rest/organizations/{id}', fault, 'Internal Server Error'],
])('a person with %s learns why', async (_, call, instead, words) => {
  expect(await run(stage.on(call, instead))).toMatchObject(failed(words))
})

test('a person with many pages sees all, also those whose name is not shown', async () => {
  const all = Array.from({ length: 130 }, (_, index) => {
    return {
      organization: `urn:li:organization:${1_000_000 + index}`,
      role: index % 2 ? 'ADMINISTRATOR' : 'CONTENT_ADMIN',
    }
  })
  const listing = ({ request }: Exchange) => {
    const start = Number(new URL(request.url).searchParams.get('start'))
    return answer(200, { elements: all.slice(start, start + 100) })
  }
  const hidden = stage.on('GET rest/organizations/{id}', answer(403, { message: 'No.', status: 403 }), { times })
  const outcome = await run(both(hidden, stage.on(ROLES, listing, { times })))
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  expect(outcome.accounts).toHaveLength(130)
  const profileUrl = expect.stringContaining('/1000004/')
  expect(outcome.accounts[4]).toMatchObject({ name: 'LinkedIn page 1000004', username: null, profileUrl })
})
