import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanName } from '#contract'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'

/** What can be wrong with a request that writes, in the order in which it is reported, with the code of each. */
const CHECKS = {
  credential: 'auth:invalid_credential',
  rate: 'rate-limit:exceeded',
  scope: 'auth:insufficient_scope',
  mediaType: 'request:unsupported_media_type',
  size: 'request:too_large',
  json: 'request:invalid_json',
  idempotencyKey: 'request:idempotency_key_reused',
  existence: null,
  state: 'post-set:read_only',
  locked: 'post-set:locked',
  version: 'post-set:version_conflict',
  query: 'request:invalid_query',
  shape: 'request:invalid_body',
  publishScope: 'auth:insufficient_scope',
  plan: 'plan:approvals_not_available',
  rules: 'post-set:invalid_posts',
} as const
type Check = keyof typeof CHECKS
type Method = 'POST' | 'PATCH' | 'DELETE'
const ORDER = Object.keys(CHECKS) as Check[]
const ABSENT = '019a9c6f-91d4-7e55-b1a0-5d6c7b8a9f01'

/** Checks that cannot both fail in one request. */
const EXCLUSIVE: [Check, Check][] = [
  // A key that is none has no account whose rate could be passed.
  ['credential', 'rate'],
  // A body that is too large is not read.
  ['size', 'json'],
  // What is not JSON has no fields.
  ...(['shape', 'publishScope', 'plan', 'rules'] as const).map((later): [Check, Check] => ['json', later]),
  // What is not there has no state.
  ...(['state', 'locked', 'version'] as const).map((later): [Check, Check] => ['existence', later]),
]

let api: Api
let brand: Brand
/** A brand with keys that lack one scope each. */
interface Brand {
  socialSetId: string
  all: string
  noWrite: string
  noPublish: string
}
async function newBrand(plan: PlanName): Promise<Brand> {
  const accountId = await api.newAccount({ plan })
  return {
    socialSetId: await api.newSocialSet({ accountId, connected: ['BLUESKY'] }),
    all: await api.newKey({ accountId }),
    noWrite: await api.newKey({ accountId, scopes: ['notes:write', 'media:write'] }),
    noPublish: await api.newKey({ accountId, scopes: ['post-sets:write'] }),
  }
}

beforeAll(async () => {
  api = await startApi({
    plans: { FREE: { monthlyPosts: null }, STARTER: { monthlyPosts: null, requestsPerSecond: 1 } },
  })
  brand = await newBrand('FREE')
})
afterAll(() => api.close())

/** The checks of a request: a new set has no state yet, and a removal reads no body and takes no idempotency key. */
const NOT_CHECKED: Record<Method, readonly Check[]> = {
  POST: ['state', 'locked', 'version'],
  PATCH: [],
  DELETE: ['idempotencyKey', 'shape', 'plan', 'rules'],
}

/** A request with exactly these things wrong. Answers its code. */
async function codeOf(method: Method, wrong: ReadonlySet<Check>): Promise<string> {
  // Every case of the rate has an account of its own, whose only request of the second is made below.
  const own = wrong.has('rate') ? await newBrand('STARTER') : brand
  const place = method === 'POST' ? { socialSetId: wrong.has('existence') ? ABSENT : own.socialSetId } : {}
  const body = {
    ...place,
    scheduledAt: '2030-06-01T10:00:00Z',
    status: 'SCHEDULED',
    approval: wrong.has('plan') ? 'PENDING' : 'NONE',
    posts: [wrong.has('rules') ? { ...BLUESKY_POST, caption: 'x'.repeat(301) } : BLUESKY_POST],
    ...(wrong.has('shape') ? { extra: true } : {}),
    ...(wrong.has('size') ? { filler: 'x'.repeat(1_100_000) } : {}),
  }
  const query = wrong.has('query') ? '?colour=red' : ''
  const path = method === 'POST' ? `/v1/post-sets${query}` : `/v1/post-sets/${await target(method, wrong, own)}${query}`
  if (wrong.has('rate')) expect((await api.request('GET', '/v1/social-sets', { key: own.all })).status).toBe(200)
  if (wrong.has('idempotencyKey')) await takeIdempotencyKey()
  const answer = await api.request(method, path, {
    key: keyFor(wrong, own),
    raw: wrong.has('json') ? '{"' : JSON.stringify(body),
    headers: {
      ...(wrong.has('mediaType') ? { 'content-type': 'text/plain' } : {}),
      ...(wrong.has('idempotencyKey') ? { 'idempotency-key': 'taken' } : {}),
      ...(wrong.has('version') ? { 'if-match': '"99"' } : {}),
    },
  })
  return answer.body.code ?? String(answer.status)
}

/** Every API key has sent another request with this key before. */
async function takeIdempotencyKey(): Promise<void> {
  await sql`
    insert into idempotency_keys (api_key_id, key, request_hash, status, headers, body)
    select id, 'taken', '', 201, '{}', '{}' from api_keys on conflict do nothing`.execute(api.db)
}

function keyFor(wrong: ReadonlySet<Check>, own: Brand): string {
  if (wrong.has('credential')) return 'alm_nobody'
  if (wrong.has('scope')) return own.noWrite
  return wrong.has('publishScope') ? own.noPublish : own.all
}

async function target(method: Method, wrong: ReadonlySet<Check>, own: Brand): Promise<string> {
  if (wrong.has('existence') || wrong.has('rate')) return ABSENT
  // What a removal needs depends on the set that is there, what an update needs on what it leads to.
  const status = method === 'DELETE' ? 'SCHEDULED' : 'DRAFT'
  const { id } = await api.create({ socialSetId: own.socialSetId, status }, own.all)
  if (wrong.has('state')) {
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', id).execute()
  }
  if (wrong.has('locked')) {
    await api.db.updateTable('post_sets').set({ locked_at: new Date(), locked_by: 'me' }).where('id', '=', id).execute()
  }
  return id
}

const DONE: Record<Method, string> = { POST: '201', PATCH: '200', DELETE: '204' }
const expected = (method: Method, check: Check) =>
  CHECKS[check] ?? (method === 'POST' ? 'social-set:not_found' : 'post-set:not_found')

describe.each(['POST', 'PATCH', 'DELETE'] as const)('%s', (method) => {
  const checks = ORDER.filter((check) => !NOT_CHECKED[method].includes(check))

  test('with nothing wrong is done', async () => {
    expect(await codeOf(method, new Set())).toBe(DONE[method])
  })

  test.each(checks)('with one thing wrong: %s', async (check) => {
    expect(await codeOf(method, new Set([check]))).toBe(expected(method, check))
  })

  const pairs = checks.flatMap((first, index) => checks.slice(index + 1).map((second) => [first, second] as const))
  const together = pairs
    .filter((pair) => !EXCLUSIVE.some(([a, b]) => a === pair[0] && b === pair[1]))
    // The social set of a new one is named in the body.
    .filter((pair) => method !== 'POST' || pair.join() !== 'json,existence')
  test.each(together)(
    'order-01, order-02, order-03, order-04, order-05, order-06, order-07, order-08, order-09, order-10, idempotency-08: %s is reported before %s',
    async (first, second) => {
      expect(await codeOf(method, new Set([first, second]))).toBe(expected(method, first))
    },
  )
})
