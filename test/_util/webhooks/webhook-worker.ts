import { createSecretBox } from '#domain'
import { createEventRoom, eventDefaults } from '#events'
import { createGuardedFetch, trustOf } from '#media'
import { listenForWakes, openDatabase } from '#persistence'
import { createWebhookSender, type WebhookSettings, webhookDefaults } from '#webhooks'

/** Gives positions and sends webhooks, in a process of its own that may be killed. */
export interface WebhookWorkerSetup {
  databaseUrl: string
  /** In base64. */
  secretKey: string
  trustedHosts: string[]
  settings: Partial<WebhookSettings>
}

const setup = JSON.parse(process.argv[2] ?? '') as WebhookWorkerSetup
const log = { info() {}, warn() {}, error: (fields: object, words: string) => console.error(words, fields) }
const db = openDatabase(setup.databaseUrl, { poolSize: 5 })
const sender = createWebhookSender({
  ...{ db, log, userAgent: 'Almanac/0.1' },
  box: createSecretBox([Buffer.from(setup.secretKey, 'base64')]),
  fetch: createGuardedFetch({ trustedHosts: setup.trustedHosts }),
  trusts: trustOf(setup.trustedHosts),
  settings: { ...webhookDefaults, ...setup.settings },
})
const events = createEventRoom({ db, settings: eventDefaults, onGiven: sender.wake, log })
events.start()
sender.start()
listenForWakes(setup.databaseUrl, {
  onWake: (topic) => topic === 'webhooks' && sender.wake(),
  onLost: (error) => log.error({ error }, 'The listener was cut off'),
})
// Nothing is left behind when the parent is gone.
process.on('disconnect', () => process.exit())
process.send?.({ started: true })
