import type { HttpAnswer } from '../kit/http.ts'
import { number, record, string, webAddress } from '../kit/read-json.ts'

/** What is read of LinkedIn's answers. Undefined for one that lacks what is needed. */

const urnOf =
  (...kinds: string[]) =>
  (value: unknown): string | undefined => {
    const urn = string(value)
    return urn !== undefined && kinds.some((kind) => urn.startsWith(`urn:li:${kind}:`)) && /^[\w:-]{8,255}$/.test(urn)
      ? urn
      : undefined
  }
export const postUrn = urnOf('share', 'ugcPost')
export const organizationUrn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^urn:li:organization:\d{1,20}$/.test(value) ? value : undefined

/**
 * The page of a role. A showcase page may be called a brand; as an author it is an organization with the same number
 * (https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-access-control-by-role,
 * read 2026-11-21; both names have meant the same entity since January 2024).
 */
export const pageUrn = (value: unknown): string | undefined =>
  organizationUrn(string(value)?.replace(/^urn:li:organizationBrand:/, 'urn:li:organization:'))

/**
 * Address of the logo in `logoV2(original~:playableStreams)`, which lists it in several sizes; null without one.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api (read
 * 2026-11-23)
 */
export function parseLogo(body: unknown): string | null {
  const elements = record(record(record(body)?.logoV2)?.['original~'])?.elements
  for (const element of Array.isArray(elements) ? elements : []) {
    const identifiers = record(element)?.identifiers
    const [first] = Array.isArray(identifiers) ? identifiers : []
    const address = webAddress(record(first)?.identifier)
    if (address !== null) return address
  }
  return null
}

const uploadIn = (body: unknown) => record(record(body)?.value)

/** Where the bytes of an image go. */
export function parseImageUpload(body: unknown): { urn: string; url: string } | undefined {
  const value = uploadIn(body)
  const urn = urnOf('image')(value?.image)
  const url = string(value?.uploadUrl)
  return urn && url && URL.canParse(url) ? { urn, url } : undefined
}

export interface VideoPart {
  url: string
  /** Both inclusive. */
  firstByte: number
  lastByte: number
}

export interface VideoUpload {
  urn: string
  token: string
  parts: VideoPart[]
  /** From then on no bytes are taken; null when LinkedIn does not say. */
  expiresAt: Date | null
}

/** Where the parts of a video go. They must be the file without gaps. */
export function parseVideoUpload(bytes: number): (body: unknown) => VideoUpload | undefined {
  return (body) => {
    const value = uploadIn(body)
    const urn = urnOf('video')(value?.video)
    if (!urn || !Array.isArray(value?.uploadInstructions)) return undefined
    const parts: VideoPart[] = []
    for (const each of value.uploadInstructions) {
      const { uploadUrl, firstByte, lastByte } = record(each) ?? {}
      const [url, first, last] = [string(uploadUrl), number(firstByte), number(lastByte)]
      const next = parts.length === 0 ? 0 : (parts.at(-1)?.lastByte ?? 0) + 1
      if (!url || !URL.canParse(url) || first !== next || last === undefined || last < first) return undefined
      parts.push({ url, firstByte: first, lastByte: last })
    }
    if (parts.at(-1)?.lastByte !== bytes - 1) return undefined
    const token = typeof value.uploadToken === 'string' ? value.uploadToken : ''
    return { urn, token, parts, expiresAt: at(value.uploadUrlsExpireAt) }
  }
}

/** Name of an uploaded part: the ETag without its quotes. */
export function parsePart(_: unknown, { headers }: HttpAnswer): string | undefined {
  return string(headers.etag?.replace(/^(W\/)?"(.*)"$/, '$2'))
}

export interface MediaStatus {
  status: 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' | 'PROCESSING_FAILED'
  reason: string | null
}

/** A state that nobody knows counts as being worked on. */
export function parseMediaStatus(body: unknown): MediaStatus | undefined {
  const status = string(record(body)?.status)
  if (status === undefined) return undefined
  const known = (['WAITING_UPLOAD', 'AVAILABLE', 'PROCESSING_FAILED'] as const).find((each) => each === status)
  return { status: known ?? 'PROCESSING', reason: string(record(body)?.processingFailureReason)?.slice(0, 200) ?? null }
}

/** The id of a new post stands in a header; the body is empty. */
export function parseCreated(_: unknown, { status, headers }: HttpAnswer): string | undefined {
  return status === 201 ? postUrn(headers['x-restli-id']) : undefined
}

/** A post of a listing. Times are null where it has none. */
export interface ListedPost {
  urn: string
  author: string | null
  commentary: string
  /** Urns of images or of the video. */
  media: string[]
  /** False for drafts and for what could not be published. */
  live: boolean
  createdAt: Date | null
  modifiedAt: Date | null
}

export function parsePost(body: unknown): ListedPost | undefined {
  const post = record(body)
  const urn = postUrn(post?.id)
  if (!post || !urn) return undefined
  const content = record(post.content)
  const images = record(content?.multiImage)?.images
  const media = [content?.media, ...(Array.isArray(images) ? images : [])].map((each) => string(record(each)?.id))
  const created = at(post.createdAt) ?? at(post.publishedAt)
  const state = string(post.lifecycleState)
  return {
    urn,
    author: string(post.author) ?? null,
    commentary: typeof post.commentary === 'string' ? post.commentary : '',
    media: media.filter((each) => each !== undefined),
    live: state === undefined || state === 'PUBLISHED' || state === 'PUBLISH_REQUESTED',
    createdAt: created,
    modifiedAt: at(post.lastModifiedAt) ?? created,
  }
}

/** Entries of a listing. One that cannot be read makes the whole useless as proof. */
export function parsePosts(body: unknown): ListedPost[] | undefined {
  const elements = record(body)?.elements
  if (!Array.isArray(elements)) return undefined
  const posts = elements.map(parsePost)
  return posts.every((post) => post !== undefined) ? (posts as ListedPost[]) : undefined
}

/** Milliseconds since 1970. */
function at(value: unknown): Date | null {
  const ms = number(value)
  return ms === undefined || ms <= 0 ? null : new Date(ms)
}

/**
 * When a post was made, by its id: the bits above the lowest 22 count milliseconds since 1970. Nobody promises it; an
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

/** How LinkedIn says no. */
export interface LinkedInError {
  status: number
  /** Whether the answer is one of this API at all. */
  readable: boolean
  /** `DUPLICATE_POST`, of wherever it stands in the answer. */
  codes: readonly string[]
  /** Every sentence of the answer, at most 300 characters. */
  message: string
}

export function parseError({ status, json }: HttpAnswer): LinkedInError {
  const body = record(json)
  const details = record(body?.errorDetails)?.inputErrors
  const inputErrors = Array.isArray(details) ? details.map((each) => record(each)) : []
  const codes = [body?.code, ...inputErrors.map((each) => each?.code)].map(string)
  const words = [body?.message, ...inputErrors.map((each) => each?.description)].map(string)
  const fields = inputErrors.map((each) => string(record(record(each?.input)?.inputPath)?.fieldPath))
  const texts = [...words, ...fields].filter((each) => each !== undefined)
  return {
    status,
    readable: words[0] !== undefined || codes.some((code) => code !== undefined),
    codes: codes.filter((code) => code !== undefined),
    message: texts.join(' ').replace(/\s+/g, ' ').trim().slice(0, 300),
  }
}

/** The post that a new one repeats, as far as LinkedIn names it; undefined when that is not what it says. */
export function parseDuplicate(answer: HttpAnswer): { urn: string | null } | undefined {
  const { codes, message } = parseError(answer)
  if (!codes.includes('DUPLICATE_POST') && !/content is a duplicate of/i.test(message)) return undefined
  return { urn: postUrn(/urn:li:(?:share|ugcPost):[\w-]+/.exec(message)?.[0]) ?? null }
}
