import type { LookupFunction } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  createWebhookFixture,
  quickSettings,
  startWebhookReceiver,
  type WebhookFixture,
  type WebhookReceiver,
} from '../_util/webhooks/webhook-fixture.ts'

/** Where a webhook may not lead to, whatever its address says: by name, by redirect, and by a name that changes. */

/** Nothing is tried twice while a test goes on. */
const settings = { ...quickSettings, sendPausesMs: [3_600_000], lanePausesMs: [3_600_000] }

/** It comes at once; on a busy machine, in its time. */
const WAIT = { timeout: 20_000 }

let receiver: WebhookReceiver
let fixture: WebhookFixture
beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
afterAll(() => receiver.close())
beforeEach(async () => {
  fixture = await createWebhookFixture()
})
afterEach(() => fixture.close())

const failuresOf = async (webhookId: string) =>
  (
    await fixture.db
      .selectFrom('webhook_attempts')
      .select('failure')
      .where('webhook_id', '=', webhookId)
      .orderBy('at')
      .execute()
  ).map(({ failure }) => failure)

/** A lookup that always gives this address. */
function lookingUp(address: string): LookupFunction {
  return (_, options, callback) => {
    const family = address.includes(':') ? 6 : 4
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

test.each([
  ['https://127.0.0.1:PORT/', /^127\.0\.0\.1 leads to an address that is not of the public internet\.$/],
  ['https://[::1]:PORT/', /not of the public internet/],
  ['https://[::ffff:127.0.0.1]:PORT/', /not of the public internet/],
  ['https://10.1.2.3/', /not of the public internet/],
  ['https://169.254.169.254/latest/meta-data/', /not of the public internet/],
  ['http://hooks.example.com/', /^The address is not https\.$/],
  ['http://127.0.0.1:PORT/', /^The address is not https\.$/],
])('%s is refused', async (written, words) => {
  const port = receiver.host.split(':')[1] ?? ''
  const { id } = await fixture.addEndpoint({ url: written.replace('PORT', port) })
  await fixture.happen(1)
  const count = receiver.received.length
  await fixture.sender({ trustedHosts: ['localhost:1'], settings }).sendDue()
  expect(await failuresOf(id)).toEqual([expect.stringMatching(words)])
  expect(receiver.received.length).toBe(count)
})

test.each(['127.0.0.1', '::1', '192.168.0.10', '169.254.169.254', 'fd00:ec2::254', '0.0.0.0'])(
  'a name that leads to %s is refused',
  async (address) => {
    const { id } = await fixture.addEndpoint({ url: 'https://hooks.example.com/' })
    await fixture.happen(1)
    await fixture.sender({ lookup: lookingUp(address), settings }).sendDue()
    expect(await failuresOf(id)).toEqual(['hooks.example.com leads to an address that is not of the public internet.'])
  },
)

test('a name is looked at for each connection, and one that also leads elsewhere is refused whole', async () => {
  const { id } = await fixture.addEndpoint({ url: 'https://hooks.example.com/' })
  await fixture.happen(1)
  let looks = 0
  const lookup: LookupFunction = (_, __, callback) => {
    looks += 1
    if (looks === 1) callback(Object.assign(new Error('No such name.'), { code: 'ENOTFOUND' }), '')
    else
      callback(
        null,
        [...['93.184.216.34', '127.0.0.1']].map((address) => ({ address, family: 4 })),
      )
  }
  const sender = fixture.sender({ lookup })
  sender.start()
  await vi.waitFor(async () => expect((await failuresOf(id)).length).toBeGreaterThanOrEqual(2), WAIT)
  expect((await failuresOf(id)).slice(0, 2)).toEqual([
    'hooks.example.com has no address.',
    'hooks.example.com leads to an address that is not of the public internet.',
  ])
})

test('a redirect into the private network is not followed', async () => {
  await receiver.on('/inner', { kind: 'answers', status: 204 })
  await receiver.on('/outer', {
    kind: 'answers',
    status: 308,
    headers: { location: `http://${receiver.host}/inner` },
  })
  const { id } = await fixture.addEndpoint({ url: `http://${receiver.host}/outer` })
  await fixture.happen(1)
  await fixture.sender({ trustedHosts: [receiver.host], settings }).sendDue()
  expect(receiver.of('/outer').length).toBe(1)
  expect(receiver.of('/inner')).toEqual([])
  expect(await failuresOf(id)).toEqual([expect.stringContaining('redirects are not followed')])
})
