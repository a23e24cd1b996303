import { apiClient, type Call, type Called, type Caller, type Listing, type Page, pages } from '../kit/api.ts'
import { type Answer, may, need, reader, record, string, time, webAddress } from '../kit/read-json.ts'
import { limits } from './manifest.ts'

/** Google's APIs have a host each: calls name the whole address. */
export const call = apiClient({ base: () => '' })

/** Names become part of addresses. */
const POST_NAME = /^accounts\/\d{1,30}\/(locations\/\d{1,30}\/localPosts\/[\w-]{1,128})$/
const ACCOUNT_NAME = /^accounts\/\d{1,30}$/
const LOCATION_NAME = /^locations\/\d{1,30}$/

/** A post of a profile, as Google answers with it. What it leaves out is null. */
export const parseLocalPost = reader({
  /**
   * `locations/9/localPosts/77`. Google puts the account in front through which it was asked; without it the name is the
   * same for everyone who manages the location.
   */
  name: need('name', (value) => POST_NAME.exec(string(value) ?? '')?.[1]),
  summary: may('summary', string, ''),
  /** `PROCESSING`, `LIVE`, `REJECTED`, and some that only posts of others have. */
  state: may('state', string),
  topicType: may('topicType', string),
  actionType: may('callToAction.actionType', string),
  actionUrl: may('callToAction.url', string),
  createdAt: may('createTime', time),
  /** The page of the post in the search. Comes late. */
  searchUrl: may('searchUrl', webAddress),
})
export type LocalPost = Answer<typeof parseLocalPost>

const nameLike = (shape: RegExp) => (value: unknown) => (shape.test(string(value) ?? '') ? string(value) : undefined)

/** The name of an account, `accounts/1`. */
const parseAccount = (entry: unknown) => nameLike(ACCOUNT_NAME)(record(entry)?.name)

const list = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : undefined)
const readLocation = reader({
  /** `locations/9`: without the account, which the API for posts wants in front. */
  name: need('name', nameLike(LOCATION_NAME)),
  title: may('title', string),
  lines: may('storefrontAddress.addressLines', list, []),
  locality: may('storefrontAddress.locality', string),
  mapsUri: may('metadata.mapsUri', webAddress),
  /** False where Google lets no program post, as for many chains. Null when it does not say. */
  canPost: may('metadata.canOperateLocalPost', (value) => (typeof value === 'boolean' ? value : null)),
})
function parseLocation(entry: unknown) {
  const location = readLocation(entry)
  if (!location) return undefined
  const { name, title, lines, locality } = location
  // `12 Main Street, Springfield`; empty for a business without an address.
  const address = [...lines, locality].flatMap((part) => string(part) ?? []).join(', ')
  return { ...location, title: title ?? name, address }
}
export type Location = Answer<typeof parseLocation>

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
