import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSecretBox } from '#domain'
import { signedTokens } from '#networks'
import { emptyInstallation } from '../_util/database/empty-installation.ts'
import { type RunningAlmanac, runAlmanac, type Settings, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

/** The sandbox where others can reach it, and what its simulators do for strangers. */

vi.setConfig({ testTimeout: 120_000 })

const KEY = Buffer.alloc(32, 11)
const PROXIED: Settings = { ALMANAC_PUBLIC_URL: 'https://almanac.example' }

let installation: Awaited<ReturnType<typeof emptyInstallation>>
let settings: Settings
let running: RunningAlmanac[]
let inner: Server
let asked: string[]

beforeEach(async () => {
  installation = await emptyInstallation()
  settings = {
    ...installation.settings,
    ALMANAC_PORT: await freePort(),
    ALMANAC_SECRET_KEY: KEY.toString('base64'),
  }
  running = []
  asked = []
  inner = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.from([0xff, 0xd8, 0xff]))
  })
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  for (const almanac of running) await almanac.stop()
  inner.closeAllConnections()
  await new Promise((resolve) => inner.close(resolve))
  await installation.remove()
})

async function start(change: Settings = {}, process: 'up' | 'sandbox' = 'up'): Promise<RunningAlmanac> {
  const almanac = await startAlmanac({ process, settings: { ...settings, ...change } })
  running.push(almanac)
  return almanac
}
interface Finding {
  check: string
  status: string
  message: string
}
const NO_CONNECTIONS = { status: 'ok', message: 'The sandbox is on; 0 connections lead to it.' }
async function findings(change: Settings): Promise<Finding[]> {
  const { stdout } = await runAlmanac(['doctor', '--json'], { settings: { ...settings, ...change } })
  const { findings: all } = JSON.parse(stdout) as { findings: Finding[] }
  return all.filter(({ check }) => check === 'sandbox')
}

test('behind a proxy there is no sandbox and no demo account: the first account is made with a code', async () => {
  const almanac = await start(PROXIED)
  for (const path of ['/sandbox', '/sandbox/', '/sandbox/instagram/posts', '/sandbox/threads/web/oauth/authorize']) {
    expect((await fetch(almanac.url + path)).status).toBe(404)
  }
  expect(almanac.stdout()).not.toMatch(/alm_/)
  expect((await almanac.firstSignIn()).setup).toContain('https://almanac.example/dashboard/setup#code=')
})

test('a sandbox that is switched on there has no demo account either, and the log and doctor warn', async () => {
  const change = { ...PROXIED, ALMANAC_SANDBOX: 'on' }
  expect(await findings(change)).toMatchObject([
    { status: 'warning', message: expect.stringMatching(/https:\/\/almanac\.example.*anyone/) },
    NO_CONNECTIONS,
  ])
  const almanac = await start(change)
  expect((await fetch(`${almanac.url}/sandbox`)).status).toBe(200)
  expect(almanac.stdout()).not.toMatch(/alm_/)
  expect((await almanac.firstSignIn()).setup).toContain('/dashboard/setup#code=')
  expect(almanac.stdout() + almanac.stderr()).toMatch(/The sandbox is on where others can reach it/)
  expect((await stat(join(installation.path, 'sandbox'))).mode & 0o777).toBe(0o700)
})

test.each(['up', 'sandbox'] as const)(
  'the sandbox of `%s`, which was not switched on, is shown to this machine alone',
  async (process) => {
    const almanac = await start(process === 'sandbox' ? { ALMANAC_SANDBOX_PORT: await freePort() } : {}, process)
    const { port } = new URL(almanac.url)
    const status = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path: '/sandbox/instagram/posts', headers }, (answer) => {
          resolve(answer.resume().statusCode)
        }).once('error', reject)
      })
    expect(await status({ host: 'localhost:8080' })).toBe(200)
    expect(await status({ host: 'rebinding.example' })).toBe(404)
    expect(await status({ 'x-forwarded-for': '203.0.113.1' })).toBe(404)
    expect(almanac.stdout() + almanac.stderr()).toMatch(/set ALMANAC_PUBLIC_URL to its address\. ALMANAC_SANDBOX=on/)
  },
)

test.each<[string, Settings]>([
  ['all hosts', { ALMANAC_HOST: '0.0.0.0' }],
  ['a public URL', PROXIED],
  ['an address of its own', { ALMANAC_SANDBOX_URL: 'http://sandbox.example' }],
])('`almanac sandbox` does not start where %s lets others reach it, unless it is switched on', async (_, open) => {
  const change = { ...open, ALMANAC_SANDBOX_PORT: await freePort() }
  const refused = await runAlmanac(['sandbox'], { settings: { ...settings, ...change } })
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toMatch(
    /^almanac: The sandbox is off where others can reach it [^\n]*ALMANAC_SANDBOX=on[^\n]*\n$/,
  )
  const on = { ...change, ALMANAC_SANDBOX: 'on' }
  expect(await findings(on)).toMatchObject([
    { status: 'warning', message: expect.stringContaining('anyone') },
    NO_CONNECTIONS,
  ])
  const almanac = await start(on, 'sandbox')
  expect(almanac.stdout() + almanac.stderr()).toMatch(/The sandbox is on where others can reach it/)
})

test.each(['up', 'sandbox'] as const)('a simulator of `%s` fetches nothing from a private address', async (process) => {
  const almanac = await start(process === 'sandbox' ? { ALMANAC_SANDBOX_PORT: await freePort() } : {}, process)
  const port = (inner.address() as AddressInfo).port
  // What the installation would give out, made with its own key: the tokens of both processes are the same.
  const tokens = signedTokens(createSecretBox([KEY]).derive('sandbox'), 'instagram')
  const token = `IGSANDBOX${tokens.write('access', { id: 'connection', name: 'Brand' })}`
  // As the simulator makes the id of an account from that of its connection.
  const number = createHash('sha256').update('connection').digest().readBigUInt64BE() % 10n ** 13n
  const accountId = `1784${String(number).padStart(13, '0')}`
  const graph = `${almanac.url.replace(/\/sandbox$/, '')}/sandbox/instagram/graph/v25.0`
  const create = async (bearer: string, url: string) => {
    const answer = await fetch(`${graph}/${accountId}/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ image_url: url }),
    })
    return ((await answer.json()) as { error?: { code: number } }).error?.code
  }
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:7f00:1]']) {
    expect(await create(token, `http://${host}:${port}/private.jpg`)).toBe(9004)
  }
  // Knowing the source code leads no further than the token.
  const forged = `IGSANDBOX.${Buffer.from(JSON.stringify({ id: 'connection', name: 'Brand' })).toString('base64url')}`
  expect(await create(forged, `http://127.0.0.1:${port}/private.jpg`)).toBe(190)
  expect(asked).toEqual([])
})
