import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tokenIn } from '../_util/api/mail-server.ts'
import { emptyInstallation } from '../_util/database/empty-installation.ts'
import { almanacJson, runAlmanac, type Settings, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let installation: Awaited<ReturnType<typeof emptyInstallation>>
let settings: Settings
beforeAll(async () => {
  installation = await emptyInstallation()
  settings = {
    ...installation.settings,
    ALMANAC_SANDBOX: 'off',
    ALMANAC_PORT: await freePort(),
    ALMANAC_LOG_LEVEL: 'warn',
  }
})
afterAll(() => installation?.remove())

const json = <T>(...args: string[]) => almanacJson<T>(args, { settings })

test('an installation without an account writes where the first one is created, and who created it is listed', async () => {
  const almanac = await startAlmanac({ settings })
  try {
    const { setup } = await almanac.firstSignIn()
    const code = setup.split('/dashboard/setup#code=')[1]
    expect(setup).toBe(`${almanac.url}/dashboard/setup#code=${code}`)
    const send = (path: string, body: object) =>
      fetch(`${almanac.url}/internal${path}`, {
        method: 'POST',
        headers: { origin: almanac.url, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const made = await send('/setup', {
      code,
      name: 'Ada',
      email: 'ada@example.com',
      password: 'a password of this year',
      accountName: 'Engines',
      socialSetName: 'Analytical Engine',
      timezone: 'Europe/London',
    })
    expect(made.status, await made.clone().text()).toBe(200)
    expect(await json('users', 'list')).toEqual([
      {
        id: expect.any(String),
        email: 'ada@example.com',
        name: 'Ada',
        twoFactorEnabled: false,
        // Who sets an installation up operates it.
        operator: true,
        memberships: [{ accountId: expect.any(String), account: 'Engines', role: 'owner' }],
      },
    ])
    const words = await runAlmanac(['users', 'list'], { settings })
    expect(words.stdout).toMatch(/^ada@example\.com +Ada +password only +operator +Engines \(owner\)\n$/)

    const { link } = await json<{ link: string }>('users', 'reset-link', 'ADA@example.com')
    expect(link).toMatch(new RegExp(`^${almanac.url}/dashboard/reset-password#token=`))
    const reset = await send('/password-resets/redeem', { token: tokenIn(link), password: 'a password of next year' })
    expect(reset.status).toBe(204)
    const signIn = (password: string) => send('/session', { email: 'ada@example.com', password })
    expect((await signIn('a password of this year')).status).toBe(401)
    expect((await signIn('a password of next year')).status).toBe(200)
  } finally {
    const { stdout, stderr } = await almanac.stop()
    expect(stdout + stderr).not.toMatch(/password of|token=|#code=/)
  }
})

test('the owner that the operator makes signs in', async () => {
  const created = await json<{ ownerEmail: string; ownerPassword: string }>('accounts', 'create', '--name', 'Second')
  expect(created.ownerEmail).toBe('owner@second.invalid')
  const almanac = await startAlmanac({ settings })
  try {
    const answer = await fetch(`${almanac.url}/internal/session`, {
      method: 'POST',
      headers: { origin: almanac.url, 'content-type': 'application/json' },
      body: JSON.stringify({ email: created.ownerEmail, password: created.ownerPassword }),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^almanac\.session_token=.*; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^almanac\.known_browser=.*; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    // There is an account now.
    expect(almanac.stdout()).not.toContain('/dashboard/setup')
  } finally {
    await almanac.stop()
  }
})

test('the operator of the dashboard is named by a command, and another one takes that away', async () => {
  const operators = async () => {
    const users = await json<{ email: string; operator: boolean }[]>('users', 'list')
    return users.filter(({ operator }) => operator).map(({ email }) => email)
  }
  // An account that a command makes has an owner of its own, and nothing of the installation.
  expect(await operators()).toEqual(['ada@example.com'])
  const made = await runAlmanac(['users', 'operator', 'OWNER@second.invalid'], { settings })
  expect(made).toEqual({
    code: 0,
    stdout: 'owner@second.invalid operates this installation: Settings in the dashboard has Network apps now.\n',
    stderr: '',
  })
  expect(await operators()).toEqual(['ada@example.com', 'owner@second.invalid'])
  const words = await runAlmanac(['users', 'operator', 'owner@second.invalid', '--remove'], { settings })
  expect(words.stdout).toBe('owner@second.invalid operates this installation no more.\n')
  expect(await operators()).toEqual(['ada@example.com'])
})

test.each([
  [['users', 'operator', 'nobody@example.com'], 1, 'almanac: There is no user nobody@example.com.\n'],
  [['users', 'operator'], 2, 'almanac: This is written: almanac users operator ADDRESS [--remove]\n'],
  [['users', 'reset-link', 'nobody@example.com'], 1, 'almanac: There is no user nobody@example.com.\n'],
  [['users', 'remove-second-step', 'nobody@example.com'], 1, 'almanac: There is no user nobody@example.com.\n'],
  [
    ['users', 'remove-second-step', 'owner@second.invalid'],
    1,
    'almanac: owner@second.invalid already signs in without a second step.\n',
  ],
  [['users', 'reset-link'], 2, 'almanac: This is written: almanac users reset-link ADDRESS\n'],
])('%j is refused in one sentence', async (args, code, stderr) => {
  expect(await runAlmanac(args, { settings })).toEqual({ code, stdout: '', stderr })
})
