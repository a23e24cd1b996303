import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyInstallation } from '../_util/database/empty-installation.ts'
import { almanacJson, runAlmanac, type Settings, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

vi.setConfig({ testTimeout: 120_000 })

let installation: Awaited<ReturnType<typeof emptyInstallation>>
let file: string
let settings: Settings
beforeEach(async () => {
  installation = await emptyInstallation()
  file = join(dirname(installation.path), 'plans.json')
  settings = { ...installation.settings, ALMANAC_PLANS: file, ALMANAC_SANDBOX: 'off' }
})
afterEach(() => installation?.remove())

const json = <T>(...args: string[]) => almanacJson<T>(args, { settings })

test.each([
  [['up'], null, 'names a file that is not there: '],
  [['worker'], 'plans', 'names a file that is not JSON: '],
  [['accounts', 'usage', 'any'], '{ "FREE": { "monthlyPosts": 0.5 } }', 'names a file with mistakes, '],
])('%j with a plans file of %j ends with one line', async (args, content, words) => {
  if (content !== null) await writeFile(file, content)
  const finished = await runAlmanac(args, { settings })
  expect(finished).toMatchObject({ code: 1, stdout: '' })
  expect(finished.stderr).toMatch(/^almanac: ALMANAC_PLANS [^\n]*\n$/)
  expect(finished.stderr).toContain(`${words}${file}`)
  if (words.includes('mistakes')) expect(finished.stderr).toContain('FREE.monthlyPosts must be a whole number or null')
})

test('plan-02: plans of a file bind imports and requests, and another plan holds at once', async () => {
  await writeFile(file, JSON.stringify({ PRO: { storageBytes: 0, monthlyPosts: null }, FREE: { apiAccess: false } }))
  settings = { ...settings, ALMANAC_PORT: await freePort() }
  const almanac = await startAlmanac({ settings })
  try {
    const { accountId, socialSetId } = await json<Record<string, string>>(
      ...['accounts', 'create', '--name', 'Acme', '--plan', 'PRO'],
    )
    const account = accountId ?? ''
    expect(await json('accounts', 'usage', account)).toEqual({
      accountId: account,
      plan: 'PRO',
      month: expect.stringMatching(/^\d{4}-\d{2}$/),
      postSets: { used: 0, limit: null },
      uploadBytes: { used: 0, limit: 20_000_000_000 },
      storageBytes: { used: 0, limit: 0 },
      socialSets: { used: 1, limit: 10 },
      connections: { used: 0, limit: null },
      members: { used: 1, limit: null },
      activeKeys: { used: 0, limit: 10 },
      requestsPerSecond: expect.any(Number),
      features: expect.arrayContaining(['video', 'approvals']),
      resetsAt: expect.stringMatching(/^\d{4}-\d{2}-01T00:00:00\.000Z$/),
    })
    const { key } = await json<Record<string, string>>(
      ...['keys', 'create', '--account', account, '--name', 'Key', '--scopes', 'media:write'],
    )
    const request = async (path: string, body?: object) => {
      const response = await fetch(`${almanac.url}/v1/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const { body: upload } = await request('media-upload', { socialSetId, url: 'https://example.invalid/photo.jpg' })
    await vi.waitFor(
      async () => {
        const { body } = await request(`media-upload/${upload.id}`)
        expect(body).toMatchObject({ status: 'FAILED', error: { code: 'media-upload:storage_exceeded' } })
      },
      { timeout: 20_000, interval: 500 },
    )
    await json('accounts', 'plan', account, 'FREE')
    expect(await request('social-sets')).toMatchObject({
      status: 403,
      body: { code: 'plan:api_access_not_available' },
    })
    const words = await runAlmanac(['accounts', 'usage', account], { settings })
    expect(words.stdout).toMatch(/^plan +FREE$/m)
    expect(words.stdout).toMatch(/^uploadBytes +0 of 500000000$/m)
    expect(words.stdout).toMatch(/^socialSets +1 of 1$/m)
    const nobody = await runAlmanac(['accounts', 'usage', 'nobody'], { settings })
    expect(nobody).toEqual({ code: 1, stdout: '', stderr: 'almanac: There is no account nobody.\n' })
  } finally {
    await almanac.stop()
  }
})
