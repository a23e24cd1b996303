import { isDeepStrictEqual } from 'node:util'
import type { jsonToLex, lexicons } from '@atproto/api'
import type { SimulatedAnswer } from '../../kit/faults.ts'
import type { LedgerPost, SimulatorDeps } from '../../kit/simulation.ts'
import { deletePost } from '../../kit/simulator.ts'
import { graphemes, utf8Bytes } from '../../kit/text.ts'
import { isTid, tidAt } from '../tid.ts'
import type { Blob } from '../wire.ts'
import type { Account } from './accounts.ts'
import { refusal } from './answers.ts'
import type { Blobs } from './blobs.ts'
import { cidOf } from './cid.ts'

const POSTS = 'app.bsky.feed.post'
const MAX_GRAPHEMES = 300
const MAX_TEXT_BYTES = 3_000
const MAX_IMAGES = 4
/** Largest files that the records' schemas allow. */
const MAX_IMAGE_BYTES = 2_000_000
const MAX_VIDEO_BYTES = 300_000_000
const MAX_THUMB_BYTES = 1_000_000
const MAX_GALLERY = 20

export interface PutRequest {
  repo?: unknown
  collection?: unknown
  rkey?: unknown
  swapRecord?: unknown
  record?: Record<string, unknown>
}

interface StoredRecord {
  uri: string
  cid: string
  value: Record<string, unknown>
}

interface UsedBlob {
  blob: Blob
  /** Null for a file that is no medium of the post: the picture of a card. */
  alt: string | null
  at: string
  accept: string
  maxBytes: number
}

/** What records must look like: the network's own package, loaded when the first one comes. */
export interface Schemas {
  lexicons: typeof lexicons
  jsonToLex: typeof jsonToLex
}

/** The records of accounts; a post is in the ledger too. */
export function openRecords(deps: SimulatorDeps, blobs: Blobs) {
  const { store } = deps
  const uri = (account: Account, rkey: string) => `at://${account.did}/${POSTS}/${rkey}`

  /** Puts a post into its place, by the rules of the server: swapRecord null means that nothing else may stand there. */
  function put(account: Account, request: PutRequest, schemas: Schemas): SimulatedAnswer {
    const { repo, collection, rkey, record, swapRecord } = request
    if (repo !== account.did && repo !== account.handle) return refusal(400, 'InvalidRequest', 'Could not find repo')
    if (collection !== POSTS) return refusal(400, 'InvalidRequest', `The sandbox holds ${POSTS} records only`)
    if (typeof rkey !== 'string' || !isTid(rkey))
      return refusal(400, 'InvalidRequest', `Invalid record key for ${POSTS}: Invalid TID string (got "${rkey}") at $`)
    if (typeof record !== 'object' || record === null)
      return refusal(400, 'InvalidRequest', 'Input must have the property "record"')
    const wrong = validate(account, record, schemas)
    if (wrong) return wrong

    const place = uri(account, rkey)
    const old = store.get<StoredRecord>('records', place)
    const cid = cidOf(JSON.stringify(record), 'record')
    const same = old !== undefined && isDeepStrictEqual(old.value, record)
    if (swapRecord === null && old && !same) return refusal(400, 'InvalidSwap', `Record was at ${old.cid}`)
    if (typeof swapRecord === 'string' && old?.cid !== swapRecord) {
      return refusal(400, 'InvalidSwap', `Record was at ${old?.cid ?? 'null'}`)
    }
    if (!same) store.put('records', place, { uri: place, cid, value: record } satisfies StoredRecord)
    const post = ledgerPost(account, place, rkey, record)
    if (!store.posts().some(({ id }) => id === place)) store.addPost(post)
    else if (!same) store.amendPost(place, { text: post.text, media: post.media ?? [], details: post.details ?? {} })
    const { cid: written } = store.get<StoredRecord>('records', place) ?? { cid }
    const commit = same ? {} : { commit: { cid: written, rev: tidAt(deps.now()) } }
    return { status: 200, body: { uri: place, cid: written, ...commit, validationStatus: 'valid' } }
  }

  function ledgerPost(account: Account, id: string, rkey: string, record: Record<string, unknown>): LedgerPost {
    const embed = record.embed as { $type?: string; external?: unknown } | undefined
    return {
      id,
      accountId: account.connectionId,
      text: String(record.text),
      permalink: `${deps.url}/web/profile/${account.did}/post/${rkey}`,
      createdAt: deps.now().toISOString(),
      media: usedBlobs(record).flatMap(({ blob, alt }) => {
        const stored = blobs.find(account.did, blob.ref.$link)
        if (!stored || alt === null) return []
        return [{ blobId: stored.blobId, mimeType: stored.shownAs ?? stored.mimeType, alt }]
      }),
      details: {
        createdAt: record.createdAt,
        ...(record.langs ? { langs: record.langs } : {}),
        ...(record.facets ? { facets: record.facets } : {}),
        ...(embed?.$type === 'app.bsky.embed.external' ? { card: embed.external } : {}),
      },
    }
  }

  /** The answer that refuses a record; null when it is a good one. */
  function validate(account: Account, record: Record<string, unknown>, schemas: Schemas): SimulatedAnswer | null {
    const invalid = (what: string) => refusal(400, 'InvalidRequest', `Invalid ${POSTS} record: ${what}`)
    const { text } = record
    if (typeof text === 'string') {
      const [count, bytes] = [graphemes(text), utf8Bytes(text)]
      if (bytes > MAX_TEXT_BYTES)
        return invalid(`string too big (maximum ${MAX_TEXT_BYTES}, got ${bytes}) at $.record.text`)
      if (count > MAX_GRAPHEMES)
        return invalid(`grapheme too big (maximum ${MAX_GRAPHEMES}, got ${count}) at $.record.text`)
    }
    const embed = record.embed as { images?: unknown; items?: unknown } | undefined
    for (const [name, most] of [['images', MAX_IMAGES] as const, ['items', MAX_GALLERY] as const]) {
      const list = embed?.[name]
      if (Array.isArray(list) && list.length > most) {
        return invalid(`array too big (maximum ${most}, got ${list.length}) at $.record.embed.${name}`)
      }
    }
    try {
      schemas.lexicons.assertValidRecord(POSTS, schemas.jsonToLex(record as Parameters<typeof jsonToLex>[0]))
    } catch (error) {
      return invalid(error instanceof Error ? error.message : String(error))
    }
    const used = usedBlobs(record)
    for (const { blob, at, accept, maxBytes } of used) {
      if (!blob.mimeType.startsWith(accept.replace('*', ''))) {
        return invalid(`Expected "${accept}" (got "${blob.mimeType}") at ${at}.mimeType`)
      }
      if (blob.size > maxBytes) return invalid(`blob too big (maximum ${maxBytes}, got ${blob.size}) at ${at}`)
    }
    for (const { blob } of used) {
      const stored = blobs.find(account.did, blob.ref.$link)
      if (!stored) return refusal(400, 'BlobNotFound', `Could not find blob: ${blob.ref.$link}`)
      if (stored.mimeType !== blob.mimeType) {
        const message = `Referenced Mimetype does not match stored blob. Expected: ${stored.mimeType}, Got: ${blob.mimeType}`
        return refusal(400, 'InvalidMimeType', message)
      }
    }
    return null
  }

  return {
    uri,
    put,

    get(account: Account | null, query: URLSearchParams): SimulatedAnswer {
      if (!account) return refusal(400, 'InvalidRequest', `Could not find repo: ${query.get('repo')}`)
      const place = `at://${account.did}/${query.get('collection')}/${query.get('rkey')}`
      if (place === `at://${account.did}/app.bsky.actor.profile/self`) {
        const value = { $type: 'app.bsky.actor.profile', displayName: account.name }
        return { status: 200, body: { uri: place, cid: cidOf(JSON.stringify(value), 'record'), value } }
      }
      const record = store.get<StoredRecord>('records', place)
      return record
        ? { status: 200, body: record }
        : refusal(400, 'RecordNotFound', `Could not locate record: ${place}`)
    },

    /** `com.atproto.repo.deleteRecord`: also of one that is not there. */
    remove(account: Account, { repo, collection, rkey }: PutRequest): SimulatedAnswer {
      if (repo !== account.did && repo !== account.handle) return refusal(400, 'InvalidRequest', 'Could not find repo')
      if (collection !== POSTS || typeof rkey !== 'string') return refusal(400, 'InvalidRequest', 'Invalid record key')
      deletePost(deps, 'records', uri(account, rkey))
      return { status: 200, body: { commit: { cid: cidOf(rkey, 'record'), rev: tidAt(deps.now()) } } }
    },

    /** Newest first. */
    list(account: Account | null, query: URLSearchParams): SimulatedAnswer {
      if (!account) return refusal(400, 'InvalidRequest', `Could not find repo: ${query.get('repo')}`)
      const limit = Math.min(Math.max(Number(query.get('limit') ?? 50) || 50, 1), 100)
      const before = query.get('cursor')
      const own = store
        .list<StoredRecord>('records')
        .filter((record) => record.uri.startsWith(`at://${account.did}/${query.get('collection')}/`))
        .sort((a, b) => (a.uri < b.uri ? 1 : -1))
      const rkey = (record: StoredRecord) => record.uri.split('/').at(-1) ?? ''
      const page = own.filter((record) => before === null || rkey(record) < before).slice(0, limit)
      const last = page.at(-1)
      return { status: 200, body: { records: page, ...(last && page.length === limit ? { cursor: rkey(last) } : {}) } }
    },
  }
}

interface Shown {
  image: Blob
  alt: string
}

/** The files that a post shows. Called for records of the right shape, and for others only to be refused after. */
function usedBlobs(record: Record<string, unknown>): UsedBlob[] {
  const embed = record.embed as
    | { $type?: string; video?: Blob; alt?: string; images?: Shown[]; items?: Shown[]; external?: { thumb?: Blob } }
    | undefined
  if (embed?.$type === 'app.bsky.embed.video' && embed.video) {
    const rest = { at: '$.record.embed.video', accept: 'video/mp4', maxBytes: MAX_VIDEO_BYTES }
    return [{ blob: embed.video, alt: embed.alt ?? '', ...rest }]
  }
  if (embed?.$type === 'app.bsky.embed.external' && embed.external?.thumb) {
    const at = '$.record.embed.external.thumb'
    return [{ blob: embed.external.thumb, alt: null, at, accept: 'image/*', maxBytes: MAX_THUMB_BYTES }]
  }
  const list = { 'app.bsky.embed.images': 'images', 'app.bsky.embed.gallery': 'items' } as const
  const name = list[embed?.$type as keyof typeof list]
  return ((name && embed?.[name]) ?? []).map(({ image, alt }, index) => {
    const at = `$.record.embed.${name}[${index}].image`
    return { blob: image, alt, at, accept: 'image/*', maxBytes: MAX_IMAGE_BYTES }
  })
}
