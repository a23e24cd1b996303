import { randomInt } from 'node:crypto'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'

export { SimulatedRefusal }

export const digits = (count: number): string =>
  Array.from({ length: count }, (_, index) => randomInt(index === 0 ? 1 : 0, 10)).join('')

/** The shape of https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (read 2026-11-21). */
export function refusal(status: number, code: string, message = ''): SimulatedAnswer {
  return { status, body: { data: {}, error: { code, message, log_id: digits(30) } } }
}

export function refuse(...words: Parameters<typeof refusal>): never {
  throw new SimulatedRefusal(refusal(...words))
}

export const invalid = (message: string): never => refuse(400, 'invalid_params', message)

export const ok = (data: unknown): SimulatedAnswer => ({
  status: 200,
  body: { data, error: { code: 'ok', message: '', log_id: digits(30) } },
})

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers = {
  '500-before': refusal(500, 'internal_error', 'Something went wrong on our side.'),
  'rate-limited': refusal(429, 'rate_limit_exceeded', 'The API rate limit was exceeded.'),
  'token-expired': refusal(401, 'access_token_invalid', 'The access token is invalid or not found in the request.'),
  'caption-too-long': refusal(400, 'invalid_params', 'The title is too long.'),
  'account-suspended': refusal(403, 'spam_risk_user_banned_from_posting', 'The user is banned from making new posts.'),
}
