import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { emptyInstallation } from '../_util/database/empty-installation.ts'
import { almanacJson, runAlmanac, type Settings } from '../_util/processes/app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let installation: Awaited<ReturnType<typeof emptyInstallation>>
let settings: Settings
let account: { accountId: string; socialSetId: string }
let connectionId: string
const json = <T>(...args: string[]) => almanacJson<T>(args, { settings })
const run = (...args: string[]) => runAlmanac(args, { settings })

beforeAll(async () => {
  installation = await emptyInstallation()
  settings = installation.settings
  account = await json('accounts', 'create', '--name', 'Acme', '--sandbox')
  const [connection] = await json<{ id: string }[]>('connections', 'list', '--account', account.accountId)
  connectionId = connection?.id ?? ''
})
afterAll(() => installation?.remove())

test('hold-07: the operator stops publishing, reads what is stopped, and lets it go on', async () => {
  for (const id of [account.accountId, account.socialSetId, connectionId]) {
    const held = await run('hold', id, '--reason', 'Wrong prices')
    expect(held).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Publishing is stopped for .+\. No post is/) })
  }
  const holds = await json<object[]>('holds', '--account', account.accountId)
  const by = { accountId: account.accountId, by: 'operator', reason: 'Wrong prices' }
  expect(holds).toMatchObject([
    { ...by, scope: 'ACCOUNT', name: 'Acme' },
    { ...by, scope: 'SOCIAL_SET', socialSetId: account.socialSetId },
    { ...by, scope: 'CONNECTION', connectionId },
  ])
  const { stdout } = await run('holds')
  for (const id of [account.accountId, account.socialSetId, connectionId]) expect(stdout).toContain(id)
  for (const [id, late] of [
    [account.accountId, 'publish'],
    [account.socialSetId, 'PARK'],
  ] as const) {
    expect(await json('release', id, '--late', late)).toEqual({ publishing: 0, parked: 0, failed: 0 })
  }
  const closed = await run('connections', 'close', connectionId)
  expect(closed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Closed\. Publishing through it was stopped \(Wrong prices\)/),
  })
  expect(await json('holds')).toEqual([])
})

test('what cannot be done is said in a sentence', async () => {
  const says = async (words: RegExp, ...args: string[]) => {
    const { code, stderr } = await run(...args)
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(words)])
    expect(code).toBeGreaterThan(0)
  }
  await says(/There is no account, social set or open connection nonsense/, 'hold', 'nonsense', '--reason', 'Wait')
  await says(/--reason is missing/, 'hold', account.socialSetId)
  await says(/Give a reason in one line/, 'hold', account.socialSetId, '--reason', ' ')
  await says(/--late is missing/, 'release', account.socialSetId)
  await says(/--late publish, or --late park, not later/, 'release', account.socialSetId, '--late', 'later')
  await says(/is not stopped for .+ itself/, 'release', account.socialSetId, '--late', 'park')
  await run('hold', account.socialSetId, '--reason', 'First')
  await says(/already stopped there, by operator since .*First/, 'hold', account.socialSetId, '--reason', 'Second')
  await run('release', account.socialSetId, '--late', 'park')
})
