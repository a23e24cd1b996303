import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'

export { SimulatedRefusal }

/** An answer in the shape of https://developers.google.com/youtube/v3/docs/errors (read 2026-11-21). */
export function apiError(
  status: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): SimulatedAnswer {
  return {
    status,
    headers,
    body: { error: { code: status, message, errors: [{ message, domain: 'youtube', reason }] } },
  }
}

export function refuse(...words: Parameters<typeof apiError>): never {
  throw new SimulatedRefusal(apiError(...words))
}

export const ok = (body: unknown): SimulatedAnswer => ({ status: 200, body })

/** A page of a listing. Entries are left out when there are none. */
export function listOf(
  kind: string,
  items: readonly unknown[],
  page: { total?: number; perPage?: number; next?: string | null } = {},
): SimulatedAnswer {
  return ok({
    kind: `youtube#${kind}ListResponse`,
    etag: 'pretend',
    ...(page.next ? { nextPageToken: page.next } : {}),
    pageInfo: { totalResults: page.total ?? items.length, resultsPerPage: page.perPage ?? items.length },
    ...(items.length === 0 ? {} : { items }),
  })
}

export const unauthorized = () =>
  apiError(401, 'authError', 'Request had invalid authentication credentials. Expected OAuth 2 access token.')

/**
 * What the fault words say in this network's tongue at the last piece of a file. Faults that last and are not about the
 * file are told when the upload begins.
 */
export const pieceFaults = {
  '500-before': apiError(500, 'backendError', 'Backend Error'),
  'rate-limited': apiError(429, 'rateLimitExceeded', 'The request was sent too soon.', { 'retry-after': '60' }),
  'token-expired': unauthorized(),
}

export const beginFaults: Readonly<Record<string, SimulatedAnswer>> = {
  'caption-too-long': apiError(
    400,
    'invalidDescription',
    'The request metadata specifies an invalid video description.',
  ),
  'account-restricted': apiError(401, 'youtubeSignupRequired', 'Unauthorized'),
  'account-suspended': apiError(403, 'authenticatedUserAccountSuspended', 'The account of the user is suspended.'),
}
