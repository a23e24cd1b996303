import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import { Webhook } from 'standardwebhooks'
import { request } from 'undici'
import { codesOf, type GuardedFetch } from '#media'
import type { WebhookAttempt } from '#persistence'
import { readRetryAfter } from './after-failure.ts'

/** What is sent to an endpoint. */
interface WebhookMessage {
  url: string
  /** Of the event: equal at every attempt. */
  id: string
  body: string
  /** All that sign: `whsec_…`. */
  secrets: readonly string[]
}

interface RequestDeps {
  fetch: Pick<GuardedFetch, 'dispatcher'>
  /** Whether the operator has named the host of an address: others have to be public, and to speak https. */
  trusts(url: URL): boolean
  userAgent: string
  settings: { limitMs: number; answerBytes: number }
}

/** What came of a request; `broken off`: by the end of the process or a held start, and it counts as none. */
type Requested = { kind: 'ended'; attempt: WebhookAttempt; retryAfterMs: number | null } | { kind: 'broken off' }

/**
 * One `POST`, signed as Standard Webhooks 1.0 says (https://www.standardwebhooks.com, read 2026-11-30), without following redirects.
 *
 * @param stopping breaks it off: then the endpoint may have it all the same
 */
export async function sendRequest(
  deps: RequestDeps,
  message: WebhookMessage,
  stopping: AbortSignal,
): Promise<Requested> {
  const { fetch, trusts, settings, userAgent } = deps
  const { url, id, body, secrets } = message
  const place = new URL(url)
  const trusted = trusts(place)
  const began = performance.now()
  let retryAfterMs: number | null = null
  const ended = (answer: Pick<WebhookAttempt, 'status' | 'failure' | 'answer'>): Requested => ({
    kind: 'ended',
    attempt: { durationMs: performance.now() - began, ...answer },
    retryAfterMs,
  })
  if (!trusted && place.protocol !== 'https:') {
    return ended({ status: null, failure: 'The address is not https.', answer: null })
  }
  const timeout = AbortSignal.timeout(settings.limitMs)
  const at = new Date()
  let status: number | null = null
  try {
    const answer = await request(url, {
      dispatcher: fetch.dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
      },
      body,
      signal: AbortSignal.any([stopping, timeout]),
    })
    status = answer.statusCode
    const header = answer.headers['retry-after']
    retryAfterMs = readRetryAfter(Array.isArray(header) ? header[0] : header, at)
    const begins = await beginningOf(answer.body, settings.answerBytes)
    return ended({ status, failure: refusal(status), answer: trusted || begins === '' ? null : begins })
  } catch (error) {
    const codes = codesOf(error)
    if (stopping.aborted || codes.includes('ESTARTHELD')) return { kind: 'broken off' }
    const late = timeout.aborted ? `No whole answer within ${settings.limitMs / 1000} seconds.` : null
    return ended({ status, failure: late ?? faultWords(place.hostname, codes, status), answer: null })
  }
}

/** How an answer begins, as text that a database takes. What is behind it is not read. */
async function beginningOf(body: Readable, bytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    pieces.push(piece)
    length += piece.length
    // Ends the loop and with it the connection.
    if (length >= bytes) break
  }
  const begins = Buffer.concat(pieces).subarray(0, bytes)
  return new TextDecoder().decode(begins).replaceAll('\0', '�')
}

function refusal(status: number): string | null {
  if (status >= 200 && status < 300) return null
  const words = `It answered ${status} ${STATUS_CODES[status] ?? ''}`.trim()
  return status >= 300 && status < 400 ? `${words}: redirects are not followed.` : `${words}.`
}

function faultWords(host: string, codes: readonly string[], status: number | null): string {
  const has = (pattern: RegExp) => codes.some((code) => pattern.test(code))
  if (has(/^EADDRESSBLOCKED$/)) return `${host} leads to an address that is not of the public internet.`
  if (has(/^(ENOTFOUND|EAI_\w+)$/)) return `${host} has no address.`
  if (has(/^ECONNREFUSED$/)) return `${host} refuses connections.`
  if (has(/CERT|SIGNATURE|^ERR_(TLS|SSL)/)) return `The certificate of ${host} is not valid (${codes[0]}).`
  if (has(/TIMEOUT|^ETIMEDOUT$/)) return `${host} could not be reached in time.`
  if (status !== null) return `It answered ${status}, and the connection broke before the end of the answer.`
  if (has(/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/)) return 'The connection broke before an answer came.'
  return `${host} could not be reached (${codes[0] ?? 'unknown error'}).`
}
