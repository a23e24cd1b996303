import { randomInt } from 'node:crypto'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'

export const digits = (count: number): string =>
  Array.from({ length: count }, (_, index) => randomInt(index === 0 ? 1 : 0, 10)).join('')

/** The shape of https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (read 2026-11-21). */
const answer = (status: number, code: string, message: string, data: object): SimulatedAnswer => ({
  status,
  body: { data, error: { code, message, log_id: digits(30) } },
})
export const refusal = (status: number, code: string, message = '') => answer(status, code, message, {})
export const ok = (data: object) => answer(200, 'ok', '', data)

export function refuse(...words: Parameters<typeof refusal>): never {
  throw new SimulatedRefusal(refusal(...words))
}
export const invalid = (message: string): never => refuse(400, 'invalid_params', message)

/** What fault words say in this network's tongue when a post is begun. Each of them means that nothing was made. */
export const refusalsAtInit = {
  'rate-limited': refusal(429, 'rate_limit_exceeded', 'The API rate limit was exceeded.'),
  'token-expired': refusal(401, 'access_token_invalid', 'The access token is invalid or not found in the request.'),
  'caption-too-long': refusal(400, 'invalid_params', 'The title is too long.'),
  'account-suspended': refusal(403, 'spam_risk_user_banned_from_posting', 'The user is banned from making new posts.'),
}
