import { STATUS_CODES } from 'node:http'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'

/** A simulated account. */
export interface Account {
  userId: string
  /** Under which the ledger lists its posts. */
  ledgerId: string
  username: string
  name: string
  /** Those with the word Premium in their name may write long posts and send long videos. */
  premium: boolean
  /** Those with the word Ads in their name have `amplify_video` for promoted videos alone, which no post of theirs may hold. */
  promotes: boolean
  /** Those with the word Silent in their name are of an app whose level of access allows no answers. */
  isSilent: boolean
}

/** A problem; `name` is the last part of its address, `about:blank` without one. */
export function problem(status: number, detail: string, more: Readonly<Record<string, unknown>> = {}): SimulatedAnswer {
  const { name, title = STATUS_CODES[status], ...rest } = more
  const type = name === undefined ? 'about:blank' : `https://api.x.com/2/problems/${name}`
  const headers = { 'content-type': 'application/problem+json' }
  return { status, headers, body: { title, detail, type, status, ...rest } }
}

/** An error of the older kind. */
const numbered = (status: number, code: number, message: string) => ({ status, body: { errors: [{ code, message }] } })

export const PARENT_HIDDEN = numbered(
  403,
  385,
  'You attempted to reply to a Tweet that is deleted or not visible to you.',
)

/** `400`, as the API says that a parameter is wrong. */
const invalidRequest = (message: string, parameters: Readonly<Record<string, unknown>> = {}): SimulatedAnswer =>
  problem(400, 'One or more parameters to your request was invalid.', {
    name: 'invalid-request',
    title: 'Invalid Request',
    errors: [{ parameters, message }],
  })

export const notFound = (resource: string, value: string): SimulatedAnswer =>
  problem(404, `Could not find ${resource} with id: [${value}].`, { name: 'resource-not-found' })

export function refuse(answer: SimulatedAnswer): never {
  throw new SimulatedRefusal(answer)
}

export const forbid = (detail: string): never => refuse(problem(403, detail))
export const invalid = (...said: Parameters<typeof invalidRequest>): never => refuse(invalidRequest(...said))

export function refuseUnknown(names: Iterable<string>, known: readonly string[]): void {
  const wrong = [...names].find((name) => !known.includes(name))
  if (wrong) invalid(`The parameter [${wrong}] is not one of [${known.join(',')}].`, { [wrong]: [] })
}

/** Reduces an object to the fields that are asked for by a parameter of this name, and those that come in any case. */
export function picked(query: URLSearchParams, name: string, known: readonly string[], always: readonly string[]) {
  const asked = (query.get(name) ?? '').split(',').filter((each) => each !== '')
  refuseUnknown(asked, known)
  return (whole: object): object =>
    Object.fromEntries(Object.entries(whole).filter(([field]) => always.includes(field) || asked.includes(field)))
}

export const ok = (data: object, status = 200): SimulatedAnswer => ({ status, body: { data } })

const LOCKED = 'To protect our users from spam and other malicious activity, this account is temporarily locked.'

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faults = (now: Date) => ({
  '500-before': problem(503, 'Service Unavailable'),
  'rate-limited': {
    ...problem(429, 'Too Many Requests'),
    headers: { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(Math.ceil(now.getTime() / 1000) + 5) },
  },
  'token-expired': problem(401, 'Unauthorized'),
  'media-rejected': numbered(400, 324, 'The validation of media ids failed.'),
  'caption-too-long': invalidRequest('Your Tweet text is too long.', { text: ['…'] }),
  'account-restricted': numbered(403, 326, LOCKED),
  'account-suspended': problem(403, 'The user used for authentication is suspended', { name: 'user-suspended' }),
})
