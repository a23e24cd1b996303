import { setTimeout as pause } from 'node:timers/promises'
import { NEWS_CAUSES, type NewsCause } from '#contract'
import { pauseAfter } from '#domain'
import {
  dropSends,
  giveUpLateSends,
  hasDueMail,
  hasFreshNews,
  markSent,
  postponeSends,
  type TakenSend,
  takeMail,
  takeReceiverSends,
} from '#persistence'
import { addressNews } from './address.ts'
import { bodyOf } from './body.ts'
import { type Channel, createChannel } from './channel.ts'
import type { NewsroomDeps } from './deps.ts'
import type { Receiver } from './receiver.ts'
import { createMailSender } from './send-mail.ts'
import { watch } from './watch.ts'

export interface Newsroom {
  start(): void
  /** Takes nothing more. What is on its way may end within `graceMs`; then it is broken off. */
  stop(options: { graceMs: number }): Promise<void>
  /** Looks for news now and sends what is due; for tests. */
  lookNow(): Promise<void>
  /** Looks at what comes about as time goes on; for tests. */
  watchNow(): Promise<void>
}

/** Causes that come one at a time and are pressing: their mails do not wait for the pause after the one before. */
const PRESSING: readonly NewsCause[] = ['REVIEW_REMINDER', 'STILL_WAITING', 'PLAN']
const PAUSED = NEWS_CAUSES.filter((cause) => !PRESSING.includes(cause))

/** Brings news of one process to people and to the receiver. README.md says what it does and what holds. */
export function createNewsroom(deps: NewsroomDeps): Newsroom {
  const { db, receiver, mailer, publicUrl, settings, log, signals = () => {} } = deps
  const stopping = new AbortController()
  const hardStop = new AbortController()
  const { foldMs, mailLeaseMs, mailPauseMs } = settings
  const ways = { receiver: receiver !== null, mail: mailer && { foldMs }, guests: deps.guests !== null }
  let lastSweep = Number.NEGATIVE_INFINITY
  let lastWatch = Number.NEGATIVE_INFINITY
  let loop: Promise<void> = Promise.resolve()

  async function sendToReceiver(to: Receiver, send: TakenSend): Promise<boolean> {
    const body = bodyOf(send.news, publicUrl)
    if (!body) {
      await dropSends(db, [send.id])
      return true
    }
    const signal = AbortSignal.any([hardStop.signal, AbortSignal.timeout(settings.receiverLimitMs)])
    const posted = await to.post(body, signal)
    // Broken off by the end of the process: another takes it after the lease.
    if (!posted.taken && hardStop.signal.aborted) return false
    await signals('sent', send.news.id)
    if (posted.taken) await markSent(db, [send.id])
    else await notSent(send, posted.message)
    return posted.taken
  }

  async function notSent({ id, attempts }: TakenSend, error: string): Promise<void> {
    const what = 'An alert could not be sent to ALMANAC_ALERT_URL'
    const givenUp = await postponeSends(db, [id], { error, pauseMs: pauseAfter(settings.retryPausesMs, attempts) })
    if (givenUp > 0) log.error({ error, attempts, givenUp }, `${what} and is given up`)
    else log.warn({ error, attempts }, `${what} and is tried again later`)
  }

  const channels: Channel[] = []
  const failed = (error: unknown) => log.error({ error }, 'News could not be read or their outcome not stored')
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
          // A statement, instead of a transaction with a lock.
          if (!(await hasDueMail(db))) return []
          const mail = await takeMail(db, { leaseMs: mailLeaseMs, pauseMs: mailPauseMs, paused: PAUSED })
          return mail ? [mail] : []
        },
        send: createMailSender({ ...deps, mailer, hardStop: hardStop.signal }),
      }),
    )
  }

  async function look(): Promise<Promise<void>[]> {
    while (!stopping.signal.aborted && (await hasFreshNews(db)) && (await addressNews(db, ways)) > 0);
    return channels.map((channel) => channel.drain())
  }

  async function sweep(): Promise<void> {
    const late = await giveUpLateSends(db)
    if (late > 0) log.error({ givenUp: late }, 'Alerts or mails were not sent in time and are given up')
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (performance.now() - lastSweep >= settings.sweepMs) {
          await sweep()
          lastSweep = performance.now()
        }
        if (performance.now() - lastWatch >= settings.watchMs) {
          await watch(deps)
          lastWatch = performance.now()
        }
        await look()
      } catch (error) {
        failed(error)
      }
      await pause(settings.tickMs, undefined, { signal: stopping.signal }).catch(() => {})
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
    watchNow: () => watch(deps),
  }
}
