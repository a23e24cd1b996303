import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { emptyInstallation } from '../_util/database/empty-installation.ts'
import { runAlmanac, type Settings, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

vi.setConfig({ testTimeout: 120_000 })

const PUBLIC = { ALMANAC_PUBLIC_URL: 'https://almanac.example' }

let installation: Awaited<ReturnType<typeof emptyInstallation>>
let settings: Settings
beforeAll(async () => {
  installation = await emptyInstallation()
  settings = { ...installation.settings, ALMANAC_PORT: await freePort(), ALMANAC_SANDBOX: 'off' }
})
afterAll(() => installation?.remove())

/** What `doctor` finds about proxies, on an installation that was never started. */
async function finding(more: Settings) {
  const { stdout } = await runAlmanac(['doctor', '--json'], { settings: { ...settings, ...more } })
  const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] }
  return findings.filter(({ check }) => check === 'proxy')
}

test('the start warns once of a public address without a trusted proxy, and the process runs', async () => {
  const almanac = await startAlmanac({ settings: { ...settings, ...PUBLIC } })
  try {
    expect((await fetch(`${almanac.url}/healthz`)).status).toBe(200)
    const lines = almanac.stderr().split('\n')
    const warned = lines.filter((line) => line.includes('ALMANAC_TRUST_PROXY'))
    expect(warned).toHaveLength(1)
    expect(JSON.parse(warned[0] ?? '')).toMatchObject({
      level: 40,
      msg: expect.stringMatching(/https:\/\/almanac\.example.*ALMANAC_TRUST_PROXY=1/),
    })
  } finally {
    await almanac.stop()
  }
})

test('doctor warns too, and is content once a proxy is trusted', async () => {
  expect(await finding(PUBLIC)).toMatchObject([
    { status: 'warning', message: expect.stringMatching(/ALMANAC_TRUST_PROXY is off/) },
  ])
  expect(await finding({ ...PUBLIC, ALMANAC_TRUST_PROXY: '1' })).toMatchObject([{ status: 'ok' }])
})
