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

const nameLike = (shape: RegExp) => (value: unknown) => (shape.test(string(value) ?? '') ? string(value) : undefined)

/** The name of an account, `accounts/1`. */
export const parseAccount = (entry: unknown) => nameLike(ACCOUNT_NAME)(record(entry)?.name)

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
export function parseLocation(entry: unknown) {
  const location = readLocation(entry)
  if (!location) return undefined
  const { name, title, lines, locality } = location
  // `12 Main Street, Springfield`; empty for a business without an address.
  const address = [...lines, locality].flatMap((part) => string(part) ?? []).join(', ')
  return { ...location, title: title ?? name, address }
}
export type Location = Answer<typeof parseLocation>
