import type { FastifyBaseLogger } from 'fastify'
import type { receiveDefaults } from '#importing'
import type { FinishedAuthorization, KeyCheck, OperationDeps, ReturnedAuthorization } from '#operations'
import type { Answered } from './answered.ts'
import type { ConnectionLimits, TrustProxy } from './connections.ts'
import type { Health } from './health.ts'
import type { AuthenticateMember } from './members.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { ServedSandbox } from './sandbox.ts'

/** What the server works with: what the operations behind its routes do, and what is of HTTP alone. */
export interface ServerDeps extends OperationDeps {
  log: FastifyBaseLogger
  /** Requests that succeed are of interest to no one unless they are looked for: a person reads the log as it comes. */
  quiet?: boolean
  keys: KeyCheck
  authenticateMember: AuthenticateMember
  finishAuthorization(returned: ReturnedAuthorization): Promise<FinishedAuthorization>
  /** Folder of the built dashboard; null without one. */
  dashboardDir: string | null
  /** Counts the requests below /v1/. */
  rate: RateLimiter
  /** Requests per second that one address may send without a valid key. */
  addressLimit: number
  /** `GET /healthz` and `GET /readyz`. */
  health: Health
  /** Called with each request that was answered. */
  onAnswered?: ((answered: Answered) => void) | undefined
  /** Answers everything below /sandbox, reading bodies by itself; null without a sandbox. */
  sandbox: ServedSandbox | null
  /** Which proxies in front of us are believed about the client's address; a number counts them. */
  trustProxy: TrustProxy
  /** Browsers are asked to stay with https at this host name; where the public address has it. */
  hsts: boolean
  /** Origins besides that of the public address at which browsers reach us. */
  trustedOrigins: readonly string[]
  /** Once it aborts, each answer closes its connection: a proxy makes its next one elsewhere. */
  stopping?: AbortSignal | undefined
  /** Of connections, where they differ from the usual ones. */
  limits?: Partial<ConnectionLimits>
  /** How bytes that clients send are received, where it differs from the usual way. */
  receiving?: Partial<typeof receiveDefaults> | undefined
  /** True in tests: an answer that its route does not declare is an error of ours. */
  strict: boolean
}
