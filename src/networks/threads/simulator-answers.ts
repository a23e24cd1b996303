import { randomBytes } from 'node:crypto'
import { type SimulatedAnswer, SimulatedRefusal } from '../toolkit/faults.ts'

export { SimulatedRefusal }

interface More {
  subcode?: number
  title?: string
  user?: string
  status?: number
  transient?: boolean
  headers?: Readonly<Record<string, string>>
}

/** An answer in the shape of https://developers.facebook.com/docs/graph-api/guides/error-handling (read 2026-11-21). */
export function graphError(code: number, message: string, more: More = {}): SimulatedAnswer {
  // Errors of the API itself have another type, and now and then a code that is a text.
  const own = code === 100 && more.subcode === undefined
  return {
    status: more.status ?? 400,
    headers: { ...usageHeaders(12), ...more.headers },
    body: {
      error: {
        message,
        type: own ? 'THApiException' : 'OAuthException',
        code: own ? String(code) : code,
        ...(more.subcode === undefined ? {} : { error_subcode: more.subcode }),
        is_transient: more.transient ?? false,
        ...(more.title === undefined ? {} : { error_user_title: more.title }),
        ...(more.user === undefined ? {} : { error_user_msg: more.user }),
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    },
  }
}

export function refuse(code: number, message: string, more?: More): never {
  throw new SimulatedRefusal(graphError(code, message, more))
}

export const ok = (body: unknown): SimulatedAnswer => ({ status: 200, headers: usageHeaders(2), body })

/** Percent of what an app may ask in a day; JSON in a string. */
function usageHeaders(percent: number): Record<string, string> {
  return { 'x-app-usage': JSON.stringify({ call_count: percent, total_time: 1, total_cputime: 1 }) }
}

/** What the network says of a container that it does not know, or does not know yet. */
export const mediaNotFound = (id: string) =>
  graphError(24, 'The requested resource does not exist', {
    subcode: 4279009,
    title: 'Media Not Found',
    user: `The media with id ${id} cannot be found.`,
  })

export const unknownObject = (id: string) =>
  graphError(
    100,
    `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
    { subcode: 33 },
  )

export const unknownPath = (path: string) => graphError(2500, `Unknown path components: ${path}`)

export const missingPermission = () => graphError(10, 'Application does not have permission for this action')

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers = {
  '500-before': graphError(2, 'An unexpected error has occurred. Please retry your request later.', {
    status: 500,
    transient: true,
  }),
  'rate-limited': graphError(17, 'User request limit reached', {
    headers: {
      'x-business-use-case-usage': JSON.stringify({
        '1000000000000001': [{ type: 'threads', estimated_time_to_regain_access: 1 }],
      }),
    },
  }),
  'token-expired': graphError(190, 'Error validating access token: Session has expired.', { subcode: 463 }),
  'account-restricted': graphError(10, 'The user is restricted.', {
    subcode: 4279013,
    title: 'Account restricted',
    user: 'The account is restricted from publishing.',
  }),
  'account-suspended': graphError(10, 'The user is disabled.', {
    subcode: 4279013,
    title: 'Account suspended',
    user: 'The account is suspended.',
  }),
}
