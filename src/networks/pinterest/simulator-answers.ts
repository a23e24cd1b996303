import { type AnsweredFault, type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'

export const ok = (body: unknown, status = 200): SimulatedAnswer => ({ status, body })

export const errorAnswer = (status: number, code: number, message: string) => ok({ code, message }, status)

export function refuse(status: number, code: number, message: string): never {
  throw new SimulatedRefusal(errorAnswer(status, code, message))
}

/** A request that does not fit the contract. */
export function invalid(what: string): never {
  return refuse(400, 1, `Invalid request: ${what}`)
}

export function refuseOthers(given: object, known: readonly string[], where: string): void {
  const foreign = Object.keys(given).find((name) => !known.includes(name))
  if (foreign !== undefined) invalid(`${where}.${foreign} is not known`)
}

export const AUTHENTICATION_FAILED = errorAnswer(401, 2, 'Authentication failed.')
/** Seen with status 401, though the contract shows it with 403. */
export const SCOPE_MISSING = errorAnswer(
  401,
  3,
  'Your token does not have sufficient permissions to perform this operation. Please ensure your token is authorized with the correct set of scopes.',
)

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers: Record<AnsweredFault, SimulatedAnswer> = {
  '500-before': errorAnswer(500, 500, 'Something went wrong on our end.'),
  'rate-limited': {
    ...errorAnswer(429, 8, 'This request exceeded a rate limit.'),
    headers: { 'x-ratelimit-reset': '30, 30;w=60;name="org_write"' },
  },
  'token-expired': AUTHENTICATION_FAILED,
  'media-rejected': errorAnswer(400, 1, 'The image could not be processed.'),
  'caption-too-long': errorAnswer(400, 1, "Invalid request: 'description' is too long, constraint: maxLength=800"),
  'account-restricted': errorAnswer(
    403,
    403,
    'Sorry, you cannot perform this action as your account has been disapproved. Please see business hub for more details. https://www.pinterest.com/business/hub/',
  ),
  'account-suspended': errorAnswer(403, 403, 'Your account has been suspended.'),
}
