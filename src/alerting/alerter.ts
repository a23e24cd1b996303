import { setTimeout as pause } from 'node:timers/promises'
import { receivesNoMail } from '#contract'
import { pauseAfter } from '#domain'
import { faultCodes, type Mailer } from '#identity'
import type { Networks } from '#networks'
import {
  addressAlerts,
  type Database,
  dropSends,
  giveUpLateSends,
  markSent,
  postponeSends,
  type TakenMail,
  type TakenSend,
  takeMail,
  takeReceiverSends,
} from '#persistence'
import { bodyOf } from './body.ts'
import { type Channel, createChannel } from './channel.ts'
import { mailOf } from './mail.ts'
import type { Receiver } from './receiver.ts'
import type { AlerterSettings } from './settings.ts'

export interface AlerterDeps {
  db: Database
  networks: Pick<Networks, 'serving'>
  /** Null: ALMANAC_ALERT_URL is not set. */
  receiver: Receiver | null
  /** Null: no mail is sent here. */
  mailer: Mailer | null
  publicUrl: string
  settings: AlerterSettings
  /** Hears that something was sent and its outcome is stored next; a no-op outside tests. */
  signals?: (step: 'sent', alertId: string) => void | Promise<void>
  log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
    error(fields: object, message: string): void
  }
}

export interface Alerter {
  start(): void
  /** Takes nothing more. What is on its way may end within `graceMs`; then it is broken off. */
  stop(options: { graceMs: number }): Promise<void>
  /** Looks for alerts now and sends what is due; for tests. */
  lookNow(): Promise<void>
}

/** Sends the alerts of one process. README.md says what it does and what holds. */
export function createAlerter(deps: AlerterDeps): Alerter {
  const { db, receiver, mailer, publicUrl, settings, log, signals = () => {} } = deps
  const stopping = new AbortController()
  const hardStop = new AbortController()
  const titleOf = (accountType: Parameters<Networks['serving']>[0]) =>
    deps.networks.serving(accountType)?.manifest.title ?? accountType
  const { foldMs, mailPauseMs } = settings
  const addressing = { receiver: receiver !== null, mail: mailer && { foldMs, pauseMs: mailPauseMs } }
  let lastSweep = Number.NEGATIVE_INFINITY
  let loop: Promise<void> = Promise.resolve()

  async function notSent(sends: readonly TakenSend[], what: string, error: string): Promise<void> {
    const attempts = Math.max(...sends.map((send) => send.attempts))
    const pauseMs = pauseAfter(settings.retryPausesMs, attempts)
    const ids = sends.map(({ id }) => id)
    const givenUp = await postponeSends(db, ids, { error, pauseMs })
    const fields = { error, attempts }
    if (givenUp > 0) log.error({ ...fields, givenUp }, `${what} and is given up`)
    else log.warn(fields, `${what} and is tried again later`)
  }

  async function sendToReceiver(to: Receiver, send: TakenSend): Promise<boolean> {
    const signal = AbortSignal.any([hardStop.signal, AbortSignal.timeout(settings.receiverLimitMs)])
    const posted = await to.post(bodyOf(send.alert, publicUrl), signal)
    // Broken off by the end of the process: another takes it after the lease.
    if (!posted.taken && hardStop.signal.aborted) return false
    await signals('sent', send.alert.id)
    if (posted.taken) await markSent(db, [send.id])
    else await notSent([send], 'An alert could not be sent to ALMANAC_ALERT_URL', posted.message)
    return posted.taken
  }

  async function sendMail(by: Mailer, { person, sends }: TakenMail): Promise<boolean> {
    const sees = ({ alert }: TakenSend) =>
      person !== null && (person.socialSetIds === null || person.socialSetIds.includes(alert.socialSetId))
    const unseen = sends.filter((send) => !sees(send)).map(({ id }) => id)
    if (unseen.length > 0) await dropSends(db, unseen)
    const seen = sends.filter(sees)
    const [first] = seen
    if (!person || !first) return true
    const ids = seen.map(({ id }) => id)
    if (receivesNoMail(person.email)) {
      await dropSends(db, ids)
      return true
    }
    const mail = mailOf(
      seen.map(({ alert }) => alert),
      person,
      { publicUrl, titleOf },
    )
    const fault = await outcomeOf(by.send(mail))
    if (fault === 'stopped') return false
    await signals('sent', first.alert.id)
    if (fault === null) await markSent(db, ids)
    else await notSent(seen, 'A mail about a failure could not be sent', fault)
    return fault === null
  }

  /** Null for a mail that was taken, else why not, without the words of the server: they quote addresses. */
  async function outcomeOf(sending: Promise<void>): Promise<string | null> {
    const over = new AbortController()
    const wait = pause(settings.mailLimitMs, undefined, { signal: AbortSignal.any([hardStop.signal, over.signal]) })
    try {
      return await Promise.race([
        sending.then(
          () => null,
          (error: unknown) => {
            const { fault, code, responseCode } = faultCodes(error)
            return `The mail server did not take the mail (${responseCode ?? code ?? fault}).`
          },
        ),
        wait.then(
          () => 'The mail server did not answer in time.',
          () => 'stopped' as const,
        ),
      ])
    } finally {
      over.abort()
    }
  }

  const channels: Channel[] = []
  const failed = (error: unknown) => log.error({ error }, 'Alerts could not be read or their outcome not stored')
  const common = { pausesMs: settings.channelPausesMs, stopping: stopping.signal, failed }
  if (receiver) {
    const { concurrency, receiverLeaseMs: leaseMs } = settings
    channels.push(
      createChannel({
        ...common,
        take: () => takeReceiverSends(db, { limit: concurrency, leaseMs }),
        send: (send) => sendToReceiver(receiver, send),
      }),
    )
  }
  if (mailer) {
    channels.push(
      createChannel({
        ...common,
        async take() {
          const mail = await takeMail(db, { leaseMs: settings.mailLeaseMs })
          return mail ? [mail] : []
        },
        send: (mail) => sendMail(mailer, mail),
      }),
    )
  }

  async function look(): Promise<Promise<void>[]> {
    if (channels.length > 0) {
      while ((await addressAlerts(db, addressing)) > 0 && !stopping.signal.aborted);
    }
    return channels.map((channel) => channel.drain())
  }

  async function sweep(): Promise<void> {
    const late = await giveUpLateSends(db)
    if (late > 0) log.error({ givenUp: late }, 'Alerts were not sent in time and are given up')
  }

  async function keepLooking(): Promise<void> {
    const tickMs = channels.length > 0 ? settings.tickMs : settings.sweepMs
    while (!stopping.signal.aborted) {
      try {
        if (performance.now() - lastSweep >= settings.sweepMs) {
          await sweep()
          lastSweep = performance.now()
        }
        await look()
      } catch (error) {
        failed(error)
      }
      await pause(tickMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    start() {
      loop = keepLooking()
    },
    async stop({ graceMs }) {
      stopping.abort()
      await loop
      const timer = setTimeout(() => hardStop.abort(), graceMs)
      const grace = pause(graceMs, undefined, { ref: false })
      await Promise.race([Promise.all(channels.map((channel) => channel.ended())), grace])
      clearTimeout(timer)
      hardStop.abort()
      await receiver?.close()
    },
    async lookNow() {
      await Promise.all(await look())
    },
  }
}
