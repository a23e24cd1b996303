import { fileTypeFromBuffer } from 'file-type'
import type { SimulatorStore } from '../../kit/simulation.ts'
import type { Blob } from '../wire.ts'
import { cidOf } from './cid.ts'

export interface StoredBlob {
  did: string
  mimeType: string
  size: number
  blobId: string
}

export type Blobs = ReturnType<typeof openBlobs>

/** Files that accounts have uploaded, by their content. */
export function openBlobs(store: SimulatorStore) {
  return {
    /** About what Bluesky's own servers take. */
    maxBytes: 50_000_000,

    async add(did: string, bytes: Buffer, claimed: string | undefined): Promise<Blob> {
      const cid = cidOf(bytes, 'raw')
      // The bytes decide; the header counts for what nobody can tell by its bytes.
      const mimeType = (await fileTypeFromBuffer(bytes))?.mime ?? claimed ?? 'application/octet-stream'
      const stored: StoredBlob = { did, mimeType, size: bytes.length, blobId: await store.putBlob(bytes) }
      store.put('blobs', `${did}/${cid}`, stored)
      return { $type: 'blob', ref: { $link: cid }, mimeType, size: bytes.length }
    },

    find(did: string, cid: string): StoredBlob | null {
      return store.get<StoredBlob>('blobs', `${did}/${cid}`) ?? null
    },
  }
}
