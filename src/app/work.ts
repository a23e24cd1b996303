import { setTimeout as pause } from 'node:timers/promises'
import { alerterDefaults, createAlerter } from '#alerting'
import type { Config } from '#config'
import type { SecretBox } from '#domain'
import { createHousekeeper, housekeeperDefaults } from '#housekeeping'
import { createMailer } from '#identity'
import { createImporter, type ImporterDeps, importerDefaults } from '#importing'
import type { Networks } from '#networks'
import { createCredentialBox } from '#operations'
import { type Database, listenForWakes } from '#persistence'
import { createMediaSources, createPublisher, type DeliverDeps, missingMediaIn, publisherDefaults } from '#publishing'
import type { Addresses } from './addresses.ts'
import { openReceiver } from './alerts.ts'
import type { Base } from './base.ts'
import type { Log } from './log.ts'
import type { MediaParts } from './media.ts'
import { createOutbound } from './outbound.ts'
import { sandboxKeysOf } from './secrets.ts'

/** What publishes posts, imports media, sends alerts and removes what is old. */
export interface Work {
  /** Whether due posts are being claimed and imports looked for. */
  healthy(): boolean
  /** What the operator has to do so that everything is done; one sentence each. */
  problems(): string[]
  /** Lets deliveries under way come to an end, for `graceMs` at most. */
  stop(options: { graceMs: number }): Promise<void>
}

/** A first look that takes longer is not waited for. */
const FIRST_LOOK_MS = 10_000

/** Starts the publisher, the importer, the alerter and the housekeeper of a process. */
export async function startWork(parts: {
  config: Config
  networks: Networks
  db: Database
  server: Base['server']
  box: SecretBox
  media: MediaParts
  addresses: Addresses
  log: Log
  /** What figures are made from; absent without metrics. */
  observe?: DeliverDeps['observe']
  onImportEnd?: ImporterDeps['onEnd']
}): Promise<Work> {
  const { config, networks, db, server, box, media, addresses, log } = parts
  const outbound = createOutbound({
    config,
    networks,
    sandboxUrl: addresses.sandboxUrl,
    sandboxKeys: sandboxKeysOf(box),
    guarded: media.fetch,
  })
  const publisher = createPublisher({
    db,
    networks,
    httpFor: outbound.httpFor,
    credentials: createCredentialBox(box),
    endpoint: outbound.endpoint,
    setting: outbound.setting,
    mediaSources: createMediaSources({ db, store: media.store, urls: media.urls }),
    missingMedia: missingMediaIn({ db, store: media.store }),
    settings: {
      ...publisherDefaults,
      leaseMs: config.leaseMs,
      tickMs: config.tickMs,
      ...config.publishing,
      lateLimitMs: config.lateLimitMs,
    },
    signals: () => {},
    observe: parts.observe,
    log,
  })
  const importer = createImporter({
    db,
    store: media.store,
    fetch: media.fetch,
    plans: config.plans,
    settings: importerDefaults,
    onEnd: parts.onImportEnd,
    log,
  })
  const alerter = createAlerter({
    db,
    networks,
    receiver: openReceiver(config, box),
    mailer: config.mail ? createMailer(config.mail) : null,
    publicUrl: addresses.publicUrl,
    settings: alerterDefaults,
    log,
  })
  const housekeeper = createHousekeeper({ db, files: media.store, settings: housekeeperDefaults, log })
  publisher.start()
  await importer.start()
  alerter.start()
  housekeeper.start()
  const wakes = listenForWakes(server.url, {
    onWake: (topic) => (topic === 'posts' ? publisher.wake() : importer.wake()),
    onLost: (error) => log.warn({ error }, 'The listener for due posts was cut off: they are looked for each second'),
  })
  const healthy = () => publisher.healthy() && importer.healthy()
  // Ready means that the first look is done: whoever hears it and asks for health gets no "not yet".
  for (const late = performance.now() + FIRST_LOOK_MS; !healthy() && performance.now() < late; ) await pause(5)
  return {
    healthy,
    problems: () => publisher.problems(),
    async stop({ graceMs }) {
      await Promise.all([
        wakes.close(),
        publisher.stop({ graceMs }),
        importer.stop(),
        alerter.stop({ graceMs }),
        housekeeper.stop(),
      ])
      await outbound.close()
    },
  }
}
