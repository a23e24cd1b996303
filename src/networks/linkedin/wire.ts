import { apiClient, bearer, type Called, type Caller } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { type Answer, listOf, may, need, number, reader, record, string, webAddress } from '../kit/read-json.ts'

/** Headers that every call needs: https://learn.microsoft.com/en-us/linkedin/marketing/versioning (read 2026-11-21). */
export const call = apiClient({
  base: ({ endpoint }) => endpoint('api'),
  headers: (caller) => ({
    authorization: bearer(caller),
    'linkedin-version': caller.setting('API_VERSION'),
    'x-restli-protocol-version': '2.0.0',
  }),
})

export type Parse<T> = (body: unknown) => T | undefined

export const get = <T>(caller: Caller, path: string, parse: Parse<T>, timeoutMs = 15_000): Promise<Called<T>> =>
  call(caller, { method: 'GET', path, timeoutMs, parse })

export const listComments = <T>(caller: Caller, path: string, read: Parse<T>) =>
  get(caller, `${path}?start=0&count=100`, (body) => all(read)(record(body)?.elements))

/** A listing, of which an entry that cannot be read makes the whole useless. */
function find<T>(caller: Caller, path: string, read: Parse<T>) {
  const headers = { 'x-restli-method': 'FINDER' }
  const parse = (body: unknown) => all(read)(record(body)?.elements)
  return call(caller, { method: 'GET', path: `rest/${path}`, headers, timeoutMs: 15_000, parse })
}

/** Posts of an account, those first that were changed last. The listing has one page. */
export function listPosts(caller: Caller, author: string, count: number) {
  const query = `q=author&author=${encodeURIComponent(author)}&count=${count}&sortBy=LAST_MODIFIED`
  return find(caller, `posts?${query}`, parsePost)
}
export const listRoles = (caller: Caller, start: number, count: number) =>
  find(caller, `organizationAcls?q=roleAssignee&state=APPROVED&start=${start}&count=${count}`, parseRole)

function all<T>(read: Parse<T>) {
  return (value: unknown): T[] | undefined => {
    const entries = Array.isArray(value) ? value.map(read) : [undefined]
    return entries.every((entry) => entry !== undefined) ? (entries as T[]) : undefined
  }
}

const matching = (pattern: RegExp) => (value: unknown) => pattern.exec(string(value) ?? '')?.[0]
export const postUrn = matching(/^urn:li:(share|ugcPost):[\w:-]{1,240}$/)
export const organizationUrn = matching(/^urn:li:organization:\d{1,20}$/)
const person = matching(/^urn:li:person:[\w-]{1,64}$/)
export const personUrn = (id: unknown) => person(string(id) && `urn:li:person:${id}`)

/**
 * The page of a role. A showcase page may be called a brand; as an author it is an organization with the same number
 * (https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-access-control-by-role,
 * read 2026-11-21; both names have meant the same entity since January 2024).
 */
export const pageUrn = (value: unknown): string | undefined =>
  organizationUrn(string(value)?.replace(/^urn:li:organizationBrand:/, 'urn:li:organization:'))

/** Versions call the page by three names. */
function parseRole(value: unknown) {
  const { role, organization, organizationTarget, organizationalTarget } = record(value) ?? {}
  return { role: String(role), page: string(organization ?? organizationTarget ?? organizationalTarget) ?? '' }
}

/**
 * Address of the logo in `logoV2(original~:playableStreams)`, which lists it in several sizes; null without one.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api (read
 * 2026-11-23)
 */
export function parseLogo(body: unknown): string | null {
  const elements = listOf(record(record(record(body)?.logoV2)?.['original~'])?.elements, record)
  const logos = elements.map(({ identifiers }) => webAddress(listOf(identifiers, record)[0]?.identifier))
  return logos.find((address) => address !== null) ?? null
}

/** Milliseconds since 1970. */
const at = (value: unknown) => ((number(value) ?? 0) > 0 ? new Date(Number(value)) : null)

export const parseImageUpload = reader({
  urn: need('value.image', matching(/^urn:li:image:[\w:-]{1,240}$/)),
  url: need('value.uploadUrl', webAddress),
})

export const parseDocumentUpload = reader({
  urn: need('value.document', matching(/^urn:li:document:[\w:-]{1,240}$/)),
  url: need('value.uploadUrl', webAddress),
})

/** Both ends of its bytes are inclusive. */
const parsePartUpload = reader({
  url: need('uploadUrl', webAddress),
  firstByte: need('firstByte', number),
  lastByte: need('lastByte', number),
})

/** Where the parts of a video go, which must be the file without gaps, and until when. */
export const parseVideoUpload = (bytes: number) =>
  reader({
    urn: need('value.video', matching(/^urn:li:video:[\w:-]{1,240}$/)),
    token: may('value.uploadToken', string, ''),
    parts: need('value.uploadInstructions', (value) => {
      const parts = all(parsePartUpload)(value) ?? []
      const begins = [0, ...parts.map(({ lastByte }) => lastByte + 1)]
      const fits = parts.every(({ firstByte }, nth) => firstByte === begins[nth])
      return fits && begins.at(-1) === bytes ? parts : undefined
    }),
    expiresAt: may('value.uploadUrlsExpireAt', at),
  })

/** Name of an uploaded part: the ETag without its quotes. */
export const parsePart = (_: unknown, { headers }: HttpAnswer) => string(headers.etag?.replace(/^(W\/)?"(.*)"$/, '$2'))

/** `WAITING_UPLOAD`, `PROCESSING`, `AVAILABLE`, `PROCESSING_FAILED`; the reason of the last one in brackets. */
export const parseMediaStatus = reader({
  status: need('status', string),
  reason: may('processingFailureReason', (value) => string(value)?.replace(/^(.{1,200}).*/s, ' ($1)'), ''),
})

/** The id of a new post is in a header; the body is empty. */
export const parseCreated = (_: unknown, { headers }: HttpAnswer) => postUrn(headers['x-restli-id'])

export const parsePost = reader({
  urn: need('id', postUrn),
  commentary: may('commentary', string, ''),
  /** Urns of images, of the video or of the document. */
  media: need('content', (content) => {
    const { media, multiImage } = record(content) ?? {}
    const items = [record(media), ...listOf(record(multiImage)?.images, record)]
    return items.flatMap((item) => string(item?.id) ?? [])
  }),
  /** Urn of the picture of a card. */
  picture: may('content.article.thumbnail', string),
  /** False for drafts and for what could not be published. */
  live: need('lifecycleState', (state) => ['PUBLISHED', 'PUBLISH_REQUESTED'].includes(string(state) ?? 'PUBLISHED')),
  createdAt: may('createdAt', at),
  publishedAt: may('publishedAt', at),
  modifiedAt: may('lastModifiedAt', at),
})
export type ListedPost = Answer<typeof parsePost>

const commentId = matching(/^[\w:(),-]{1,240}$/)
/** The id of a new comment is in the body and in a header. */
export const parseNewComment = (body: unknown, { headers }: HttpAnswer) =>
  commentId(String(record(body)?.id ?? '')) ?? commentId(headers['x-restli-id'])

export const parseComment = reader({
  id: need('id', (value) => commentId(String(value))),
  text: may('message.text', string, ''),
  author: may('actor', string),
  at: may('created.time', at),
})

/**
 * When a post was made, by its id: the bits above the lowest 22 count milliseconds since 1970. It is not promised; an
 * example of the vendor shows id and time together
 * (https://learn.microsoft.com/en-us/linkedin/compliance/integrations/compliance-events/entity-monitoring, read
 * 2026-11-21: 6318971194909560123 of 1506560133675). Null for an id that cannot be of that kind.
 */
export function timeOf(urn: string): Date | null {
  const digits = /^urn:li:(?:share|ugcPost):(\d{18,19})$/.exec(urn)?.[1]
  if (digits === undefined) return null
  const made = new Date(Number(BigInt(digits) >> 22n))
  return made.getTime() > Date.UTC(2010) && made.getTime() < Date.UTC(2039) ? made : null
}

/**
 * How LinkedIn says no: its codes (`DUPLICATE_POST`), wherever they stand; every sentence and the names of the fields, at most 300
 * characters; and whether the answer is one of this API at all.
 */
export function parseError({ status, json }: HttpAnswer) {
  const body = record(json)
  const inputErrors = listOf(record(body?.errorDetails)?.inputErrors, record)
  const texts = (...values: unknown[]) => listOf(values, string)
  const codes = texts(body?.code, ...inputErrors.map((each) => each?.code))
  const words = texts(body?.message, ...inputErrors.map((each) => each?.description))
  const fields = texts(...inputErrors.map((each) => record(record(each?.input)?.inputPath)?.fieldPath))
  const message = [...words, ...fields].join(' ').replace(/\s+/g, ' ').trim().slice(0, 300)
  return { status, codes, message, readable: string(body?.message) !== undefined || codes.length > 0 }
}
export type LinkedInError = ReturnType<typeof parseError>

/** The post that a new one repeats, as far as LinkedIn names it; undefined when that is not what it says. */
export function parseDuplicate(answer: HttpAnswer): { urn: string | null } | undefined {
  const { codes, message } = parseError(answer)
  if (!codes.includes('DUPLICATE_POST') && !/content is a duplicate of/i.test(message)) return undefined
  return { urn: postUrn(/urn:li:(?:share|ugcPost):[\w-]+/.exec(message)?.[0]) ?? null }
}
