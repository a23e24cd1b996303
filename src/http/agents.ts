import type { FastifyRequest } from 'fastify'
import { LIMITS, ProblemError } from '#contract'
import { addressBounds } from '#domain'
import type { Caller, KeyCheck } from '#operations'
import { findByKey } from './credentials.ts'
import { createHostCheck, type OwnOrigins } from './own-origins.ts'
import { addressOf, once, type RateLimiter, refuseOverRate } from './rate-limit.ts'

interface AgentAdmission extends OwnOrigins {
  find: KeyCheck['find']
  rate: RateLimiter
  /** Requests per second that one address may send without a valid key. */
  addressLimit: number
}

/**
 * Lets a message of an agent in, by the API key that it carries; cookies are not looked at. Whether it counts for the rate of its
 * account, only its body says: until then what one account sends to this process is bounded.
 */
export function createAgentAdmission({ find, rate, addressLimit, ...origins }: AgentAdmission) {
  const refuseOtherHosts = createHostCheck(origins)

  /** @throws ProblemError `auth:cross_site_request`, `auth:missing_credential`, `auth:invalid_credential`, `rate-limit:exceeded` */
  return async function admitAgent(request: FastifyRequest): Promise<Caller> {
    refuseOtherHosts(request)
    const address = addressOf(request)
    const countAddress = once(async () => {
      for (const { subject, limit } of addressBounds('address', address, addressLimit)) {
        refuseOverRate(await rate.take(subject, limit))
      }
    })
    // Looking up the key would wait for a database that does not answer.
    if (rate.countsInMemory()) await countAddress()
    const caller = await findByKey(request.headers.authorization, (key) => find(key, address)).catch(
      async (error: unknown) => {
        await countAddress()
        throw error
      },
    )
    if (caller instanceof ProblemError) {
      await countAddress()
      throw caller
    }
    refuseOverRate(rate.takeHere(`mcp:${caller.accountId}`, LIMITS.mcp.perSecond))
    return caller
  }
}
