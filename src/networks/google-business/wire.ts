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
 * Reads a page of the list of this name. An empty list is left out of the answer: a page without anything is `{}`. Undefined for another shape: an answer that names something else is not taken
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
  const read = entries.map(parse)
  if (read.includes(undefined)) return undefined
  return { entries: read as T[], next: string(page.nextPageToken) ?? null }
}

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
