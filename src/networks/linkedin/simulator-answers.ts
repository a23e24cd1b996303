import { randomUUID } from 'node:crypto'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'

export { SimulatedRefusal }

const trace = () => ({ 'x-li-uuid': randomUUID(), 'x-li-request-id': randomUUID() })

export const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200): SimulatedAnswer => ({
  status,
  headers: { ...trace(), ...headers },
  body,
})

/** An answer in the shape of https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling */
export function refusal(
  status: number,
  message: string,
  more: { code?: string; serviceErrorCode?: number } = {},
): SimulatedAnswer {
  return { status, headers: trace(), body: { message, status, ...more } }
}

/** The other shape, of the posts API. */
export function inputRefusal(status: number, code: string, description: string): SimulatedAnswer {
  const said = code === 'DUPLICATE_POST' ? 'Duplicate post is detected' : description
  return {
    status,
    headers: trace(),
    body: {
      errorDetailType: 'com.linkedin.common.error.BadRequest',
      message: `com.linkedin.content.common.exception.BadRequestResponseException: ${description}`,
      errorDetails: { inputErrors: [{ description: said, input: {}, code }] },
      status,
    },
  }
}

export function refuse(...words: Parameters<typeof refusal>): never {
  throw new SimulatedRefusal(refusal(...words))
}

export function refuseInput(...words: Parameters<typeof inputRefusal>): never {
  throw new SimulatedRefusal(inputRefusal(...words))
}

export const denied = (what: string): never =>
  refuse(403, `Not enough permissions to access: ${what}`, { serviceErrorCode: 100, code: 'ACCESS_DENIED' })

export const expiredToken = refusal(401, 'The token used in the request has expired', {
  serviceErrorCode: 65602,
  code: 'EXPIRED_ACCESS_TOKEN',
})

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers = {
  '500-before': refusal(500, 'Internal Server Error'),
  'rate-limited': refusal(429, 'Resource level throttle limit for calls to this resource is reached.'),
  'token-expired': expiredToken,
  'media-rejected': inputRefusal(400, 'MEDIA_ASSET_PROCESSING_FAILED', 'The media asset failed to process'),
  'caption-too-long': inputRefusal(400, 'FIELD_LENGTH_TOO_LONG', 'The length of /commentary exceeds the maximum'),
  'account-restricted': refusal(403, 'This member is restricted from performing this action', {
    code: 'ACCESS_DENIED',
  }),
  'account-suspended': refusal(403, 'This member account is suspended', { code: 'ACCESS_DENIED' }),
}
