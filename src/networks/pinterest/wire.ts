import { apiClient, type Caller, type Page } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { type Answer, id, may, need, reader, record, string, time, webAddress } from '../kit/read-json.ts'

export const call = apiClient({ base: ({ endpoint }) => `${endpoint('api')}/v5` })

/** `{"code":2,"message":"Authentication failed."}` */
export type PinterestError = ReturnType<typeof parseError>

export function parseError({ status, headers, json }: HttpAnswer) {
  const body = record(json)
  /** Null when the body is none of the network's errors. */
  const code = typeof body?.code === 'number' && Number.isInteger(body.code) ? body.code : null
  return { status, code, message: (string(body?.message) ?? '').slice(0, 2_000), headers }
}

/** An account as it shows itself. */
const readAccount = reader({
  id: need('id', id),
  username: need('username', string),
  name: may('business_name', string),
  avatarUrl: may('profile_image', webAddress),
})
export function parseAccount(body: unknown) {
  const account = readAccount(body)
  return account && { ...account, name: account.name ?? account.username }
}

/** A page of a listing, the first one without a bookmark. Entries that cannot be read are left out; then it is partial. */
export const readPage = <T>(
  caller: Caller,
  listing: { path: string; size: number; parse: (item: unknown) => T | undefined },
  bookmark: string | null = null,
) =>
  call(caller, {
    method: 'GET',
    path: listing.path,
    query: { page_size: String(listing.size), ...(bookmark === null ? {} : { bookmark }) },
    timeoutMs: 20_000,
    parse(body): Page<T> | undefined {
      const page = record(body)
      if (!page || !Array.isArray(page.items)) return undefined
      const entries = page.items.map(listing.parse).filter((item) => item !== undefined)
      const partial = entries.length < page.items.length
      return { entries, next: string(page.bookmark) ?? null, ...(partial ? { partial } : {}) }
    },
  })

const readBoard = reader({
  id: need('id', id),
  name: may('name', string),
  privacy: may('privacy', string),
  /** Takes pins of advertisements alone. */
  adsOnly: may('is_ads_only', (value) => value === true, false),
})
export function parseBoard(body: unknown) {
  const board = readBoard(body)
  // Seen by its owner alone, and those who share it.
  const hidden = board?.privacy === 'SECRET' || board?.privacy === 'PROTECTED'
  return board && { ...board, name: board.name ?? board.id, hidden }
}

/** A pin of a board. Its time comes with and without a zone (`2022-10-13T01:40:29`); without one it is UTC. */
export const parsePin = reader({
  id: need('id', id),
  title: may('title', string, ''),
  description: may('description', string, ''),
  link: may('link', string, ''),
  /** Null when the network does not say. */
  altText: may('alt_text', (value) => (typeof value === 'string' ? value : null)),
  at: may('created_at', time),
})
export type Pin = Answer<typeof parsePin>

/** Where a video is to be sent, and the fields that have to go with it. They let anyone send it: never kept. */
export const parseUpload = reader({
  mediaId: need('media_id', id),
  url: need('upload_url', webAddress),
  fields: need('upload_parameters', (value) => {
    const fields = Object.entries(record(value) ?? {})
    return record(value) && fields.filter((field): field is [string, string] => typeof field[1] === 'string')
  }),
})

const STATUSES = ['registered', 'processing', 'succeeded', 'failed'] as const
/** `{"media_id":"12345","media_type":"video","status":"succeeded"}` */
export const parseMedia = reader({ status: need('status', (value) => STATUSES.find((each) => each === value)) })
