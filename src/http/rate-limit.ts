import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS, ProblemError } from '#contract'
import { SECOND_MS } from '#contract/durations'
import { type AddressBound, addressBounds, countedAddress } from '#domain'
import type { Caller, KeyCheck } from '#operations'
import { findByKey } from './credentials.ts'

/** How a subject stands within its second. */
export interface RateWindow {
  limit: number
  /** Requests that are left in this second. */
  remaining: number
  /** When the second is over. */
  resetAt: Date
  /** False: the request that was just counted is one too many. */
  allowed: boolean
}

/** Counts requests. The second of a subject begins with its first request. */
export interface RateLimiter {
  /**
   * Counts a request of the subject, in its second or in its minute. A refused one takes nothing from the next. While this process
   * counts by itself, minutes are seconds. Never rejects.
   */
  take(subject: string, limit: number, length?: 'second' | 'minute'): Promise<RateWindow>
  /** How the subject stands, without counting. Never rejects. */
  look(subject: string, limit: number): Promise<RateWindow>
  /** Counts a request for this process alone: of what takes its time and asks no database. */
  takeHere(subject: string, limit: number): RateWindow
  /** Runs what counts a request in the database; null when that cannot count, so that `take` must. Never rejects. */
  inDatabase<T>(count: () => Promise<T>): Promise<T | null>
  /** True while the database does not answer, so that this process counts by itself. */
  countsInMemory(): boolean
}

/** The standing of a subject whose requests within its second, this one included, are `used`. */
export function rateWindow(limit: number, used: number, resetAt: Date): RateWindow {
  return { limit, remaining: Math.max(limit - used, 0), resetAt, allowed: used <= limit }
}

/** How requests of an address are counted on a route that is neither for keys nor for members nor for visits of guests. */
export interface AddressRate {
  /** Routes of one subject are counted together. */
  subject: string
  /** Requests of one address. */
  perSecond: number
  /** True: for all processes together, by the database. Else what follows takes nothing but this process. */
  inDatabase?: boolean
}

const { pages, piecesPerSecond } = LIMITS
/** Of pages, and of what is not there. */
const PAGES: AddressRate = { subject: 'pages', perSecond: pages.perSecond }
/** Of files that pages are made of: one page loads dozens, and an office is one address. */
export const FILES: AddressRate = { subject: 'files', perSecond: pages.filesPerSecond }

/** Counts a request for its address, as its route says; without a word of the route like a page. */
export function createAddressAdmission(rate: Pick<RateLimiter, 'take' | 'takeHere'>, refusals: Refusals) {
  /** @throws ProblemError `rate-limit:exceeded` */
  return async function admitAddress(request: FastifyRequest): Promise<void> {
    const given = request.is404 ? PAGES : (request.routeOptions.config?.addressRate ?? PAGES)
    if (given === 'unlimited') return
    const bounds = addressBounds(given.subject, addressOf(request), given.perSecond)
    await refusals.count(bounds, given.inDatabase ? rate.take : rate.takeHere)
  }
}

interface Admission {
  keys: KeyCheck
  rate: RateLimiter
  /** Requests per second that one address may send without a valid key. */
  addressLimit: number
}

/**
 * Lets a request below /v1/ in: finds whose it is and counts it, for the account with a valid key, for the address
 * without one, or while no key can be looked up. What is paid by bytes has a limit of its own with a valid key, and its route
 * counts it for the account all the same where bytes do not pay. Key and account take one statement. While the database does
 * not answer, the address is counted before a lookup, which would wait for it. Sets the headers of the rate in any case.
 */
export function createAdmission({ keys, rate, addressLimit }: Admission) {
  function settle(reply: FastifyReply, window: RateWindow): void {
    setHeaders(reply, window)
    refuseOverRate(window)
  }

  /** The answer has the standing of the network that has the least left. */
  async function settleAddress(reply: FastifyReply, address: string): Promise<void> {
    let least = Number.POSITIVE_INFINITY
    for (const { subject, limit } of addressBounds('address', address, addressLimit)) {
      const window = await rate.take(subject, limit)
      if (window.remaining < least) setHeaders(reply, window)
      refuseOverRate(window)
      least = Math.min(least, window.remaining)
    }
  }

  /** Its pieces are counted; `standing` is how its account stands, for which it is not. */
  function admitPiece(
    { request, reply, caller }: { request: FastifyRequest; reply: FastifyReply; caller: Caller },
    { pieces, standing }: { pieces: RateWindow; standing: RateWindow },
  ): Caller {
    setHeaders(reply, standing)
    refuseOverRate(pieces)
    request.countForAccount = async () => {
      // For nothing that the database could say: over the limit nothing is counted.
      refuseOverRate(standing)
      settle(reply, await rate.take(`account:${caller.accountId}`, standing.limit))
    }
    return caller
  }

  /** @throws ProblemError `auth:missing_credential`, `auth:invalid_credential`, `rate-limit:exceeded` */
  return async function admit(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    // For an answer that comes before anything could be counted.
    setHeaders(reply, rateWindow(addressLimit, 0, new Date(Date.now() + 1_000)))
    const { authorization } = request.headers
    const address = addressOf(request)
    const isPiece = request.routeOptions.config?.paidByBytes === true
    const countAddress = once(() => settleAddress(reply, address))
    const counted = rate.countsInMemory()
      ? null
      : await rate.inDatabase(() =>
          findByKey(authorization, (key) => (isPiece ? keys.findPiece(key, address) : keys.findAndCount(key, address))),
        )
    if (counted instanceof ProblemError) {
      await countAddress()
      throw counted
    }
    if (counted) {
      const { caller, used, endsAt, account } = counted
      const { requestsPerSecond } = caller.plan
      if (account) {
        const pieces = rateWindow(piecesPerSecond, used, endsAt)
        const standing = rateWindow(requestsPerSecond, account.used, account.endsAt)
        return admitPiece({ request, reply, caller }, { pieces, standing })
      }
      settle(reply, rateWindow(requestsPerSecond, used, endsAt))
      return caller
    }
    if (rate.countsInMemory()) await countAddress()
    const caller = await findByKey(authorization, (key) => keys.find(key, address)).catch(async (error: unknown) => {
      await countAddress()
      throw error
    })
    if (caller instanceof ProblemError) {
      await countAddress()
      throw caller
    }
    const { accountId, plan } = caller
    if (isPiece) {
      const pieces = await rate.take(`pieces:${accountId}`, piecesPerSecond)
      const standing = await rate.look(`account:${accountId}`, plan.requestsPerSecond)
      return admitPiece({ request, reply, caller }, { pieces, standing })
    }
    settle(reply, await rate.take(`account:${accountId}`, plan.requestsPerSecond))
    return caller
  }
}

/** Counts a request for its address when it is first asked to, and never twice. */
export function once(count: () => Promise<void>): () => Promise<void> {
  let counted = false
  return async () => {
    if (counted) return
    counted = true
    await count()
  }
}

/** @throws ProblemError `rate-limit:exceeded` when the request that was counted is one too many */
export function refuseOverRate({ allowed, limit }: RateWindow): void {
  if (allowed) return
  const detail = `More than ${limit} requests in one second. Wait a second and try again.`
  throw new ProblemError('rate-limit:exceeded', detail, { headers: { 'retry-after': '1' } })
}

/** The same of a request that was counted in a minute. */
export function refuseOverMinute({ allowed, limit, resetAt }: RateWindow): void {
  if (allowed) return
  const seconds = Math.min(Math.max(Math.ceil((resetAt.getTime() - Date.now()) / 1_000), 1), 60)
  const detail = `More than ${limit} requests in one minute. Try again in ${seconds} seconds.`
  throw new ProblemError('rate-limit:exceeded', detail, { headers: { 'retry-after': String(seconds) } })
}

function setHeaders(reply: FastifyReply, { limit, remaining, resetAt }: RateWindow): void {
  reply
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', remaining)
    .header('x-ratelimit-reset', Math.ceil(resetAt.getTime() / 1_000))
}

/** The address that a request is counted for: what a proxy forwards as one but is none says nothing. */
export function addressOf(request: FastifyRequest): string {
  return countedAddress(request.ip) ?? countedAddress(request.socket.remoteAddress) ?? 'unknown'
}

/** Over a rate nothing is counted until its second is over, so that nothing has to be asked either. */
interface Refusals {
  /** @throws ProblemError `rate-limit:exceeded` for a subject that was refused, until its second is over */
  refuse(subject: string): void
  /** Refuses what is over its rate, and remembers that by the subject. @throws ProblemError `rate-limit:exceeded` */
  settle(subject: string, window: RateWindow): void
  /** Both for all networks of an address; what one refuses is not counted for the next. @throws ProblemError `rate-limit:exceeded` */
  count(bounds: readonly AddressBound[], take: CountOne): Promise<void>
}

type CountOne = (subject: string, limit: number) => RateWindow | Promise<RateWindow>

const MOST = 10_000

/** Remembers in this process who was refused: who asks on and on costs no statement. */
export function createRefusals(now: () => number = () => performance.now()): Refusals {
  const refused = new Map<string, { until: number; window: RateWindow }>()
  const refusals: Refusals = {
    refuse(subject) {
      const found = refused.get(subject)
      if (!found) return
      if (now() < found.until) refuseOverRate(found.window)
      refused.delete(subject)
    },
    settle(subject, window) {
      if (!window.allowed) {
        if (refused.size >= MOST) for (const [key, { until }] of refused) if (until <= now()) refused.delete(key)
        if (refused.size >= MOST) refused.clear()
        // No second is longer, no matter what the clock of the database says.
        const left = Math.min(window.resetAt.getTime() - Date.now(), SECOND_MS)
        if (left > 0) refused.set(subject, { until: now() + left, window })
      }
      refuseOverRate(window)
    },
    async count(bounds, take) {
      for (const { subject } of bounds) refusals.refuse(subject)
      for (const { subject, limit } of bounds) refusals.settle(subject, await take(subject, limit))
    },
  }
  return refusals
}
