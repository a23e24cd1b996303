import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { fileTypeFromBuffer } from 'file-type'
import type { SimulatedAnswer } from '../../kit/faults.ts'
import { record } from '../../kit/read-json.ts'
import type { SimulatorDeps } from '../../kit/simulation.ts'
import { deletePost } from '../../kit/simulator.ts'
import { LIMITS } from '../manifest.ts'
import { POSTS } from '../publish.ts'
import { isTid, tidAt } from '../state.ts'
import type { Blob } from '../wire.ts'
import type { Account } from './accounts.ts'
import { base32, ok, refusal, refuse } from './answers.ts'

/** What the schemas allow; the manifest keeps to what older servers take. */
const IMAGE_BYTES = 2_000_000
/** Codecs of content ids: plain bytes (`bafkrei…`) and records (`bafyrei…`). */
const CODECS = { raw: 0x55, record: 0x71 } as const

/** The id of content (CIDv1, SHA-256): the same bytes have the same id. */
function cidOf(content: Uint8Array | string, codec: keyof typeof CODECS): string {
  const digest = createHash('sha256').update(content).digest()
  return `b${base32(Buffer.concat([Buffer.from([0x01, CODECS[codec], 0x12, 0x20]), digest]))}`
}

type Json = Readonly<Record<string, unknown>>
type StoredRecord = { uri: string; cid: string; value: Json }
/** `shownAs`: type of the bytes, where it is another one. */
type StoredBlob = { mimeType: string; blobId: string; shownAs?: string }
/** What records must look like: the network's own package, loaded when the first one comes. */
type Schemas = Pick<typeof import('@atproto/api'), 'lexicons' | 'jsonToLex'>

export type Records = ReturnType<typeof openRecords>

/** The files and records of accounts, files by their content; a post is in the ledger too. */
export function openRecords(deps: SimulatorDeps) {
  const { store, now, url } = deps
  const uri = ({ did }: Account, rkey: string) => `at://${did}/${POSTS}/${rkey}`
  const blobOf = ({ did }: Account, { ref }: Blob) => store.get<StoredBlob>('blobs', `${did}/${ref.$link}`)

  /** Where a post stands, in the account's own repository. */
  function placeIn(account: Account, { repo, collection, rkey }: Json): string {
    if (repo !== account.did && repo !== account.handle) refuse(400, 'InvalidRequest', 'Could not find repo')
    if (collection !== POSTS) refuse(400, 'InvalidRequest', `The sandbox holds ${POSTS} records only`)
    if (typeof rkey === 'string' && isTid(rkey)) return uri(account, rkey)
    return refuse(400, 'InvalidRequest', `Invalid record key for ${POSTS}: Invalid TID string (got "${rkey}") at $`)
  }

  async function keep({ did }: Account, bytes: Buffer, mimeType: string, shownAs = mimeType): Promise<Blob> {
    const cid = cidOf(bytes, 'raw')
    const blobId = await store.putBlob(bytes)
    store.put('blobs', `${did}/${cid}`, { mimeType, blobId, shownAs } satisfies StoredBlob)
    return { $type: 'blob', ref: { $link: cid }, mimeType, size: bytes.length }
  }

  /** Refuses what is no post that could stand here. */
  function validate(account: Account, value: Json, { lexicons, jsonToLex }: Schemas): void {
    const invalid = (what: string) => refuse(400, 'InvalidRequest', `Invalid ${POSTS} record: ${what}`)
    try {
      lexicons.assertValidRecord(POSTS, jsonToLex(value as Parameters<typeof jsonToLex>[0]))
    } catch (error) {
      invalid(error instanceof Error ? error.message : String(error))
    }
    for (const { blob, at, maxBytes } of usedBlobs(value)) {
      const { mimeType, size } = blob
      const accept = at.endsWith('.video') ? 'video/mp4' : 'image/*'
      if (!mimeType.startsWith(accept.replace('*', ''))) {
        invalid(`Expected "${accept}" (got "${mimeType}") at ${at}.mimeType`)
      }
      if (size > maxBytes) invalid(`blob too big (maximum ${maxBytes}, got ${size}) at ${at}`)
      const stored = blobOf(account, blob) ?? refuse(400, 'BlobNotFound', `Could not find blob: ${blob.ref.$link}`)
      if (stored.mimeType === mimeType) continue
      const types = `Expected: ${stored.mimeType}, Got: ${mimeType}`
      refuse(400, 'InvalidMimeType', `Referenced Mimetype does not match stored blob. ${types}`)
    }
  }

  return {
    uri,

    /** The bytes decide; the header counts for what cannot be recognized by its bytes. */
    async addFile(account: Account, bytes: Buffer, claimed = 'application/octet-stream'): Promise<Blob> {
      return keep(account, bytes, (await fileTypeFromBuffer(bytes))?.mime ?? claimed)
    },

    /** What the video service has made an MP4 of. Nothing is encoded here: pages show the file as it came. */
    addVideo: (account: Account, bytes: Buffer, type: string) => keep(account, bytes, 'video/mp4', type),

    /** Puts a post into its place, where nothing else may stand: `swapRecord` is always taken for null. */
    put(account: Account, request: Json, schemas: Schemas): SimulatedAnswer {
      const place = placeIn(account, request)
      const value = record(request.record) ?? refuse(400, 'InvalidRequest', 'Input must have the property "record"')
      validate(account, value, schemas)
      const old = store.get<StoredRecord>('records', place)
      if (old && !isDeepStrictEqual(old.value, value)) refuse(400, 'InvalidSwap', `Record was at ${old.cid}`)
      const written = { uri: place, cid: old?.cid ?? cidOf(JSON.stringify(value), 'record') }
      if (old) return ok({ ...written, validationStatus: 'valid' })
      const { createdAt, langs, facets, embed } = value as Json & { embed?: { external?: unknown } }
      const details = Object.entries({ createdAt, langs, facets, card: embed?.external })
      const post = {
        id: place,
        accountId: account.connectionId,
        text: String(value.text),
        permalink: `${url}/web/profile/${account.did}/post/${request.rkey}`,
        createdAt: now().toISOString(),
        media: usedBlobs(value).flatMap(({ blob, alt }) => {
          const stored = blobOf(account, blob)
          if (!stored || alt === null) return []
          return [{ blobId: stored.blobId, mimeType: stored.shownAs ?? stored.mimeType, alt }]
        }),
        details: Object.fromEntries(details.filter(([, each]) => each !== undefined)),
      }
      store.together(() => {
        store.put('records', place, { ...written, value } satisfies StoredRecord)
        // One that was deleted is in the ledger still.
        if (store.posts().some(({ id }) => id === place)) store.amendPost(place, post)
        else store.addPost(post)
      })
      return ok({ ...written, commit: { cid: written.cid, rev: tidAt(now()) }, validationStatus: 'valid' })
    },

    get(account: Account, query: URLSearchParams): SimulatedAnswer {
      const place = `at://${account.did}/${query.get('collection')}/${query.get('rkey')}`
      if (place.endsWith('/app.bsky.actor.profile/self')) {
        const value = { $type: 'app.bsky.actor.profile', displayName: account.name }
        return ok({ uri: place, cid: cidOf(JSON.stringify(value), 'record'), value })
      }
      const body = store.get<StoredRecord>('records', place)
      return body ? ok(body) : refusal(400, 'RecordNotFound', `Could not locate record: ${place}`)
    },

    /** `com.atproto.repo.deleteRecord`: also of one that is not there. */
    remove(account: Account, request: Json): SimulatedAnswer {
      const place = placeIn(account, request)
      deletePost(deps, 'records', place)
      return ok({ commit: { cid: cidOf(place, 'record'), rev: tidAt(now()) } })
    },

    /** Newest first, as many as are asked for. */
    list(account: Account, query: URLSearchParams): SimulatedAnswer {
      const own = store.list<StoredRecord>('records').filter((each) => each.uri.startsWith(uri(account, '')))
      const records = own.sort((a, b) => (a.uri < b.uri ? 1 : -1)).slice(0, Number(query.get('limit')) || 50)
      return ok({ records })
    },
  }
}

/** A file that a post shows. `alt` is null for one that is no medium of the post: the picture of a card. */
type UsedBlob = { blob: Blob; alt: string | null; at: string; maxBytes: number }
type Image = { image: Blob; alt: string }
type Embed = { video?: Blob; alt?: string; external?: { thumb?: Blob }; images?: Image[]; items?: Image[] }

/** Of a record of the right shape. */
function usedBlobs({ embed = {} }: Json): UsedBlob[] {
  const { video, alt = '', external, images = [], items = [] } = embed as Embed
  const used = (blob: Blob | undefined, alt: string | null, path: string, maxBytes: number) =>
    blob ? [{ blob, alt, at: `$.record.embed.${path}`, maxBytes }] : []
  const listed = (name: string) => (each: Image, nth: number) =>
    used(each.image, each.alt, `${name}[${nth}].image`, IMAGE_BYTES)
  return [
    ...used(video, alt, 'video', LIMITS.videoBytes.value),
    ...used(external?.thumb, null, 'external.thumb', LIMITS.thumbBytes.value),
    ...images.flatMap(listed('images')),
    ...items.flatMap(listed('items')),
  ]
}
