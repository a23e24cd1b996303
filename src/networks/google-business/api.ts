import { apiClient, type Call, type Called, type Caller, type Listing, type Page, pages } from '../kit/api.ts'
import { record, string } from '../kit/read-json.ts'
import { limits } from './manifest.ts'
import { parseAccount, parseLocalPost, parseLocation } from './wire.ts'

/** Google's APIs have a host each: calls name the whole address. */
export const call = apiClient({ base: () => '' })

/** A listing of Google's. `list`: its name in the answer. */
interface Listed<T> extends Pick<Call<T>, 'path' | 'query'> {
  list: string
  parse(entry: unknown): T | undefined
}

/** Accounts of the person who asks. */
export const accountsOf = ({ endpoint }: Caller) => ({
  path: `${endpoint('accounts')}/v1/accounts`,
  query: { pageSize: '20' },
  list: 'accounts',
  parse: parseAccount,
})

/** Locations of an account, `accounts/1`. */
export const locationsOf = ({ endpoint }: Caller, account: string | undefined) => ({
  path: `${endpoint('locations')}/v1/${account}/locations`,
  query: { readMask: 'name,title,storefrontAddress,metadata', pageSize: '100' },
  list: 'locations',
  parse: parseLocation,
})

/** Address of what belongs to a location, through the account by which the connected person reaches it. */
export const postsApi = ({ endpoint, credentials }: Caller, name: string) =>
  `${endpoint('posts')}/v4/${credentials.account}/${name}`

/** Posts of the location. */
export const postsOf = (caller: Caller & { account: { externalId: string } }) => ({
  path: postsApi(caller, `${caller.account.externalId}/localPosts`),
  query: { pageSize: String(limits.postsPerPage.value) },
  list: 'localPosts',
  parse: parseLocalPost,
})

export const readPage = <T>(caller: Caller, listed: Listed<T>, pageToken: string | null = null) =>
  call(caller, {
    method: 'GET',
    path: listed.path,
    query: { ...listed.query, ...(pageToken === null ? {} : { pageToken }) },
    timeoutMs: 15_000,
    parse: (body) => parsePage(body, listed),
  })

export const readAll = <T>(
  caller: Caller,
  listed: Listed<T>,
  most: number,
  until?: (all: readonly T[]) => boolean,
): Promise<Called<Listing<T>>> => pages(most, (pageToken) => readPage(caller, listed, pageToken), until)

const PAGE_KEYS = ['nextPageToken', 'totalSize']

/**
 * Reads a page; undefined for what is no object. Google leaves an empty list out of its answer, and adds names when it likes:
 * those are not looked at. A page without the list that names something else, and one with an entry that cannot be read, are
 * partial: they do not prove that something is not there.
 */
function parsePage<T>(body: unknown, { list, parse }: Listed<T>): Page<T> | undefined {
  const page = record(body)
  const listed = page?.[list]
  if (!page || !(listed === undefined || Array.isArray(listed))) return undefined
  const read = (listed ?? []).map(parse)
  const entries = read.filter((entry) => entry !== undefined)
  const isStrange = listed === undefined && Object.keys(page).some((key) => !PAGE_KEYS.includes(key))
  const partial = isStrange || entries.length < read.length
  return { entries, next: string(page.nextPageToken) ?? null, ...(partial ? { partial } : {}) }
}
