import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { fileTypeFromBuffer } from 'file-type'
import type { SimulatedAnswer } from '../../kit/faults.ts'
import { record } from '../../kit/read-json.ts'
import type { SimulatorDeps } from '../../kit/simulation.ts'
import { deletePost } from '../../kit/simulator.ts'
import { POSTGATES, THREADGATES } from '../gates.ts'
import { LIMITS } from '../manifest.ts'
import { POSTS } from '../publish.ts'
import { isTid, tidAt } from '../state.ts'
import { type Blob, cidOfRecord } from '../wire.ts'
import type { Account } from './accounts.ts'
import { base32, ok, refusal, refuse } from './answers.ts'

/** What the schemas allow; the manifest keeps to what older servers take. */
const IMAGE_BYTES = 2_000_000
/** The id of a file (CIDv1, SHA-256, plain bytes: `bafkrei…`): the same bytes have the same id. */
function cidOf(content: Uint8Array): string {
  const digest = createHash('sha256').update(content).digest()
  return `b${base32(Buffer.concat([Buffer.from([0x01, 0x55, 0x12, 0x20]), digest]))}`
}

type Json = Readonly<Record<string, unknown>>
type StoredRecord = { uri: string; cid: string; value: Json }
type Written = StoredRecord & { rkey: string }
type Reply = Readonly<Record<'root' | 'parent', { uri: string; cid: string }>>
/** `shownAs`: type of the bytes, where it is another one. */
type StoredBlob = { mimeType: string; blobId: string; shownAs?: string }
/** What records must look like: the network's own package, loaded when the first one comes. */
type Schemas = Pick<typeof import('@atproto/api'), 'lexicons' | 'jsonToLex'>

export type Records = ReturnType<typeof openRecords>

const COLLECTIONS: readonly unknown[] = [POSTS, THREADGATES, POSTGATES]

/** The files and records of accounts, files by their content; a post is in the ledger too. */
export function openRecords(deps: SimulatorDeps) {
  const { store, now, url } = deps
  const uri = ({ did }: Account, rkey: string) => `at://${did}/${POSTS}/${rkey}`
  const blobOf = ({ did }: Account, { ref }: Blob) => store.get<StoredBlob>('blobs', `${did}/${ref.$link}`)

  /** Where a record stands, in the account's own repository. */
  function placeIn(account: Account, { repo, collection, rkey }: Json): string {
    if (repo !== account.did && repo !== account.handle) refuse(400, 'InvalidRequest', 'Could not find repo')
    if (!COLLECTIONS.includes(collection)) refuse(400, 'InvalidRequest', `The sandbox holds no ${collection} records`)
    if (typeof rkey === 'string' && isTid(rkey)) return `at://${account.did}/${collection}/${rkey}`
    return refuse(
      400,
      'InvalidRequest',
      `Invalid record key for ${collection}: Invalid TID string (got "${rkey}") at $`,
    )
  }

  async function keep({ did }: Account, bytes: Buffer, mimeType: string, shownAs = mimeType): Promise<Blob> {
    const cid = cidOf(bytes)
    const blobId = await store.putBlob(bytes)
    store.put('blobs', `${did}/${cid}`, { mimeType, blobId, shownAs } satisfies StoredBlob)
    return { $type: 'blob', ref: { $link: cid }, mimeType, size: bytes.length }
  }

  /** Refuses what is no record that could stand here. */
  function validate(
    account: Account,
    { collection, value }: { collection: string; value: Json },
    { lexicons, jsonToLex }: Schemas,
    at = '$.record',
  ): void {
    const invalid = (what: string) => refuse(400, 'InvalidRequest', `Invalid ${collection} record: ${what}`)
    try {
      lexicons.assertValidRecord(collection, jsonToLex(value as Parameters<typeof jsonToLex>[0]))
    } catch (error) {
      invalid(error instanceof Error ? error.message : String(error))
    }
    if (collection !== POSTS) return
    for (const { blob, path, maxBytes } of usedBlobs(value)) {
      const { mimeType, size } = blob
      const place = `${at}.embed.${path}`
      const accept = path.endsWith('video') ? 'video/mp4' : 'image/*'
      if (!mimeType.startsWith(accept.replace('*', ''))) {
        invalid(`Expected "${accept}" (got "${mimeType}") at ${place}.mimeType`)
      }
      if (size > maxBytes) invalid(`blob too big (maximum ${maxBytes}, got ${size}) at ${place}`)
      const stored = blobOf(account, blob) ?? refuse(400, 'BlobNotFound', `Could not find blob: ${blob.ref.$link}`)
      if (stored.mimeType === mimeType) continue
      const types = `Expected: ${stored.mimeType}, Got: ${mimeType}`
      refuse(400, 'InvalidMimeType', `Referenced Mimetype does not match stored blob. ${types}`)
    }
  }

  /** Writes posts, with all that people see of them. */
  function write(account: Account, posts: readonly Written[]): void {
    store.together(() => {
      for (const { rkey, ...stored } of posts) {
        store.put('records', stored.uri, stored satisfies StoredRecord)
        // What says who may reply or quote is shown with its post.
        if (stored.value.$type !== POSTS) continue
        const post = shown(account, rkey, stored, posts)
        // One that was deleted is in the ledger still.
        if (store.posts().some(({ id }) => id === stored.uri)) store.amendPost(stored.uri, post)
        else store.addPost(post)
      }
    })
  }

  function shown(account: Account, rkey: string, { uri: id, value }: StoredRecord, beside: readonly Written[]) {
    const { createdAt, langs, facets, embed, reply } = value as Json & { embed?: { external?: unknown }; reply?: Reply }
    const details = Object.entries({
      createdAt,
      langs,
      facets,
      card: embed?.external,
      replyTo: reply && answered(reply, beside),
      ...gatesOf(id, beside),
    })
    return {
      id,
      accountId: account.connectionId,
      text: String(value.text),
      permalink: `${url}/web/profile/${account.did}/post/${rkey}`,
      createdAt: now().toISOString(),
      media: usedBlobs(value).flatMap(({ blob, alt }) => {
        const stored = blobOf(account, blob)
        if (!stored || alt === null) return []
        return [{ blobId: stored.blobId, mimeType: stored.shownAs ?? stored.mimeType, alt }]
      }),
      details: Object.fromEntries(details.filter(([, each]) => each !== undefined)),
    }
  }

  /** Who may reply and quote, where that is written with the post. */
  function gatesOf(id: string, beside: readonly Written[]): object {
    const [allow, rules] = [THREADGATES, POSTGATES].map(
      (type) => beside.find(({ value }) => value.$type === type && value.post === id)?.value,
    )
    return { threadgate: allow?.allow, postgate: rules?.embeddingRules }
  }

  /** The post that a reply is shown below: one by whose content it names it. */
  function answered({ parent: { uri: above, cid } }: Reply, beside: readonly Written[]): string {
    const found = beside.find((each) => each.uri === above) ?? store.get<StoredRecord>('records', above)
    return found?.cid === cid ? above : 'nothing'
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
    async put(account: Account, request: Json, schemas: Schemas): Promise<SimulatedAnswer> {
      const place = placeIn(account, request)
      const value = record(request.record) ?? refuse(400, 'InvalidRequest', 'Input must have the property "record"')
      validate(account, { collection: POSTS, value }, schemas)
      const old = store.get<StoredRecord>('records', place)
      if (old && !isDeepStrictEqual(old.value, value)) refuse(400, 'InvalidSwap', `Record was at ${old.cid}`)
      const written = { uri: place, cid: old?.cid ?? (await cidOfRecord(value)) }
      if (old) return ok({ ...written, validationStatus: 'valid' })
      write(account, [{ ...written, rkey: String(request.rkey), value }])
      return ok({ ...written, commit: { cid: written.cid, rev: tidAt(now()) }, validationStatus: 'valid' })
    },

    /** `com.atproto.repo.applyWrites`: all of them or none. Real servers have no words for a place that is taken. */
    async apply(account: Account, { repo, writes }: Json, schemas: Schemas): Promise<SimulatedAnswer> {
      const made: Written[] = []
      for (const [nth, given] of (Array.isArray(writes) ? writes : []).entries()) {
        const { collection, rkey, value: written } = record(given) ?? {}
        const place = placeIn(account, { repo, collection, rkey })
        const value = record(written) ?? refuse(400, 'InvalidRequest', 'Input must have the property "value"')
        validate(account, { collection: String(collection), value }, schemas, `$.writes[${nth}].record`)
        made.push({ uri: place, cid: await cidOfRecord(value), rkey: String(rkey), value })
      }
      const isTaken = made.some(({ uri: at }, nth) => {
        return store.get('records', at) !== undefined || made.findIndex((each) => each.uri === at) !== nth
      })
      if (isTaken) refuse(500, 'InternalServerError', 'Internal Server Error')
      write(account, made)
      const results = made.map(({ uri: at, cid }) => {
        return { $type: 'com.atproto.repo.applyWrites#createResult', uri: at, cid, validationStatus: 'valid' }
      })
      return ok({ commit: { cid: made[0]?.cid, rev: tidAt(now()) }, results })
    },

    async get(account: Account, query: URLSearchParams): Promise<SimulatedAnswer> {
      const place = `at://${account.did}/${query.get('collection')}/${query.get('rkey')}`
      if (place.endsWith('/app.bsky.actor.profile/self')) {
        const value = { $type: 'app.bsky.actor.profile', displayName: account.name }
        return ok({ uri: place, cid: await cidOfRecord(value), value })
      }
      const body = store.get<StoredRecord>('records', place)
      return body ? ok(body) : refusal(400, 'RecordNotFound', `Could not locate record: ${place}`)
    },

    /** `com.atproto.repo.deleteRecord`: also of one that is not there. */
    async remove(account: Account, request: Json): Promise<SimulatedAnswer> {
      const place = placeIn(account, request)
      deletePost(deps, 'records', place)
      return ok({ commit: { cid: await cidOfRecord({ place }), rev: tidAt(now()) } })
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
type UsedBlob = { blob: Blob; alt: string | null; path: string; maxBytes: number }
type Image = { image: Blob; alt: string }
type Embed = { video?: Blob; alt?: string; external?: { thumb?: Blob }; images?: Image[]; items?: Image[] }

/** Of a record of the right shape. */
function usedBlobs({ embed = {} }: Json): UsedBlob[] {
  const { video, alt = '', external, images = [], items = [] } = embed as Embed
  const used = (blob: Blob | undefined, alt: string | null, path: string, maxBytes: number) =>
    blob ? [{ blob, alt, path, maxBytes }] : []
  const listed = (name: string) => (each: Image, nth: number) =>
    used(each.image, each.alt, `${name}[${nth}].image`, IMAGE_BYTES)
  return [
    ...used(video, alt, 'video', LIMITS.videoBytes.value),
    ...used(external?.thumb, null, 'external.thumb', LIMITS.thumbBytes.value),
    ...images.flatMap(listed('images')),
    ...items.flatMap(listed('items')),
  ]
}
