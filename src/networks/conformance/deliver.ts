import type { Reason } from '#contract'
import {
  type Delivery,
  type Outcome,
  openDelivery,
  ProcessDied,
  type Step,
  type Trouble,
  type World,
} from './delivery.ts'
import type { Sample } from './harness.ts'

/** How a post, or its follow-up, came out. */
export type Ending =
  | { kind: 'made'; providerId: string | null; permalink: string | null }
  | { kind: 'failed'; reason: Reason; message: string }
  /** It may be live, and nobody can tell. */
  | { kind: 'unknown'; message: string }

export interface Delivered {
  post: Ending
  /** Null when none was wanted, or the post did not come so far. */
  followUp: Ending | null
  log: Delivery['log']
  died: boolean
}

const MAX_TURNS = 200
const MAX_ATTEMPTS = 10
const MAX_LOOKUPS = 6
const MAX_REFRESHES = 2

/**
 * Delivers a post as the engine does, by the rules of the seam: a fence before the visible call, the network is looked
 * up when the outcome is unknown, and only certainty leads to another attempt. Pauses are jumped over.
 */
export async function deliver(world: World, sample: Sample, trouble: Trouble = {}): Promise<Delivered> {
  const delivery = await openDelivery(world, sample, trouble)
  const post = await drive(world, delivery, { prepare: 'prepare', send: 'publish', confirm: 'confirm', find: 'find' })
  let followUp: Ending | null = null
  if (post.kind === 'made' && post.providerId !== null && delivery.wantsFollowUp()) {
    delivery.keep({ providerId: post.providerId, permalink: post.permalink })
    delivery.clearFence()
    followUp = await drive(world, delivery, { send: 'send', find: 'findFollowUp' })
  }
  return { post, followUp, log: delivery.log, died: delivery.died }
}

interface Road {
  prepare?: Step
  send: Step
  confirm?: Step
  find: Step
}

async function drive(world: World, delivery: Delivery, road: Road): Promise<Ending> {
  const { clock } = world
  const start = road.prepare ?? road.send
  const soon = () => new Date(clock.now().getTime() + 5_000)
  let next = start
  let attempts = 0
  let lookups = 0
  let refreshes = 0

  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const step = next
    if (step === road.send) {
      delivery.fence()
      // From here on, whoever takes over begins with a look.
      next = road.find
    }
    let outcome: Outcome
    try {
      outcome = await delivery.call(step)
    } catch (error) {
      if (error instanceof ProcessDied) continue
      throw error
    }
    switch (outcome.kind) {
      case 'ready':
        next = road.send
        break
      case 'waiting':
        clock.jumpTo(outcome.askAgainAt)
        break
      case 'published':
      case 'found':
        return { kind: 'made', providerId: outcome.providerId, permalink: outcome.permalink }
      case 'accepted':
        if (!road.confirm) return { kind: 'made', providerId: null, permalink: null }
        next = road.confirm
        clock.jumpTo(outcome.askAgainAt)
        break
      case 'retry':
        if (outcome.countsAsAttempt) attempts++
        if (attempts > MAX_ATTEMPTS) return { kind: 'failed', reason: 'UNKNOWN', message: outcome.message }
        next = outcome.from === 'prepare' ? start : road.send
        clock.jumpTo(outcome.notBefore ?? soon())
        break
      case 'refused':
        return { kind: 'failed', reason: outcome.reason, message: outcome.message }
      case 'reconnect':
        if (outcome.mayRefresh && world.network.connect.refresh && ++refreshes <= MAX_REFRESHES) {
          const refreshed = await delivery.refresh()
          if (refreshed.kind === 'dead') {
            return { kind: 'failed', reason: 'ACCOUNT_CONNECTION_EXPIRED', message: refreshed.message }
          }
          next = step
        } else if (!outcome.byRead) {
          return { kind: 'failed', reason: 'ACCOUNT_CONNECTION_EXPIRED', message: outcome.message }
        } else if (step === road.prepare) {
          if (++attempts > MAX_ATTEMPTS) return { kind: 'failed', reason: 'UNKNOWN', message: outcome.message }
          clock.jumpTo(soon())
        } else {
          if (++lookups > MAX_LOOKUPS) return { kind: 'unknown', message: outcome.message }
          next = road.find
          clock.jumpTo(soon())
        }
        break
      case 'unknown':
        next = road.find
        break
      case 'absent': {
        const proof = new Date(delivery.lastFence().getTime() + world.network.manifest.listingDelayMs)
        if (clock.now() < proof) clock.jumpTo(proof)
        else {
          if (++attempts > MAX_ATTEMPTS) return { kind: 'failed', reason: 'UNKNOWN', message: 'Attempts used up.' }
          next = start
        }
        break
      }
      case 'cannot-tell':
        if (++lookups > MAX_LOOKUPS) return { kind: 'unknown', message: outcome.message }
        next = road.find
        clock.jumpTo(soon())
        break
    }
  }
  throw new Error(`The delivery went on for ${MAX_TURNS} turns.`)
}
