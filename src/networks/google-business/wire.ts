import { record, string, time, webAddress } from '../toolkit/read-json.ts'

/** A post of a profile, as Google answers with it. What it leaves out is null. */
export interface LocalPost {
  /**
   * `locations/9/localPosts/77`. Google puts the account in front through which it was asked; without it the name is the
   * same for everybody who manages the location.
   */
  name: string
  summary: string
  /** `PROCESSING`, `LIVE`, `REJECTED`, and some that only posts of others have. */
  state: string | null
  topicType: string | null
  actionType: string | null
  actionUrl: string | null
  createdAt: Date | null
  /** The page of the post in the search. Comes late. */
  searchUrl: string | null
}

/** Names become part of addresses. */
const POST_NAME = /^accounts\/\d{1,30}\/(locations\/\d{1,30}\/localPosts\/[\w-]{1,128})$/
const ACCOUNT_NAME = /^accounts\/\d{1,30}$/
const LOCATION_NAME = /^locations\/\d{1,30}$/

export function parseLocalPost(body: unknown): LocalPost | undefined {
  const post = record(body)
  const [, name] = POST_NAME.exec(string(post?.name) ?? '') ?? []
  if (!post || name === undefined) return undefined
  const action = record(post.callToAction)
  return {
    name,
    summary: string(post.summary) ?? '',
    state: string(post.state) ?? null,
    topicType: string(post.topicType) ?? null,
    actionType: string(action?.actionType) ?? null,
    actionUrl: string(action?.url) ?? null,
    createdAt: time(post.createTime),
    searchUrl: webAddress(post.searchUrl),
  }
}

/** A page of a listing. An empty list is left out of the answer: a page without anything is `{}`. */
export interface Page<T> {
  items: T[]
  nextPageToken: string | null
}

/**
 * Reads a page of the list of this name. Undefined for another shape: an answer that names something else is not taken
 * for an empty page, and neither is a list with an entry that cannot be read.
 */
export function parsePage<T>(
  body: unknown,
  list: string,
  parse: (entry: unknown) => T | undefined,
): Page<T> | undefined {
  const page = record(body)
  if (!page || Object.keys(page).some((key) => ![list, 'nextPageToken', 'totalSize'].includes(key))) return undefined
  const entries = page[list] ?? []
  if (!Array.isArray(entries)) return undefined
  const items = entries.map(parse)
  if (items.includes(undefined)) return undefined
  return { items: items as T[], nextPageToken: string(page.nextPageToken) ?? null }
}

/** The name of an account, `accounts/1`. */
export function parseAccount(entry: unknown): string | undefined {
  const name = string(record(entry)?.name)
  return name !== undefined && ACCOUNT_NAME.test(name) ? name : undefined
}

export interface Location {
  /** `locations/9`: without the account, which the API for posts wants in front. */
  name: string
  title: string
  /** `12 Main Street, Springfield`; empty for a business without an address. */
  address: string
  mapsUri: string | null
  /** False where Google lets no program post, as for many chains. Null when it does not say. */
  canPost: boolean | null
}

export function parseLocation(entry: unknown): Location | undefined {
  const location = record(entry)
  const name = string(location?.name)
  if (!location || name === undefined || !LOCATION_NAME.test(name)) return undefined
  const metadata = record(location.metadata)
  const address = record(location.storefrontAddress)
  const lines = Array.isArray(address?.addressLines) ? address.addressLines : []
  const { canOperateLocalPost } = metadata ?? {}
  return {
    name,
    title: string(location.title) ?? name,
    address: [...lines, address?.locality].flatMap((part) => string(part) ?? []).join(', '),
    mapsUri: webAddress(metadata?.mapsUri),
    canPost: typeof canOperateLocalPost === 'boolean' ? canOperateLocalPost : null,
  }
}
