import { createHmac } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { LookupFunction } from 'node:net'
import { request } from 'undici'
import { ALERT_HEADERS, type Alert } from '#contract'
import { codesOf, createGuardedFetch, type GuardedFetchOptions, isPrivateHost, userAgentOf } from '#media'

/** The outcome of one request. The message is for logs: it names the host and nothing else of the address. */
type Posted = { taken: true; status: number } | { taken: false; message: string }

/** The operator's receiver of alerts. */
export interface Receiver {
  /** Host, and port when it is not the usual one. The rest of the address may hold a secret. */
  host: string
  /** One POST, without following redirects. `signal` breaks it off: then the receiver may have it all the same. */
  post(alert: Alert, signal: AbortSignal): Promise<Posted>
  close(): Promise<void>
}

interface ReceiverOptions {
  url: string
  /** Private hosts that may be reached, as the operator wrote them. */
  trustedHosts: readonly string[]
  /** What it reads of who asks; see `userAgentOf`. Default: the name alone. */
  userAgent?: string
  /** Keys that sign, of 32 bytes; a receiver that knows one of them can verify. */
  keys: readonly Buffer[]
  /** Replaces the system's; for tests. */
  lookup?: LookupFunction
  through?: GuardedFetchOptions['through']
}

/** More of an answer is not read. */
const ANSWER_BYTES = 16_384

/**
 * Requests go through the guard of imports, so that no name leads into the private network unnoticed. A host that can only
 * be private is named by writing it into the setting, for alerts alone: imports still do not reach it.
 */
export function createReceiver({
  url,
  trustedHosts,
  userAgent = userAgentOf(null),
  keys,
  lookup,
  through,
}: ReceiverOptions): Receiver {
  const { host, hostname } = new URL(url)
  const guarded = createGuardedFetch({
    trustedHosts: [...trustedHosts, ...(isPrivateHost(hostname) ? [host] : [])],
    ...(lookup ? { lookup } : {}),
    through,
  })
  return {
    host,
    async post(alert, signal) {
      const body = JSON.stringify(alert)
      try {
        const answer = await request(url, {
          dispatcher: guarded.dispatcher,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': userAgent,
            [ALERT_HEADERS.id]: alert.id,
            [ALERT_HEADERS.signature]: signatureOf(keys, body, new Date()),
          },
          body,
          signal,
        })
        // The status decides; the rest is read so that the connection can be used again.
        answer.body.dump({ limit: ANSWER_BYTES, signal }).catch(() => {})
        const { statusCode: status } = answer
        if (status >= 200 && status < 300) return { taken: true, status }
        return { taken: false, message: refusedWords(host, status) }
      } catch (error) {
        return { taken: false, message: faultWords(host, error, signal) }
      }
    },
    close: () => guarded.close(),
  }
}

/** `t=1893456000,v1=…`: seconds since 1970, and for each key the HMAC-SHA256 of `<t>.<body>` in hex. */
export function signatureOf(keys: readonly Buffer[], body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000)
  const parts = keys.map((key) => `v1=${createHmac('sha256', key).update(`${t}.${body}`).digest('hex')}`)
  return [`t=${t}`, ...parts].join(',')
}

function refusedWords(host: string, status: number): string {
  const words = `${host} answered ${status} ${STATUS_CODES[status] ?? ''}`.trim()
  return status >= 300 && status < 400 ? `${words}; redirects are not followed.` : `${words}.`
}

function faultWords(host: string, error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `${host} did not answer in time.`
  const codes = codesOf(error)
  if (codes.includes('EADDRESSBLOCKED')) {
    return `${host} leads to a private address, which alerts do not reach unless it is named. If it is meant, add the host to ALMANAC_TRUSTED_FETCH_HOSTS, or set ALMANAC_ALERT_URL to the private address itself.`
  }
  if (codes.includes('ENOTFOUND')) return `${host} has no address.`
  if (codes.includes('ECONNREFUSED')) return `${host} refuses connections.`
  if (codes.some((code) => code.includes('TIMEOUT') || code === 'ETIMEDOUT')) return `${host} did not answer in time.`
  return `${host} could not be reached (${codes[0] ?? 'unknown error'}).`
}
