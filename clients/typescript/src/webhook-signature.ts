import { WebhookSignatureError } from './errors.ts'
import type { AlmanacEvent } from './types.ts'

/** Headers of a request, in any of the forms in which servers give them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface UnwrapOptions {
  /** Seconds between signing and now that are accepted: 300 where nothing is given. */
  tolerance?: number | undefined
}

const TOLERANCE_SECONDS = 300

/**
 * The event of a request that a webhook sent (Standard Webhooks 1.0).
 *
 * @param rawBody the body as it came, before it was read as JSON
 * @param secret `whsec_…`; several while one replaces another
 * @throws WebhookSignatureError when it was signed with another secret, changed on its way, or signed too long ago
 */
export async function unwrapWebhook(
  rawBody: string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = TOLERANCE_SECONDS }: UnwrapOptions = {},
): Promise<AlmanacEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > tolerance) {
    throw new WebhookSignatureError('The webhook was signed too long ago, or the clock of this machine is wrong.')
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${rawBody}`)
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? [bytesOf(each.slice(3))] : []))
  for (const each of [secret].flat()) {
    const key = await keyOf(each)
    for (const signature of signatures) {
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return JSON.parse(rawBody)
    }
  }
  throw new WebhookSignatureError(
    'The webhook was not signed with this secret, or its body is not the one that was signed.',
  )
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  const text = typeof value === 'string' ? value : value?.[0]
  if (text === undefined || text === '') throw new WebhookSignatureError(`The request has no header ${name}.`)
  return text
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.length === 0) throw new WebhookSignatureError('The secret is not one of a webhook: whsec_…')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** The bytes of base64; null when it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
