import { fileTypeFromBuffer } from 'file-type'
import type { SimulatorStore } from '../../kit/simulation.ts'
import type { Blob } from '../wire.ts'
import { cidOf } from './cid.ts'

export interface StoredBlob {
  did: string
  mimeType: string
  size: number
  blobId: string
  /** Type of the bytes, where it is another one. */
  shownAs?: string
}

export type Blobs = ReturnType<typeof openBlobs>

/** Files that accounts have uploaded, by their content. */
export function openBlobs(store: SimulatorStore) {
  return {
    /** About what Bluesky's own servers take. */
    maxBytes: 50_000_000,

    async add(did: string, bytes: Buffer, claimed: string | undefined): Promise<Blob> {
      // The bytes decide; the header counts for what cannot be recognized by its bytes.
      const mimeType = (await fileTypeFromBuffer(bytes))?.mime ?? claimed ?? 'application/octet-stream'
      return keep(did, bytes, mimeType, mimeType)
    },

    /** What the video service has made an MP4 of. Nothing is encoded here: pages show the file as it came. */
    addVideo: (did: string, bytes: Buffer, shownAs: string) => keep(did, bytes, 'video/mp4', shownAs),

    find(did: string, cid: string): StoredBlob | null {
      return store.get<StoredBlob>('blobs', `${did}/${cid}`) ?? null
    },
  }

  async function keep(did: string, bytes: Buffer, mimeType: string, shownAs: string): Promise<Blob> {
    const cid = cidOf(bytes, 'raw')
    const stored: StoredBlob = { did, mimeType, size: bytes.length, blobId: await store.putBlob(bytes), shownAs }
    store.put('blobs', `${did}/${cid}`, stored)
    return { $type: 'blob', ref: { $link: cid }, mimeType, size: bytes.length }
  }
}
