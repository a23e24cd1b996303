import type { AskedBody, AskedQuery, Loose, ProblemEntry } from '#contract'
import type { Database, SocialSetPlace } from '#persistence'
import type { Caller } from './caller.ts'
import { requireSocialSet } from './social-sets/require.ts'

/** Which versions a request has seen: those that its header If-Match names, any, or null when it does not say. */
export type Seen = readonly number[] | 'any' | null

/**
 * Parses a header If-Match (RFC 9110, 13.1.1). The comparison is strong, so weak tags never match.
 *
 * @param header as it came: `"3"`, several separated by commas, or `*`; null without one
 */
export function seenOf(header: string | null): Seen {
  if (header === null) return null
  const tags = header.split(',').map((tag) => tag.trim())
  if (tags.includes('*')) return 'any'
  return tags.flatMap((tag) => /^"(0|[1-9]\d{0,8})"$/.exec(tag)?.[1] ?? []).map(Number)
}

/**
 * Reads the body of a request about the social set that it names. Existence is checked before shape, so that social
 * sets that the caller cannot see all get the same answer.
 *
 * @param check what else is wrong with it, by the clocks of that social set (UTC when it names none)
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function readPlaced<T extends { socialSetId: string }>(
  db: Database,
  caller: Caller,
  body: AskedBody<T>,
  check?: (body: Loose<T>, timezone: string) => readonly ProblemEntry[],
): Promise<{ socialSet: SocialSetPlace; asked: T }> {
  const known = await placeNamed(db, caller, body)
  const asked = body.read(check && ((value) => check(value, known?.timezone ?? 'UTC')))
  return { asked, socialSet: known ?? (await requireSocialSet(db, caller, asked.socialSetId)) }
}

type QueryCheck<T> = NonNullable<Parameters<AskedQuery<T>['read']>[0]>

/**
 * The same for a query string.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readPlacedQuery<T extends { socialSetId: string }>(
  db: Database,
  caller: Caller,
  query: AskedQuery<T>,
  check?: (query: Partial<T>, problem: Parameters<QueryCheck<T>>[1], timezone: string) => void,
): Promise<{ socialSet: SocialSetPlace; asked: T }> {
  const known = await placeNamed(db, caller, query)
  const asked = query.read(check && ((value, problem) => check(value, problem, known?.timezone ?? 'UTC')))
  return { asked, socialSet: known ?? (await requireSocialSet(db, caller, asked.socialSetId)) }
}

/**
 * The social set that a request names, before its shape is checked. Null if it names none.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function placeNamed(
  db: Database,
  caller: Caller,
  asked: { peek(): { readonly socialSetId?: unknown } },
): Promise<SocialSetPlace | null> {
  const { socialSetId } = asked.peek()
  return typeof socialSetId === 'string' ? requireSocialSet(db, caller, socialSetId) : null
}
