import { isDeepStrictEqual } from 'node:util'
import { entryAt, type ProblemEntry, refuseBody } from '#contract'
import { isId } from '#domain'
import { checkImportUrl, isPrivateHost, trustOf } from '#media'
import { type Database, missingKeys, socialSetsOf } from '#persistence'
import { type Caller, maySee } from '../caller.ts'
import { socialSetNotFound } from '../social-sets/require.ts'

const CODE = 'request:invalid_body'

/**
 * Problems of a webhook's address that the text itself shows. What a name resolves to is checked when something is
 * sent.
 *
 * @param trusted `host` or `host:port`
 */
export function checkUrl(url: unknown, trusted: readonly string[]): ProblemEntry[] {
  if (typeof url !== 'string') return []
  const problem = checkImportUrl(url) ?? refusalOf(new URL(url), trusted)
  return problem === null ? [] : [entryAt(['url'], CODE, problem)]
}

function refusalOf(url: URL, trusted: readonly string[]): string | null {
  if (trustOf(trusted)(url)) return null
  if (isPrivateHost(url.hostname)) {
    return 'The address is one of a private network. The operator can allow its host with ALMANAC_TRUSTED_WEBHOOK_HOSTS.'
  }
  return url.protocol === 'https:' ? null : 'The address has to begin with https://.'
}

/**
 * Requires that the caller sees the social sets that a body names, before its shape is checked. Those already set
 * may stay.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function requireSocialSets(
  db: Database,
  caller: Caller,
  given: unknown,
  present: readonly string[] = [],
): Promise<void> {
  const ids = idsIn(given)
  if (isDeepStrictEqual(ids.toSorted(), [...present].sort())) return
  const found = await socialSetsOf(db, caller.accountId, ids.filter(isId))
  if (ids.some((id) => !found.includes(id) || !maySee(caller, id))) throw socialSetNotFound()
}

/**
 * Requires that the keys that a body names belong to the account.
 *
 * @throws ProblemError `request:invalid_body`
 */
export async function requireKeys(db: Database, caller: Caller, ids: readonly string[]): Promise<void> {
  const missing = [...ids.filter((id) => !isId(id)), ...(await missingKeys(db, caller.accountId, ids.filter(isId)))]
  refuseBody(
    missing.map((id) => entryAt(['ignoreKeyIds', ids.indexOf(id)], CODE, 'The account has no API key with this id.')),
  )
}

/** Each once, as they are stored. */
export const idsIn = (given: unknown): string[] =>
  Array.isArray(given)
    ? [...new Set(given.filter((id): id is string => typeof id === 'string').map((id) => id.toLowerCase()))]
    : []
