import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ALERT_HEADERS, Alert, type PostSet, validatorOf } from '#contract'
import { createDatabase } from '../_util/database/database.ts'
import { type AlertReceiver, startAlertReceiver } from '../_util/networks/alert-receiver.ts'
import {
  almanacJson,
  makeDataDir,
  runAlmanac,
  type Settings,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

vi.setConfig({ testTimeout: 60_000 })

let receiver: AlertReceiver
let database: Awaited<ReturnType<typeof createDatabase>>
let dataDir: Awaited<ReturnType<typeof makeDataDir>>
let settings: Settings
beforeAll(async () => {
  receiver = await startAlertReceiver()
  database = await createDatabase()
  dataDir = await makeDataDir()
  settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    ALMANAC_PORT: await freePort(),
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
})
afterAll(async () => {
  await receiver.close()
  await database.drop()
  await dataDir.remove()
})

/** What doctor finds about alerts. */
async function examined(change: Settings) {
  const { stdout } = await runAlmanac(['doctor', '--json'], { settings: { ...settings, ...change } })
  const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] }
  return findings.filter(({ check }) => check === 'alerts').map(({ status, message }) => `${status}: ${message}`)
}

test('without a receiver the commands and doctor say so', async () => {
  expect(await runAlmanac(['alerts', 'test'], { settings })).toMatchObject({
    code: 1,
    stderr: 'almanac: ALMANAC_ALERT_URL is not set: there is nowhere to send a test alert to.\n',
  })
  expect(await examined({})).toEqual([
    'ok: No one is notified of failed posts: set ALMANAC_ALERT_URL, or ALMANAC_SMTP_URL for mails to people.',
  ])
})

test('a test alert says what came back', async () => {
  const withUrl = { settings: { ...settings, ALMANAC_ALERT_URL: receiver.url } }
  const host = `127.0.0.1:${receiver.port}`
  const before = receiver.received.length
  expect(await almanacJson(['alerts', 'test'], withUrl)).toEqual({
    id: expect.any(String),
    host,
    taken: true,
    message: `${host} answered 204.`,
  })
  const [received] = await receiver.count(before + 1)
  expect(received?.body.kind).toBe('TEST')
  expect(validatorOf(Alert).Check(received?.body)).toBe(true)
  receiver.answer((response) => void response.writeHead(410).end())
  expect(await runAlmanac(['alerts', 'test'], withUrl)).toMatchObject({
    code: 1,
    stdout: `The test alert was not accepted. ${host} answered 410 Gone.\n`,
  })
  receiver.answer((response) => void response.writeHead(204).end())
  expect(await examined({ ALMANAC_ALERT_URL: receiver.url })).toEqual([
    `ok: Failed posts and dead connections are reported to ${host} ("almanac alerts test" tries it).`,
  ])
})

test('a running installation reports a failed post; a receiver that hangs keeps no post waiting', async () => {
  const withUrl = {
    ...settings,
    ...(await withAnyRate(settings.ALMANAC_DATA_DIR ?? '')),
    ALMANAC_ALERT_URL: receiver.url,
  }
  const before = receiver.received.length
  receiver.answer(() => {})
  const almanac = await startAlmanac({ settings: withUrl })
  try {
    const { key } = await almanac.firstSignIn()
    const ask = async <T>(method: string, path: string, body?: object) => {
      const response = await fetch(`${almanac.url}/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      expect(response.ok).toBe(true)
      return (await response.json()) as T
    }
    const [{ id: socialSetId }] = (await ask<{ data: [{ id: string }] }>('GET', 'social-sets')).data
    const publish = (caption: string) =>
      ask<{ id: string }>('POST', 'post-sets', {
        socialSetId,
        scheduledAt: new Date().toISOString(),
        status: 'SCHEDULED',
        approval: 'NONE',
        posts: [{ accountType: 'BLUESKY', caption, media: [] }],
      })
    const resultOf = (id: string) =>
      vi.waitUntil(async () => (await ask<Pick<PostSet, 'posts'>>('GET', `post-sets/${id}`)).posts[0]?.result, {
        timeout: 20_000,
        interval: 300,
      })

    const failing = await publish('A secret plan [[fault:media-rejected]]')
    expect(await resultOf(failing.id)).toMatchObject({ status: 'FAILED' })
    const received = await vi.waitUntil(() => receiver.received[before], { timeout: 20_000, interval: 20 })
    // It hangs now, and the next post is published.
    expect(await resultOf((await publish('Good news')).id)).toMatchObject({ status: 'POSTED' })

    expect(received.body).toMatchObject({ kind: 'POST_FAILED', postSet: { id: failing.id } })
    expect(received.raw).not.toContain('secret plan')
    const { stdout } = await runAlmanac(['alerts', 'key'], { settings: withUrl })
    expect(stdout).toMatch(/^[0-9a-f]{64}\n$/)
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(received.headers[ALERT_HEADERS.signature])) ?? []
    const hmac = createHmac('sha256', Buffer.from(stdout.trim(), 'hex'))
    expect(v1).toBe(hmac.update(`${t}.${received.raw}`).digest('hex'))
    const { url } = received.body
    expect(url).toBe(`${almanac.url}/dashboard/scheduling/calendar/month?set=${socialSetId}&post=${failing.id}`)

    // It did not answer in time; doctor has the reason, and neither it nor the log has the rest of the address.
    await vi.waitUntil(() => almanac.stderr().includes('is tried again later'), { timeout: 20_000, interval: 50 })
    const [finding = ''] = await examined({ ALMANAC_ALERT_URL: receiver.url })
    expect(finding).toBe(
      `warning: Alerts to ALMANAC_ALERT_URL could not be sent: 1 are tried again, 0 were given up. 127.0.0.1:${receiver.port} did not answer in time.`,
    )
    expect(almanac.stdout() + almanac.stderr()).not.toContain('secret-path')
  } finally {
    await almanac.stop()
  }
})
