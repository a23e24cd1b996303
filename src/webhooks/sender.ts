import { setTimeout as pause } from 'node:timers/promises'
import { newId, placeOfWebhook, type SecretBox, shownEvent } from '#domain'
import type { GuardedFetch } from '#media'
import {
  claimLanes,
  closeWebhooks,
  type Database,
  type DueSend,
  endFailed,
  endLoops,
  endSent,
  giveLaneBack,
  inTransaction,
  type LaneHead,
  leaveOutUnseen,
  readHeads,
  readNextLane,
} from '#persistence'
import { afterFailure } from './after-failure.ts'
import { sendRequest } from './request.ts'
import type { WebhookSettings } from './settings.ts'

export interface WebhookSender {
  /** Begins to send what is due. */
  start(): void
  /** Something may be due now. */
  wake(): void
  /** Takes nothing more. What is under way may end within `graceMs`; then it is broken off, and due again at once. */
  stop(options: { graceMs: number }): Promise<void>
  /** Sends what is due now, and resolves when nothing is. For tests, which do not start it. */
  sendDue(): Promise<void>
}

export interface SenderDeps {
  db: Database
  /** The way to endpoints, with a list of trusted hosts of its own. */
  fetch: Pick<GuardedFetch, 'dispatcher'>
  /** Whether the operator has named the host of an address. */
  trusts(url: URL): boolean
  /** Opens secrets of endpoints. */
  box: Pick<SecretBox, 'open'>
  userAgent: string
  settings: WebhookSettings
  /** Hears that a request has ended and its outcome is stored next; a no-op outside tests. */
  signals?: (step: 'answered', send: DueSend) => void | Promise<void>
  log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
    error(fields: object, message: string): void
  }
}

/** A lane that this process has taken. */
interface Lane {
  head: LaneHead
  /** Of its lease. */
  owner: string
}

/** Sends events to endpoints, as one of several processes. README.md says what holds. */
export function createWebhookSender(deps: SenderDeps): WebhookSender {
  const { db, settings, log, signals = () => {} } = deps
  const stopping = new AbortController()
  const hardStop = new AbortController()
  /** Under way; whether the lane fails. */
  const running = new Map<Promise<void>, boolean>()
  let loop: Promise<void> = Promise.resolve()
  let looking: Promise<void> | null = null
  let again = false
  let lastSweep = Number.NEGATIVE_INFINITY
  /** Ends the pause of the loop, once that has been started: then it alone looks. */
  let rouse: (() => void) | null = null

  /** Takes lanes as long as there is room. One look at a time: each counts what the one before has begun. */
  async function look(): Promise<void> {
    if (stopping.signal.aborted) return
    const failingNow = [...running.values()].filter(Boolean).length
    const room = {
      healthy: Math.max(0, settings.places - (running.size - failingNow)),
      failing: Math.max(0, settings.failingPlaces - failingNow),
    }
    if (room.healthy + room.failing === 0) return
    const owner = newId()
    const lanes = await claimLanes(db, { owner, ms: settings.leaseMs }, room)
    if (lanes.length === 0) return
    const fails = new Map(lanes.map(({ id, failing }) => [id, failing]))
    for (const head of await readHeads(db, [...fails.keys()])) {
      begin({ head, owner }, fails.get(webhookOf(head)) ?? false)
    }
  }

  function begin(lane: Lane, fails: boolean): void {
    const run = serve(lane)
      .catch((error) => log.error({ webhook: webhookOf(lane.head), error }, 'The end of a webhook could not be stored'))
      .finally(() => {
        running.delete(run)
        wake()
      })
    running.set(run, fails)
  }

  async function serve({ head, owner }: Lane): Promise<void> {
    const webhookId = webhookOf(head)
    let pauseMs = 0
    try {
      if (head.kind === 'due') {
        if (await send(head.send, owner)) return
        pauseMs = settings.tickMs
      } else if (head.kind === 'not seen') {
        await leaveOutUnseen(db, webhookId)
      } else if (head.kind === 'key ended') {
        await inTransaction(db, (trx) => closeWebhooks(trx, [webhookId], 'KEY_ENDED'))
        log.info({ webhook: webhookId }, 'A webhook was closed: its key has ended')
      }
    } catch (error) {
      log.error({ webhook: webhookId, error }, 'A webhook could not be sent, for a reason of our own')
      pauseMs = settings.ownFaultMs
    }
    await giveLaneBack(db, webhookId, { owner, pauseMs })
  }

  /** Resolves with whether the outcome is stored and the lane given back. */
  async function send(due: DueSend, owner: string): Promise<boolean> {
    const requested = await sendRequest(deps, messageOf(due, deps.box), hardStop.signal)
    if (requested.kind === 'broken off') return false
    await signals('answered', due)
    const { attempt, retryAfterMs } = requested
    if (attempt.failure === null) {
      await endSent(db, due, attempt, { owner, recoversMs: settings.recoversMs })
      return true
    }
    const { attempts, failures } = due
    const after = afterFailure(settings, { attempts, failures, status: attempt.status, retryAfterMs }, Math.random())
    const closed = await endFailed(db, due, attempt, { owner, after, limits: settings.failing })
    if (closed) log.warn({ webhook: due.webhookId, why: closed, failure: attempt.failure }, 'A webhook was closed')
    return true
  }

  function lookSoon(): Promise<void> {
    if (looking) {
      again = true
      return looking
    }
    looking = look()
      .catch((error) => log.error({ error }, 'Webhooks that are due could not be read'))
      .finally(() => {
        looking = null
        if (again) {
          again = false
          wake()
        }
      })
    return looking
  }

  function wake(): void {
    if (rouse !== null) rouse()
    else if (!stopping.signal.aborted) void lookSoon()
  }

  async function sweep(): Promise<void> {
    if (performance.now() - lastSweep < settings.sweepMs) return
    lastSweep = performance.now()
    await endLoops(db)
  }

  /** As long as nothing is due by what waits now: what comes meanwhile wakes. */
  async function restMs(): Promise<number> {
    if (running.size > 0) return settings.tickMs
    const inMs = await readNextLane(db)
    return Math.max(settings.tickMs, Math.min(settings.restMs, inMs ?? settings.restMs))
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      const roused = new AbortController()
      rouse = () => roused.abort()
      await sweep().catch((error) => log.error({ error }, 'Loops that are over could not be ended'))
      await lookSoon()
      // A database that is away is what the look has reported.
      const ms = await restMs().catch(() => settings.tickMs)
      await pause(ms, undefined, { signal: roused.signal }).catch(() => {})
    }
  }

  return {
    start() {
      loop = keepLooking()
    },
    wake,
    async stop({ graceMs }) {
      stopping.abort()
      rouse?.()
      await loop
      while (looking) await looking
      const over = new AbortController()
      const grace = pause(graceMs, undefined, { signal: over.signal, ref: false }).catch(() => {})
      await Promise.race([Promise.all(running.keys()), grace])
      over.abort()
      hardStop.abort()
      await Promise.all(running.keys())
    },
    async sendDue() {
      for (await lookSoon(); looking || running.size > 0; await lookSoon()) {
        await (running.size > 0 ? Promise.race(running.keys()) : looking)
      }
    },
  }
}

const webhookOf = (head: LaneHead): string => (head.kind === 'due' ? head.send.webhookId : head.webhookId)

/** @throws CannotOpenError */
function messageOf({ url, webhookId, event, secret, oldSecret }: DueSend, box: Pick<SecretBox, 'open'>) {
  const place = placeOfWebhook(webhookId)
  const sealed = oldSecret ? [secret, oldSecret] : [secret]
  const body = 'test' in event ? event.test : shownEvent(event)
  return {
    url,
    id: String(body.id),
    body: JSON.stringify(body),
    secrets: sealed.map(({ bytes, keyId }) => box.open({ bytes, keyId }, place).toString()),
  }
}
