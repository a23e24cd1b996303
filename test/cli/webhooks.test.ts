import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import { type RunningAlmanac, startAlmanac, withAnyRate } from '../_util/processes/app.ts'
import { newPerson } from '../_util/upgrades/browser.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../_util/webhooks/webhook-fixture.ts'

/** Webhooks of a process as it is started: its settings, its tick, its sender. */

const closing = new AsyncDisposableStack()
let receiver: WebhookReceiver
let almanac: RunningAlmanac
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  closing.defer(() => receiver.close())
  const data = await copyOfBegunData()
  closing.defer(data.remove)
  const settings = {
    ALMANAC_DATA_DIR: data.path,
    ALMANAC_PORT: '0',
    ALMANAC_TRUSTED_WEBHOOK_HOSTS: receiver.host,
    ...(await withAnyRate(data.path)),
  }
  almanac = await startAlmanac({ settings })
  closing.defer(async () => void (await almanac.stop()))
}, 120_000)
afterAll(() => closing.disposeAsync())

test('what happens is sent within a second, signed with the secret that was answered, to hosts that are named alone', async () => {
  const { key, ownerEmail, ownerPassword: password } = await almanac.firstSignIn()
  const [api, owner] = [newPerson(almanac.url, key), newPerson(almanac.url)]
  await owner.ask('POST', '/internal/session', { email: ownerEmail, password })
  const socialSetId = (await api.ask('GET', '/v1/social-sets')).data[0].id
  const types = ['note.created']
  const { secret } = await owner.ask('POST', '/internal/webhooks', {
    url: `http://${receiver.host}/in`,
    types,
    password,
  })
  await receiver.on('/in', { kind: 'answers', status: 204 }, [secret])
  const elsewhere = `https://${receiver.secureHost}/elsewhere`
  await expect(owner.ask('POST', '/internal/webhooks', { url: elsewhere, password })).rejects.toThrow('400')

  const delays: number[] = []
  for (let nth = 1; nth <= 5; nth++) {
    const note = { socialSetId, content: `Note ${nth}`, hexColor: '#faf785', scheduledAt: '2030-06-01T08:00:00Z' }
    await api.ask('POST', '/v1/notes', note)
    const made = Date.now()
    await receiver.until((received) => received.length === nth)
    delays.push((receiver.received.at(-1)?.at ?? 0) - made)
  }
  // On a busy machine not each of them.
  expect(Math.min(...delays)).toBeLessThan(1_000)
  expect(receiver.received.every(({ verified, type }) => verified === 1 && type === 'note.created')).toBe(true)
})
