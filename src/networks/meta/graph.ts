import { createHmac } from 'node:crypto'
import {
  apiClient,
  type Call,
  type Called,
  type Caller,
  type Client,
  type Listing,
  type Page,
  pages,
} from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { id, record, string } from '../kit/read-json.ts'
import { parseError } from './errors.ts'

/**
 * What the networks have in common that speak the vendor's Graph API: calls with a token in a header, errors of one
 * shape, pages of listings. Such a network has an endpoint `graph` and a setting `API_VERSION`.
 */

const client = apiClient({ base: ({ endpoint, setting }) => `${endpoint('graph')}/${setting('API_VERSION')}` })

/**
 * Makes a call to the Graph API; a read that is refused to the token is made again with that of the person, where there is
 * one. What the person may not read either counts as refused to the first.
 */
export const call: Client = async (caller, request) => {
  const { accessToken = '', userToken } = caller.credentials
  const called = await proven(caller, request, accessToken)
  if (!userToken || request.method !== 'GET' || !isUnreadable(called)) return called
  const byPerson = await proven(caller, { ...request, headers: { authorization: `Bearer ${userToken}` } }, userToken)
  return isUnreadable(byPerson) ? called : byPerson
}

/**
 * A call with the proof that the app's secret is known here: apps that require it refuse every call without one. A token
 * that another app was given goes on as it did, without a proof; a proof that is refused proves that nothing was done.
 */
async function proven<T>(caller: Caller, request: Call<T>, token: string): Promise<Called<T>> {
  const proof = proofOf(caller, token)
  if (proof === null) return client(caller, request)
  const called = await client(caller, { ...request, query: { ...request.query, appsecret_proof: proof } })
  return isProofRefused(called) ? client(caller, request) : called
}

/**
 * The `appsecret_proof` of calls with a token: its HMAC-SHA256 under the secret of the app, in hexadecimal digits
 * (https://developers.facebook.com/docs/graph-api/guides/secure-requests). Null without a secret or a token.
 */
export function proofOf({ setting }: Pick<Caller, 'setting'>, token: string): string | null {
  const secret = setting('CLIENT_SECRET')
  return secret === '' || token === '' ? null : createHmac('sha256', secret).update(token).digest('hex')
}

/** As seen on https://github.com/facebookarchive/php-graph-sdk/issues/1117 (read 2026-11-23). */
function isProofRefused(called: Called<unknown>): boolean {
  if (called.kind !== 'refused') return false
  const { code, words } = parseError(called.answer)
  return code === 100 && /invalid appsecret_proof/i.test(words)
}

/**
 * Whether something may not be seen with a token: it is not valid, it lacks a permission, or the object is said not to be
 * there (100/33). Codes: https://developers.facebook.com/docs/graph-api/guides/error-handling (read 2026-11-21).
 */
export function isUnreadable(called: Called<unknown>): boolean {
  if (called.kind !== 'refused') return false
  const { code, subcode } = parseError(called.answer)
  if (code === null) return false
  return [3, 10, 102, 190].includes(code) || (code >= 200 && code <= 299) || (code === 100 && subcode === 33)
}

/** Whether the network says that an object is not there or cannot be seen. Of one that we have made it is said in passing. */
export function isUnseen(answer: HttpAnswer): boolean {
  const { code, subcode } = parseError(answer)
  return code === 100 && subcode === 33
}

/** More than this many pages are not looked through. */
const MAX_PAGES = 4

/** Reads a listing. */
export function list<T>(
  caller: Caller,
  listing: Pick<Call<unknown>, 'path' | 'query'> & {
    parse(entry: unknown): T | undefined
    most?: number
    /** Ends the reading early, when what follows is of no interest. */
    until?(entries: readonly T[]): boolean
  },
): Promise<Called<Listing<T>>> {
  const { path, query, parse, most = MAX_PAGES, until } = listing
  return pages(
    most,
    (after) =>
      call(caller, {
        method: 'GET',
        path,
        query: { ...query, ...(after === null ? {} : { after }) },
        timeoutMs: 15_000,
        parse: parsePage(parse),
      }),
    until,
  )
}

/** Entries that cannot be read are left out. */
export function parsePage<T>(parse: (entry: unknown) => T | undefined): (body: unknown) => Page<T> | undefined {
  return (body) => {
    const { data, paging } = record(body) ?? {}
    if (!Array.isArray(data)) return undefined
    const page = record(paging)
    // The cursor is taken, the address is not: a request goes where we say, not where an answer says.
    const next = string(page?.next)
    const after = next === undefined ? null : (string(record(page?.cursors)?.after) ?? cursorIn(next))
    return { entries: data.map(parse).filter((entry) => entry !== undefined), next: after }
  }
}

const cursorIn = (address: string) => string(URL.parse(address)?.searchParams.get('after'))

/** `{"id":"179…"}` of a container, a post or a comment. */
export function parseId(body: unknown): string | undefined {
  return id(record(body)?.id)
}
