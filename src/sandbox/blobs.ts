import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenBlob, SimulatorStore } from '#networks'
import type { BlobRoom } from './bounds.ts'

/** Files of a network by the SHA-256 of their bytes. */
export interface Blobs extends Pick<SimulatorStore, 'putBlob' | 'getBlob' | 'openBlob'> {
  /**
   * Keeps a file as it arrives, with no more of it in memory than a piece.
   *
   * @throws what the stream throws; nothing is kept then
   */
  keepStream(pieces: AsyncIterable<Uint8Array>): Promise<{ blobId: string; bytes: number }>
}

const isBlobId = (id: string) => /^[0-9a-f]{64}$/.test(id)

/**
 * The files of a folder, which is for this user alone. Drafts, which begin with a dot, are left by a process that was
 * killed.
 *
 * @param options.clean true for the one process that serves
 */
export function blobsIn(folder: string, room: BlobRoom, options: { clean: boolean }): Blobs {
  const count = (blobId: string, bytes: number, keptSince?: number) => {
    const path = join(folder, blobId)
    return room.add({ name: path, bytes, drop: () => rmSync(path, { force: true }) }, keptSince)
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (options.clean) {
    chmodSync(folder, 0o700)
    for (const draft of readdirSync(folder).filter((name) => name.startsWith('.'))) rmSync(join(folder, draft))
    for (const name of readdirSync(folder).filter(isBlobId)) {
      const { bytes, at } = factsOf(join(folder, name))
      count(name, bytes, at)
    }
  }

  const draftPath = () => join(folder, `.${randomUUID()}`)
  async function settle(draft: string, blobId: string, bytes: number): Promise<void> {
    await rename(draft, join(folder, blobId))
    count(blobId, bytes)
  }
  return {
    async putBlob(bytes) {
      const blobId = createHash('sha256').update(bytes).digest('hex')
      const draft = draftPath()
      try {
        await writeFile(draft, bytes, { mode: 0o600 })
        await settle(draft, blobId, bytes.length)
      } finally {
        await rm(draft, { force: true })
      }
      return blobId
    },
    async keepStream(pieces) {
      const hash = createHash('sha256')
      const draft = draftPath()
      let bytes = 0
      try {
        await using file = await open(draft, 'wx', 0o600)
        for await (const piece of pieces) {
          hash.update(piece)
          bytes += piece.length
          await writeWhole(file, piece)
        }
        const blobId = hash.digest('hex')
        await settle(draft, blobId, bytes)
        return { blobId, bytes }
      } finally {
        await rm(draft, { force: true })
      }
    },
    getBlob: async (id) => (isBlobId(id) ? unlessGone(readFile(join(folder, id))) : undefined),
    async openBlob(id) {
      if (!isBlobId(id)) return undefined
      const path = join(folder, id)
      const found = await unlessGone(stat(path))
      return found && { bytes: found.size, read: (start, end) => readPart(path, start, end) }
    },
  }
}

function factsOf(path: string): { bytes: number; at: number } {
  const { size, mtimeMs } = statSync(path)
  return { bytes: size, at: mtimeMs }
}

async function writeWhole(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let written = 0; written < piece.length; ) {
    written += (await file.write(piece, written)).bytesWritten
  }
}

async function readPart(path: string, start: number, end: number): Promise<Buffer> {
  await using file = await open(path, 'r')
  const bytes = Buffer.alloc(Math.max(0, end - start))
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** Files that end with the process. */
export function blobsInMemory(room: BlobRoom): Blobs {
  const blobs = new Map<string, Buffer>()
  const owner = randomUUID()
  async function putBlob(bytes: Uint8Array): Promise<string> {
    const blobId = createHash('sha256').update(bytes).digest('hex')
    blobs.set(blobId, Buffer.from(bytes))
    room.add({ name: owner + blobId, bytes: bytes.length, drop: () => void blobs.delete(blobId) })
    return blobId
  }
  return {
    putBlob,
    async keepStream(pieces) {
      const bytes = Buffer.concat(await Array.fromAsync(pieces))
      return { blobId: await putBlob(bytes), bytes: bytes.length }
    },
    getBlob: async (id) => blobs.get(id),
    async openBlob(id): Promise<OpenBlob | undefined> {
      const bytes = blobs.get(id)
      return bytes && { bytes: bytes.length, read: async (start, end) => bytes.subarray(start, end) }
    },
  }
}
