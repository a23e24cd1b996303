import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'

export { SimulatedRefusal }

/** A problem; `name` is the last part of its address, null for `about:blank`. */
export function problem(
  status: number,
  name: string | null,
  words: { title: string; detail: string },
  more: Readonly<Record<string, unknown>> = {},
): SimulatedAnswer {
  const type = name === null ? 'about:blank' : `https://api.x.com/2/problems/${name}`
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: { ...words, type, status, ...more },
  }
}

/** An error of the older kind. */
export const numbered = (status: number, code: number, message: string): SimulatedAnswer => ({
  status,
  body: { errors: [{ code, message }] },
})

/** `400`, as the API says that a parameter is wrong. */
export function invalidRequest(message: string, parameters: Readonly<Record<string, unknown>> = {}): SimulatedAnswer {
  const words = { title: 'Invalid Request', detail: 'One or more parameters to your request was invalid.' }
  return problem(400, 'invalid-request', words, { errors: [{ parameters, message }] })
}

export const forbidden = (detail: string): SimulatedAnswer => problem(403, null, { title: 'Forbidden', detail })

export const unauthorized = problem(401, null, { title: 'Unauthorized', detail: 'Unauthorized' })

export const notFound = (resource: string, value: string): SimulatedAnswer =>
  problem(
    404,
    'resource-not-found',
    { title: 'Not Found Error', detail: `Could not find ${resource} with id: [${value}].` },
    { parameter: 'id', resource_id: value, resource_type: resource, value },
  )

export function refuse(answer: SimulatedAnswer): never {
  throw new SimulatedRefusal(answer)
}

export const ok = (body: unknown, status = 200): SimulatedAnswer => ({ status, body })

const WINDOW_S = 15 * 60

/** What every answer says of the window of 15 minutes. */
export function withRateHeaders(answer: SimulatedAnswer, now: Date, limit = 100): SimulatedAnswer {
  const seconds = Math.floor(now.getTime() / 1000)
  const headers = {
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(limit - 1),
    'x-rate-limit-reset': String((Math.floor(seconds / WINDOW_S) + 1) * WINDOW_S),
  }
  return { ...answer, headers: { ...headers, ...answer.headers } }
}

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export function faultAnswers(now: Date) {
  return {
    '500-before': problem(503, null, { title: 'Service Unavailable', detail: 'Service Unavailable' }),
    'rate-limited': {
      ...problem(429, null, { title: 'Too Many Requests', detail: 'Too Many Requests' }),
      headers: {
        'x-rate-limit-limit': '100',
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': String(Math.ceil(now.getTime() / 1000) + 5),
      },
    },
    'token-expired': unauthorized,
    'media-rejected': numbered(400, 324, 'The validation of media ids failed.'),
    'caption-too-long': invalidRequest('Your Tweet text is too long.', { text: ['…'] }),
    'account-restricted': numbered(
      403,
      326,
      'To protect our users from spam and other malicious activity, this account is temporarily locked.',
    ),
    'account-suspended': problem(403, 'user-suspended', {
      title: 'Forbidden',
      detail: 'The user used for authentication is suspended',
    }),
  }
}
