import type { Page } from '../kit/api.ts'
import { type Answer, may, need, reader, record, string, time, webAddress } from '../kit/read-json.ts'

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

/**
 * Reads a page of the list of this name; undefined for what is no object. Google leaves an empty list out of its answer, and
 * adds names when it likes: those are not looked at. A page without the list that names something else, and one with an entry
 * that cannot be read, are partial: they do not prove that something is not there.
 */
export function parsePage<T>(
  body: unknown,
  list: string,
  parse: (entry: unknown) => T | undefined,
): Page<T> | undefined {
  const page = record(body)
  const listed = page?.[list]
  if (!page || !(listed === undefined || Array.isArray(listed))) return undefined
  const read = (listed ?? []).map(parse)
  const entries = read.filter((entry) => entry !== undefined)
  const isStrange = listed === undefined && Object.keys(page).some((key) => !PAGE_KEYS.includes(key))
  return {
    entries,
    next: string(page.nextPageToken) ?? null,
    ...(isStrange || entries.length < read.length ? { partial: true } : {}),
  }
}
const PAGE_KEYS = ['nextPageToken', 'totalSize']

/** The name of an account, `accounts/1`. */
export function parseAccount(entry: unknown): string | undefined {
  const name = string(record(entry)?.name)
  return name !== undefined && ACCOUNT_NAME.test(name) ? name : undefined
}

const locationName = (value: unknown) => (LOCATION_NAME.test(string(value) ?? '') ? string(value) : undefined)
const list = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : undefined)
const readLocation = reader({
  /** `locations/9`: without the account, which the API for posts wants in front. */
  name: need('name', locationName),
  title: may('title', string),
  lines: may('storefrontAddress.addressLines', list, []),
  locality: may('storefrontAddress.locality', string),
  mapsUri: may('metadata.mapsUri', webAddress),
  /** False where Google lets no program post, as for many chains. Null when it does not say. */
  canPost: may('metadata.canOperateLocalPost', (value) => (typeof value === 'boolean' ? value : null)),
})
export function parseLocation(entry: unknown) {
  const location = readLocation(entry)
  if (!location) return undefined
  const { name, title, lines, locality } = location
  // `12 Main Street, Springfield`; empty for a business without an address.
  const address = [...lines, locality].flatMap((part) => string(part) ?? []).join(', ')
  return { ...location, title: title ?? name, address }
}
export type Location = Answer<typeof parseLocation>
