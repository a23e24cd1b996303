import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { holdEngines } from '../_util/engine/holds.ts'
import { published } from '../_util/engine/scripted-network.ts'
import { WHOLE } from '../_util/run/whole.ts'
import {
  createWebhookFixture,
  quickSettings,
  startWebhookReceiver,
  startWebhookWorker,
  type WebhookFixture,
  type WebhookReceiver,
} from '../_util/webhooks/webhook-fixture.ts'

/** A receiver in another process that does the worst, and senders that are killed meanwhile. */

const EVENTS = WHOLE ? 10_000 : 100
const KILLS = WHOLE ? 10 : 2
const LIMIT_MS = WHOLE ? 600_000 : 60_000

let receiver: WebhookReceiver
let fixture: WebhookFixture
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  fixture = await createWebhookFixture()
})
afterAll(async () => {
  await receiver.close()
  await fixture.close()
})

const OK = { kind: 'answers', status: 204 } as const
/** Endpoints by what their receivers do. */
const BEHAVIORS = {
  one: OK,
  two: { kind: 'answers', status: 200, body: 'Thanks' },
  slow: { kind: 'answers', status: 200, afterMs: 50 },
  flaky: { kind: 'flaky', every: 7 },
  broken: { kind: 'answers', status: 500 },
  resets: { kind: 'resets' },
  silent: { kind: 'silent' },
  gone: { kind: 'answers', status: 410 },
  redirects: { kind: 'answers', status: 302, headers: { location: '/one' } },
} as const
const HEALTHY = ['one', 'two', 'slow', 'flaky'] as const

test(
  'nothing is lost, all is signed and in order, however senders die, and dead endpoints delay no other',
  async () => {
    // Slow ones get a part, or they would take the longest of all.
    const slowBrand = await fixture.addSocialSet()
    const ids: Record<string, string> = {}
    for (const [name, behavior] of Object.entries(BEHAVIORS)) {
      const narrowed = name === 'slow' ? { socialSetIds: [slowBrand] } : {}
      const { id, secret } = await fixture.addEndpoint({ url: `http://${receiver.host}/${name}`, ...narrowed })
      await receiver.on(`/${name}`, behavior, [secret])
      ids[name] = id
    }
    ids.tls = (await fixture.addEndpoint({ url: `https://${receiver.secureHost}/tls` })).id
    const setup = {
      databaseUrl: fixture.url,
      secretKey: fixture.secretKey.toString('base64'),
      trustedHosts: [receiver.host, receiver.secureHost],
      settings: {
        ...quickSettings,
        sendPausesMs: [50, 100, 60_000],
        lanePausesMs: [50, 50, 500],
        leaseMs: 2_000,
        limitMs: 1_500,
      },
    }
    let worker = await startWebhookWorker(setup)
    for (let part = 1; part <= KILLS; part++) {
      await fixture.happen(EVENTS / KILLS - 10, { ticks: false })
      await fixture.happen(10, { ticks: false, socialSetId: slowBrand })
      const wanted = (part * EVENTS) / KILLS / 2
      await receiver.until(() => receiver.of('/one').length >= wanted, LIMIT_MS)
      await worker.kill()
      worker = await startWebhookWorker(setup)
    }
    const expected = { one: EVENTS, two: EVENTS, slow: 10 * KILLS, flaky: EVENTS }
    for (const name of HEALTHY) {
      await vi.waitFor(async () => expect(await fixture.states(ids[name] ?? '')).toEqual({ SENT: expected[name] }), {
        timeout: LIMIT_MS,
        interval: 200,
      })
    }
    for (const name of HEALTHY) {
      const came = receiver.of(`/${name}`)
      expect(came.every(({ verified }) => verified === 1)).toBe(true)
      const firsts = [...new Map(came.toReversed().map((request) => [request.id, request])).values()].toReversed()
      expect(firsts.length, name).toBe(expected[name])
      const positions = firsts.map(({ position }) => position ?? 0)
      if (name !== 'flaky') expect(positions, name).toEqual(positions.toSorted((a, b) => a - b))
      // Each kill may double what was under way.
      if (name !== 'flaky') expect(came.length - firsts.length, name).toBeLessThanOrEqual(KILLS)
    }
    for (const name of ['broken', 'resets', 'silent', 'redirects', 'tls']) {
      const states = await fixture.states(ids[name] ?? '')
      expect(states.SENT, name).toBeUndefined()
      expect(
        Object.values(states).reduce((sum, count) => sum + count),
        name,
      ).toBe(EVENTS)
    }
    expect(await fixture.endpoint(ids.gone ?? '')).toMatchObject({ closed_why: 'GONE' })
    expect(receiver.of('/gone').length).toBe(1)

    // Beside the dead ones an event comes as soon as it would without them.
    const delays: number[] = []
    for (let nth = 1; nth <= 10; nth++) {
      const began = Date.now()
      await fixture.happen(1, { ticks: false })
      await receiver.until(() => receiver.of('/one').at(-1)?.position === EVENTS + nth)
      delays.push((receiver.of('/one').at(-1)?.at ?? 0) - began)
    }
    expect(Math.max(...delays)).toBeLessThan(1_500)
    expect(delays.toSorted((a, b) => a - b)[5]).toBeLessThan(1_000)
    await worker.kill()
  },
  2 * LIMIT_MS,
)

const { start } = holdEngines()

test('posts go out on time beside a backlog of webhooks to dead endpoints', async () => {
  const { engine } = await start({ publish: [published] })
  const beside = await createWebhookFixture({ url: engine.databaseUrl })
  try {
    for (const path of ['/silent-1', '/silent-2', '/silent-3', '/good']) {
      await beside.addEndpoint({ url: `http://${receiver.host}${path}` })
      await receiver.on(path, path === '/good' ? OK : { kind: 'silent' })
    }
    await beside.happen(EVENTS)
    const sender = beside.sender({ trustedHosts: [receiver.host] })
    sender.start()
    await receiver.until(() => receiver.of('/good').length > 5 && receiver.of('/silent-3').length > 0)
    const began = performance.now()
    const set = await engine.schedule()
    await engine.drain()
    expect(await engine.history(set)).toContain('published')
    expect(performance.now() - began).toBeLessThan(2_000)
    await receiver.until(() => receiver.of('/good').length === EVENTS, LIMIT_MS)
  } finally {
    await beside.close()
  }
})
