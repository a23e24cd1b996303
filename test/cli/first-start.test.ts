import { chmod, stat } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyInstallation } from '../_util/database/empty-installation.ts'
import {
  AT_TERMINAL,
  almanacJson,
  firstSignInFile,
  type RunningAlmanac,
  runAlmanac,
  type Settings,
  startAlmanac,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

/** Where the secrets of the first start go: to a person at a terminal, else to a file, never into a service's log. */

vi.setConfig({ testTimeout: 120_000 })

const SECRET = /alm_[\w-]{43}|password \S{20}|#code=/

let installation: Awaited<ReturnType<typeof emptyInstallation>>
let settings: Settings
let running: RunningAlmanac[]

beforeEach(async () => {
  installation = await emptyInstallation()
  settings = { ...installation.settings, ALMANAC_PORT: await freePort() }
  running = []
})
afterEach(async () => {
  for (const almanac of running) await almanac.stop()
  await installation.remove()
})

async function start(change: Settings = {}, process: 'up' | 'api' = 'up'): Promise<RunningAlmanac> {
  const almanac = await startAlmanac({ process, settings: { ...settings, ...change } })
  running.push(almanac)
  return almanac
}

const file = () => firstSignInFile(installation.path)
const hasFile = () =>
  stat(file()).then(
    () => true,
    () => false,
  )

const opens = async ({ url }: RunningAlmanac, key: string) =>
  (await fetch(`${url}/v1/social-sets`, { headers: { authorization: `Bearer ${key}` } })).status

const signIn = ({ url }: RunningAlmanac, email: string, password: string) =>
  fetch(`${url}/internal/session`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

test('a service writes the demo account’s secrets to a file for its user alone, and demo reset makes others', async () => {
  const almanac = await start()
  expect(almanac.stdout()).toContain(file())
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  const first = await almanac.firstSignIn()
  expect(first).toEqual({
    dashboard: `${almanac.url}/dashboard`,
    ownerEmail: 'owner@demo.invalid',
    ownerPassword: expect.stringMatching(/^[\w-]{20}$/),
    key: expect.stringMatching(/^alm_[\w-]{43}$/),
  })
  expect(await opens(almanac, first.key)).toBe(200)
  const session = await signIn(almanac, first.ownerEmail, first.ownerPassword)
  expect(session.status).toBe(200)
  const cookie = session.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0] ?? '')
    .join('; ')
  const who = () => fetch(`${almanac.url}/internal/session`, { headers: { cookie } })
  expect((await who()).status).toBe(200)

  // The command as a service's script runs it: the file again, also when it was opened to others.
  await chmod(file(), 0o644)
  const reset = await runAlmanac(['demo', 'reset'], { settings })
  expect(reset).toMatchObject({ code: 0, stdout: expect.stringContaining(file()) })
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  const second = await almanac.firstSignIn()
  expect(await opens(almanac, first.key)).toBe(401)
  expect(await opens(almanac, second.key)).toBe(200)
  expect((await who()).status).toBe(401)
  expect((await signIn(almanac, first.ownerEmail, first.ownerPassword)).status).toBe(401)
  expect((await signIn(almanac, second.ownerEmail, second.ownerPassword)).status).toBe(200)

  // With --json it is the command's answer, and no file is left with what does not hold any more.
  const third = await almanacJson<typeof first>(['demo', 'reset'], { settings })
  expect(Object.keys(third)).toEqual(['dashboard', 'ownerEmail', 'ownerPassword', 'key'])
  expect(await hasFile()).toBe(false)
  expect(await opens(almanac, second.key)).toBe(401)
  expect(await opens(almanac, third.key)).toBe(200)
  await almanac.stop()
  for (const text of [almanac.stdout(), almanac.stderr(), reset.stdout, reset.stderr]) {
    expect(text).not.toMatch(SECRET)
    for (const { key, ownerPassword } of [first, second, third]) {
      expect(text).not.toContain(key)
      expect(text).not.toContain(ownerPassword)
    }
  }
})

test('to a terminal they are printed, and written nowhere', async () => {
  const almanac = await start(AT_TERMINAL)
  const [, key = '', email = '', password = ''] =
    /API key, shown this once: +(\S+)[\s\S]*owner: +(\S+), password (\S+)/.exec(almanac.stdout()) ?? []
  expect(await opens(almanac, key)).toBe(200)
  expect((await signIn(almanac, email, password)).status).toBe(200)
  const [, dashboard = ''] = /Dashboard: +(\S+)/.exec(almanac.stdout()) ?? []
  expect((await fetch(dashboard)).status).toBe(200)
  expect(await hasFile()).toBe(false)
  const reset = await runAlmanac(['demo', 'reset'], { settings: { ...settings, ...AT_TERMINAL } })
  const [another = ''] = /alm_[\w-]{43}/.exec(reset.stdout) ?? []
  expect(await opens(almanac, another)).toBe(200)
  expect(await opens(almanac, key)).toBe(401)
  expect(await hasFile()).toBe(false)
})

test('a later start says at a terminal where and how one signs in, and logs no request that succeeds', async () => {
  const log = { NODE_OPTIONS: AT_TERMINAL.NODE_OPTIONS?.replace('stdout', 'stderr.isTTY%3Dprocess.stdout') ?? '' }
  await (await start()).stop()
  const service = await start()
  expect(service.stdout()).toContain(`Dashboard:  ${service.url}/dashboard\n`)
  expect(service.stdout()).not.toContain('owner@demo.invalid')
  const answers = async ({ url }: RunningAlmanac) => {
    expect((await fetch(`${url}/docs`)).status).toBe(200)
    expect((await fetch(`${url}/nowhere`)).status).toBe(404)
  }
  await answers(service)
  await service.stop()
  expect(service.stderr()).toContain('"path":"/docs"')

  const almanac = await start(log)
  expect(almanac.stdout()).toContain(`Dashboard:  ${almanac.url}/dashboard\n`)
  expect(almanac.stdout()).toContain('Sign in as:  owner@demo.invalid\n')
  const [, command = ''] = /almanac -- (users reset-link \S+)/.exec(almanac.stdout()) ?? []
  const reset = await runAlmanac(command.split(' '), { settings })
  expect(reset).toMatchObject({ code: 0, stdout: expect.stringContaining(almanac.url) })
  await answers(almanac)
  await almanac.stop()
  expect(almanac.stderr()).toContain('path="/nowhere"')
  expect(almanac.stderr()).not.toContain('path="/docs"')

  const asked = await start({ ...log, ALMANAC_LOG_LEVEL: 'info' })
  await answers(asked)
  await asked.stop()
  expect(asked.stderr()).toContain('path="/docs"')
})

test('the address of the setup is in the file until there is an account', async () => {
  const withoutSandbox = { ALMANAC_SANDBOX: 'off' }
  const api = await start(withoutSandbox, 'api')
  const { setup } = await api.firstSignIn()
  expect(setup).toMatch(new RegExp(`^${api.url}/dashboard/setup#code=\\S+$`))
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  expect(api.stdout()).toContain(file())
  expect(await runAlmanac(['demo', 'reset'], { settings: { ...settings, ...withoutSandbox } })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^almanac: There is no demo account here[^\n]*\n$/),
  })
  await api.stop()
  expect(api.stdout() + api.stderr()).not.toMatch(SECRET)

  await almanacJson(['accounts', 'create', '--name', 'First'], { settings: { ...settings, ...withoutSandbox } })
  expect(await hasFile()).toBe(true)
  const later = await start(withoutSandbox, 'api')
  expect(await hasFile()).toBe(false)
  expect(later.stdout()).not.toContain('/dashboard/setup')
})

test('the address of the setup goes as soon as the dashboard has used it', async () => {
  const api = await start({}, 'api')
  const { setup } = await api.firstSignIn()
  const setUp = (code: string | undefined) =>
    fetch(`${api.url}/internal/setup`, {
      method: 'POST',
      headers: { origin: api.url, 'content-type': 'application/json' },
      body: JSON.stringify({
        code,
        name: 'Ada',
        email: 'ada@almanac.test',
        password: 'a long way to go home',
        accountName: 'First',
        socialSetName: 'Mine',
        timezone: 'Europe/Rome',
      }),
    })
  expect((await setUp('wrong')).status).toBe(403)
  expect(await hasFile()).toBe(true)
  expect((await setUp(setup?.split('#code=')[1])).status).toBe(200)
  expect(await hasFile()).toBe(false)
})
