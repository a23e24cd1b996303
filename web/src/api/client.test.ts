import { afterEach, beforeEach, expect, test, vi } from 'vitest'

vi.stubGlobal('document', { querySelector: () => null })
const { call } = await import('./client.ts')

const fetched = vi.fn(async (_: string, __: RequestInit) => Response.json({}))

beforeEach(() => {
  fetched.mockClear()
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => vi.unstubAllGlobals())

test('an endpoint is called by its name, with parameters, version and body in their places', async () => {
  await call('POST /post-sets/:id/move', {
    params: { id: 'a/b' },
    ifMatch: 7,
    body: { scheduledAt: '2030-01-01T00:00:00Z', scope: 'this' },
  })
  const [address, { method, headers, body } = {}] = fetched.mock.lastCall ?? []
  expect([method, address]).toEqual(['POST', '/internal/post-sets/a%2Fb/move'])
  expect(new Headers(headers).get('if-match')).toBe('"7"')
  expect(JSON.parse(String(body))).toEqual({ scheduledAt: '2030-01-01T00:00:00Z', scope: 'this' })
})

test('a list is sent as one parameter per item, and null as none', async () => {
  const query = { socialSetId: 's', from: 'a', to: 'b', 'filters[authors][]': ['x', 'y'], 'filters[search]': null }
  await call('GET /calendar', { query })
  const [address = ''] = fetched.mock.lastCall ?? []
  const filters = 'filters%5Bauthors%5D%5B%5D'
  expect(address).toBe(`/internal/calendar?socialSetId=s&from=a&to=b&${filters}=x&${filters}=y`)
})

test('what the contract does not have does not compile', async () => {
  // @ts-expect-error there is no such path
  await call('GET /post-set')
  // @ts-expect-error a path that takes an id needs one
  await call('GET /post-sets/:id')
  // @ts-expect-error the parameter has another name
  await call('GET /post-sets/:id', { params: { postSetId: 'a' } })
  // @ts-expect-error the body has another field
  await call('PATCH /profile', { body: { fullName: 'Ada' } })
  // @ts-expect-error the body is required
  await call('PATCH /profile')
  // @ts-expect-error the query has another parameter
  await call('GET /post-sets/:id/history', { params: { id: 'a' }, query: { limit: 1 } })
  // @ts-expect-error it takes no version
  await call('PATCH /profile', { body: { name: 'Ada' }, ifMatch: 1 })
  const profile = await call('GET /profile')
  // @ts-expect-error the answer has another field
  expect(profile.fullName).toBeUndefined()
})
