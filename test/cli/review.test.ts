import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { emptyInstallation } from '../_util/database/empty-installation.ts'
import { almanacJson, type RunningAlmanac, runAlmanac, type Settings, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let installation: Awaited<ReturnType<typeof emptyInstallation>>
let settings: Settings
let almanac: RunningAlmanac
let account: { accountId: string; socialSetId: string }
let key: string
const json = <T>(...args: string[]) => almanacJson<T>(args, { settings })
const run = (...args: string[]) => runAlmanac(args, { settings })

beforeAll(async () => {
  installation = await emptyInstallation()
  settings = { ...installation.settings, ALMANAC_PORT: await freePort() }
  almanac = await startAlmanac({ settings })
  account = await json('accounts', 'create', '--name', 'Acme', '--sandbox')
  const scopes = 'post-sets:write,post-sets:publish'
  const created = await json<{ key: string }>(
    'keys',
    'create',
    '--account',
    account.accountId,
    '--name',
    'CI',
    '--scopes',
    scopes,
  )
  key = created.key
})
afterAll(async () => {
  await almanac?.stop()
  await installation?.remove()
})

// biome-ignore lint/suspicious/noExplicitAny: tests of the API hold answers against its description
type Body = any

/** A request of the API; one that came too soon after others is made again until the second is over. */
async function request(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
  for (const deadline = Date.now() + 10_000; ; ) {
    const response = await fetch(`${almanac.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(10_000),
    })
    if (response.status === 204) return { status: 204, body: null }
    if (response.status !== 429 || Date.now() > deadline)
      return { status: response.status, body: await response.json() }
    await response.body?.cancel()
    await setTimeout(100)
  }
}

async function newSet(more: object = {}): Promise<string> {
  const { status, body } = await request('POST', '/v1/post-sets', {
    socialSetId: account.socialSetId,
    scheduledAt: '2090-06-01T10:00:00Z',
    status: 'SCHEDULED',
    approval: 'PENDING',
    posts: [{ accountType: 'BLUESKY', caption: 'hello', media: [] }],
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}
const read = async (id: string) => (await request('GET', `/v1/post-sets/${id}`)).body

test('service-09, service-10, service-13, resources-21, states-15, states-16, publish-10, publish-22: changes are asked for: the set is parked, reported in history, and scheduled again by its author', async () => {
  const id = await newSet()
  expect(await json('post-sets', 'approve', id)).toEqual({ id, approval: 'APPROVED' })
  expect(await read(id)).toMatchObject({ status: 'SCHEDULED', approval: 'APPROVED' })
  expect(await json('post-sets', 'request-changes', id, '--message', 'Say when.')).toEqual({
    id,
    approval: 'DENIED',
    status: 'DRAFT',
  })
  expect(await read(id)).toMatchObject({ status: 'DRAFT', approval: 'DENIED' })
  const again = await request('PATCH', `/v1/post-sets/${id}`, { status: 'SCHEDULED', approval: 'PENDING' })
  expect(again).toMatchObject({ status: 200, body: { status: 'SCHEDULED', approval: 'PENDING' } })

  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const operator = { type: 'OPERATOR', name: 'operator' }
  const program = { type: 'API_KEY', name: 'CI' }
  const history = await json<Body[]>('post-sets', 'history', id)
  const entry = expect.any(String)
  expect(history).toEqual([
    { id: entry, at, actor: program, action: 'created', changes: expect.any(Object) },
    { id: entry, at, actor: operator, action: 'approved', changes: { approval: { from: 'PENDING', to: 'APPROVED' } } },
    {
      id: entry,
      at,
      actor: operator,
      action: 'changes requested',
      changes: {
        approval: { from: 'APPROVED', to: 'DENIED' },
        status: { from: 'SCHEDULED', to: 'DRAFT' },
        message: 'Say when.',
      },
    },
    {
      id: entry,
      at,
      actor: program,
      action: 'scheduled',
      changes: { approval: { from: 'DENIED', to: 'PENDING' }, status: { from: 'DRAFT', to: 'SCHEDULED' } },
    },
  ])
  const { code, stdout } = await run('post-sets', 'history', id)
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^\S+Z {2}CI \(API_KEY\) +created/),
    expect.stringMatching(/^\S+Z {2}operator \(OPERATOR\) +approved {2,}\{"approval":/),
    expect.stringMatching(/changes requested {2}.*Say when\./),
    expect.stringMatching(/scheduled/),
  ])
})

test('a locked set obeys the reviewer and no program, which may only park it', async () => {
  const id = await newSet()
  expect(await json('post-sets', 'lock', id)).toEqual({ id, isLocked: true })
  expect(await read(id)).toMatchObject({ isLocked: true })
  expect(await request('PATCH', `/v1/post-sets/${id}`, { approval: 'NONE' })).toMatchObject({
    status: 412,
    body: { code: 'post-set:locked' },
  })
  await json('post-sets', 'approve', id)
  expect(await read(id)).toMatchObject({ status: 'SCHEDULED', approval: 'APPROVED', isLocked: true })
  expect((await request('PATCH', `/v1/post-sets/${id}`, { status: 'DRAFT' })).status).toBe(200)
  expect(await json('post-sets', 'unlock', id)).toEqual({ id, isLocked: false })
  expect((await request('PATCH', `/v1/post-sets/${id}`, { approval: 'NONE' })).status).toBe(200)
  // The outcome of a set is reported when the set is gone.
  expect((await request('DELETE', `/v1/post-sets/${id}`)).status).toBe(204)
  const reported = (await json<Body[]>('post-sets', 'history', id)).map(({ action }) => action)
  expect(reported).toEqual(['created', 'locked', 'approved', 'moved to drafts', 'unlocked', 'updated', 'deleted'])
})

test('a label that the operator puts on a set is shown, listed and found', async () => {
  const id = await newSet()
  const label = await json<{ id: string }>(
    'labels',
    'create',
    '--account',
    account.accountId,
    '--name',
    'Autumn',
    '--color',
    '#ff8800',
  )
  await json('post-sets', 'label', id, '--label', 'Autumn')
  expect((await read(id)).labelsId).toEqual([label.id])
  const labels = await request('GET', '/v1/labels')
  expect(labels.body.data).toEqual([{ id: label.id, name: 'Autumn', color: '#ff8800', createdAt: expect.any(String) }])
  const found = async () => {
    const query = `socialSetId=${account.socialSetId}&filters[labelsId][]=${label.id}`
    return (await request('GET', `/v1/post-sets?${query}`)).body.data.map((set: Body) => set.id)
  }
  expect(await found()).toEqual([id])
  await json('post-sets', 'label', id, '--label', label.id, '--remove')
  expect(await found()).toEqual([])
})

test('what cannot be reviewed is refused in one sentence', async () => {
  const id = await newSet({ scheduledAt: '2020-01-01T00:00:00Z' })
  for (const deadline = Date.now() + 60_000; (await read(id)).status !== 'PUBLISHED'; ) {
    expect(Date.now(), 'the set was never published').toBeLessThan(deadline)
    await setTimeout(200)
  }
  const missing = account.accountId
  for (const [args, words] of [
    [['approve', id], /^almanac: The post set has been published and can no longer be reviewed\.\n$/],
    [['request-changes', id], /^almanac: The post set has been published and can no longer be reviewed\.\n$/],
    [['approve', 'nonsense'], /^almanac: There is no post set nonsense\.\n$/],
    [['request-changes', missing], /^almanac: There is no post set [0-9a-f-]+\.\n$/],
    [['history', missing], /^almanac: There is no history of a post set [0-9a-f-]+\.\n$/],
  ] as const) {
    const finished = await run('post-sets', ...args)
    expect(finished).toMatchObject({ code: 1, stdout: '' })
    expect(finished.stderr).toMatch(words)
  }
  expect((await run('post-sets', 'request-changes')).code).toBe(2)
})
