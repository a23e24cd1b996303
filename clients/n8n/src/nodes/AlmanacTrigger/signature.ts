import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_SECONDS = 300

/** Headers of a request, by names in small letters. */
type Headers = Record<string, string | string[] | undefined>

const headerOf = (headers: Headers, name: string): string => String([headers[name] ?? ''].flat()[0] ?? '')

/** Whether a request was signed with a secret within the last minutes (Standard Webhooks 1.0). */
export function isSigned(rawBody: Buffer, headers: Headers, secret: string, now = Date.now()): boolean {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest()
  return headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
