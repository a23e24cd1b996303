import { randomBytes } from 'node:crypto'
import { type SimulatedAnswer, SimulatedRefusal } from '../toolkit/faults.ts'

export { SimulatedRefusal }

/** An answer in the shape of https://developers.facebook.com/docs/graph-api/guides/error-handling (read 2026-11-21). */
export function graphError(
  code: number,
  subcode: number | null,
  words: { message: string; title?: string; user?: string },
  more: { status?: number; transient?: boolean; headers?: Readonly<Record<string, string>> } = {},
): SimulatedAnswer {
  return {
    status: more.status ?? 400,
    headers: { ...usageHeaders(12), ...more.headers },
    body: {
      error: {
        message: words.message,
        type: 'OAuthException',
        code,
        ...(subcode === null ? {} : { error_subcode: subcode }),
        is_transient: more.transient ?? false,
        ...(words.title === undefined ? {} : { error_user_title: words.title }),
        ...(words.user === undefined ? {} : { error_user_msg: words.user }),
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    },
  }
}

export function refuse(...words: Parameters<typeof graphError>): never {
  throw new SimulatedRefusal(graphError(...words))
}

export const ok = (body: unknown): SimulatedAnswer => ({ status: 200, headers: usageHeaders(2), body })

/** Percent of what an app and a business may ask in an hour; JSON in a string. */
function usageHeaders(percent: number): Record<string, string> {
  return {
    'x-app-usage': JSON.stringify({ call_count: percent, total_time: 1, total_cputime: 1 }),
    'x-business-use-case-usage': businessUsage(percent, 0),
  }
}

export function businessUsage(percent: number, minutes: number): string {
  return JSON.stringify({
    '1000000000000001': [
      {
        type: 'instagram',
        call_count: percent,
        total_cputime: 1,
        total_time: 1,
        estimated_time_to_regain_access: minutes,
      },
    ],
  })
}

export const unknownObject = (id: string) =>
  graphError(100, 33, {
    message: `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
  })

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers = {
  '500-before': graphError(
    2,
    null,
    { message: 'An unexpected error has occurred. Please retry your request later.' },
    { status: 500, transient: true },
  ),
  'rate-limited': graphError(
    80002,
    null,
    { message: 'There have been too many calls to this Instagram account. Wait a bit and try again.' },
    { headers: { 'x-business-use-case-usage': businessUsage(100, 1) } },
  ),
  'token-expired': graphError(190, 463, {
    message: 'Error validating access token: Session has expired.',
  }),
  'account-restricted': graphError(25, 2207050, {
    message: 'The user is restricted.',
    title: 'Account restricted',
    user: 'The Instagram account is restricted.',
  }),
  'account-suspended': graphError(25, 2207050, {
    message: 'The user is disabled.',
    title: 'Account suspended',
    user: 'The Instagram account is suspended.',
  }),
}
