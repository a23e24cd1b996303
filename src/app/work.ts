import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '#config'
import type { SecretBox } from '#domain'
import { createEventRoom, eventDefaults } from '#events'
import { createHousekeeper, housekeeperDefaults } from '#housekeeping'
import { calendarDefaults, createCalendarReader, openCalendarProcess } from '#icalendar'
import { createMailer } from '#identity'
import { createImporter, type ImporterDeps, importerDefaults } from '#importing'
import { createGuardedFetch, createLinkPreviews, trustOf, userAgentOf } from '#media'
import type { Networks } from '#networks'
import { createNewsroom, newsDefaults } from '#news'
import { createCredentialBox, findGuestsToNotify } from '#operations'
import { addNews, type Database, listenForWakes } from '#persistence'
import {
  createMediaSources,
  createPublisher,
  type DeliverDeps,
  missingMediaIn,
  type Publisher,
  publisherDefaults,
  readToken,
} from '#publishing'
import { createWebhookSender, webhookDefaults } from '#webhooks'
import type { Addresses } from './addresses.ts'
import { openReceiver } from './alerts.ts'
import type { Base } from './base.ts'
import { mailClockJump } from './clock-mail.ts'
import { createFrameDrawer } from './frames.ts'
import type { Log } from './log.ts'
import type { MediaParts } from './media.ts'
import type { NetworkApps } from './network-apps.ts'
import { createOutbound } from './outbound.ts'
import { sandboxKeysOf } from './secrets.ts'
import type { StartGate } from './start-gate.ts'
import { openWorkers } from './workers.ts'

/** What publishes posts, imports media, brings news to people and events to programs, and removes what is old. */
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

interface WorkParts {
  config: Config
  networks: Networks
  db: Database
  /** A pool for the way of a post alone. */
  publishing: Database
  server: Base['server']
  box: SecretBox
  media: MediaParts
  addresses: Addresses
  apps: NetworkApps
  gate: StartGate
  log: Log
  /** What figures are made from; absent without metrics. */
  observe?: DeliverDeps['observe']
  onImportEnd?: ImporterDeps['onEnd']
}

/** What is under way when the start comes to be held has so long to end. */
const HELD_GRACE_MS = 5_000

/**
 * Starts the work of a process: all of it, or none while the start is held. It follows the gate from then on, also when
 * another process has held the start.
 */
export async function startWork(parts: WorkParts): Promise<Work> {
  const { gate, log } = parts
  let rooms: Work | null = null
  let change: Promise<void> = Promise.resolve()
  let stopping = false

  async function follow(): Promise<void> {
    if (stopping || (rooms === null) === (gate.held() !== null)) return
    if (rooms === null) {
      rooms = await startRooms(parts)
    } else {
      log.warn({}, 'The start is held: what is under way ends, and nothing else begins')
      const ending = rooms
      rooms = null
      await ending.stop({ graceMs: HELD_GRACE_MS })
    }
  }
  await follow()
  gate.onLook(() => (change = follow()))
  return {
    healthy: () => rooms?.healthy() ?? gate.fresh(),
    problems: () => rooms?.problems() ?? [],
    async stop(options) {
      stopping = true
      await change.catch(() => {})
      await rooms?.stop(options)
    },
  }
}

/** Starts the publisher, the importer, the newsroom, the reader of calendars, the sender of webhooks and the housekeeper. */
async function startRooms(parts: WorkParts): Promise<Work> {
  const { config, networks, db, publishing, server, box, media, addresses, apps, gate, log } = parts
  const outbound = createOutbound({
    settingsOf: apps.settingsOf,
    networks,
    sandboxUrl: addresses.sandboxUrl,
    sandboxKeys: sandboxKeysOf(box),
    guarded: media.fetch,
    gate,
    onTime: (time) => publisher.witness(time),
  })
  const credentials = createCredentialBox(box)
  const workers = await openWorkers({ dataDir: config.dataDir, log })
  const publisher: Publisher = createPublisher({
    db: publishing,
    workers,
    chores: db,
    networks,
    httpFor: outbound.httpFor,
    credentials,
    endpoint: outbound.endpoint,
    setting: outbound.setting,
    mediaSources: createMediaSources({ db: publishing, store: media.store, urls: media.urls }),
    missingMedia: missingMediaIn({ db: publishing, store: media.store }),
    linkPreview: createLinkPreviews(media.fetch),
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
  const mailer = config.mail ? gate.mailThrough(createMailer(config.mail)) : null
  const newsroom = createNewsroom({
    db,
    networks,
    renewsItself: async (network, identityId) => {
      const token = await readToken({ db, credentials }, identityId)
      return token === null || (networks.named(network)?.connect.canRefresh?.(token.credentials) ?? true)
    },
    receiver: openReceiver(config, box, gate),
    mailer,
    guests: { find: (ids) => findGuestsToNotify({ db, publicUrl: addresses.publicUrl }, ids) },
    store: media.store,
    publicUrl: addresses.publicUrl,
    unsubscribeKeys: box.derive('unsubscribe'),
    settings: newsDefaults,
    log,
  })
  const calendars = createCalendarReader({
    db,
    fetch: media.fetch,
    box,
    read: openCalendarProcess(),
    settings: calendarDefaults,
    onFailing: (trx, { accountId, socialSetId, calendarId, name, createdBy, failingSince, message }) =>
      addNews(trx, [
        {
          ...{ kind: 'CALENDAR_FAILING', accountId, socialSetId, calendarId, calendarName: name, reason: message },
          ...{ actor: null, concerned: createdBy ? [createdBy] : [] },
          once: `calendar ${calendarId} ${failingSince.toISOString()}`,
        },
      ]),
    log,
  })
  const userAgent = userAgentOf(addresses.publicUrl)
  // Other hosts than those that are trusted for imports: here it is sent what happens, there it is fetched.
  const { trustedWebhookHosts: trustedHosts } = config
  const webhookFetch = createGuardedFetch({ trustedHosts, through: gate.through })
  const webhooks = createWebhookSender({
    ...{ db, box, userAgent, log, fetch: webhookFetch, trusts: trustOf(trustedHosts) },
    settings: webhookDefaults,
  })
  const events = createEventRoom({ db, settings: eventDefaults, onGiven: webhooks.wake, log })
  const housekeeper = createHousekeeper({ db, files: media.store, settings: housekeeperDefaults, log })
  const decoder = config.videoDecoder
  // A loop of its own: the first look at a library takes hours.
  const drawer = decoder === null ? null : createFrameDrawer({ db, store: media.store, decoder, log })
  const { publicUrl } = addresses
  const clockMail = mailer && mailClockJump({ db, mailer, publicUrl, clockAheadMs: publisher.clockAheadMs, log })
  let wakes: ReturnType<typeof listenForWakes> | null = null
  const stop = async ({ graceMs }: { graceMs: number }) => {
    clockMail?.stop()
    await Promise.all([
      wakes?.close(),
      publisher.stop({ graceMs }),
      importer.stop(),
      newsroom.stop({ graceMs }),
      events.stop(),
      webhooks.stop({ graceMs }),
      calendars.stop(),
      housekeeper.stop(),
      drawer?.stop(),
    ])
    workers.close()
    await webhookFetch.close()
    await outbound.close()
  }
  try {
    // First what can fail. A loop that went on after a failure would keep the process alive, without its pools.
    await importer.start()
    publisher.start()
    newsroom.start()
    events.start()
    webhooks.start()
    calendars.start()
    housekeeper.start()
    drawer?.start()
    wakes = listenForWakes(server.directUrl, {
      onWake: (topic) => ({ posts: publisher, imports: importer, calendars, webhooks })[topic].wake(),
      onLost: (error) => log.warn({ error }, 'The listener for due posts was cut off: they are looked for each second'),
    })
  } catch (error) {
    await stop({ graceMs: 0 })
    throw error
  }
  const healthy = () => publisher.healthy() && importer.healthy()
  // Ready means that the first look is done: a health check that follows does not get a "not yet".
  for (const late = performance.now() + FIRST_LOOK_MS; !healthy() && performance.now() < late; ) await pause(5)
  return {
    healthy,
    problems: () => publisher.problems(),
    stop,
  }
}
