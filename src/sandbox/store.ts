import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LedgerPost, SimulatorStore } from '#networks'
import { type Journal, type JournalOptions, openJournal } from './journal.ts'

/** One change of what a simulator remembers, as a line of its journal. */
type Change =
  | { put: [collection: string, id: string, value: unknown] }
  | { remove: [collection: string, id: string] }
  | { post: LedgerPost }
  | { amend: [id: string, change: Partial<LedgerPost>] }

export interface OpenStore extends SimulatorStore {
  /** Learns what other processes have written since. */
  catchUp(): void
  close(): void
}

/**
 * What a simulator remembers, in `journal.jsonl` and `blobs/` of a folder. Reads come from memory, which holds what a
 * reader of the file would find; every change is in the file before it returns. Without a folder nothing outlives the
 * process.
 *
 * @throws DamagedJournalError
 */
export function openStore(folder: string | null, options: JournalOptions): OpenStore {
  const memory = createMemory()
  const replay = (line: unknown) => memory.apply(line as Change)
  const journal = folder === null ? forgetful(replay) : openJournal(join(folder, 'journal.jsonl'), replay, options)
  const change = (line: Change) => journal.append(JSON.stringify(line))
  return {
    ...memory.reads,
    ...(folder === null ? blobsInMemory() : blobsIn(join(folder, 'blobs'))),
    put: (collection, id, value) => change({ put: [collection, id, value] }),
    remove: (collection, id) => change({ remove: [collection, id] }),
    addPost: (post) => change({ post }),
    amendPost: (id, amendment) => change({ amend: [id, amendment] }),
    catchUp: journal.catchUp,
    close: journal.close,
  }
}

function createMemory() {
  const collections = new Map<string, Map<string, unknown>>()
  const posts: LedgerPost[] = []
  const positions = new Map<string, number>()

  function apply(change: Change): void {
    if ('put' in change) {
      const [name, id, value] = change.put
      const collection = collections.get(name) ?? new Map<string, unknown>()
      collections.set(name, collection.set(id, value))
    } else if ('remove' in change) {
      const [name, id] = change.remove
      collections.get(name)?.delete(id)
    } else if ('post' in change) {
      positions.set(change.post.id, posts.length)
      posts.push(change.post)
    } else {
      const [id, amendment] = change.amend
      const position = positions.get(id)
      const post = position === undefined ? undefined : posts[position]
      if (position !== undefined && post) posts[position] = { ...post, ...amendment }
    }
  }

  const reads = {
    get: <T>(name: string, id: string) => collections.get(name)?.get(id) as T | undefined,
    list: <T>(name: string) => [...(collections.get(name)?.values() ?? [])] as T[],
    posts: (): readonly LedgerPost[] => posts,
  }
  return { apply, reads }
}

type Blobs = Pick<SimulatorStore, 'putBlob' | 'getBlob'>

const nameOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function blobsIn(folder: string): Blobs {
  return {
    async putBlob(bytes) {
      const id = nameOf(bytes)
      await mkdir(folder, { recursive: true })
      const draft = join(folder, `.${randomUUID()}`)
      try {
        await writeFile(draft, bytes)
        await rename(draft, join(folder, id))
      } finally {
        await rm(draft, { force: true })
      }
      return id
    },
    async getBlob(id) {
      if (!/^[0-9a-f]{64}$/.test(id)) return undefined
      return readFile(join(folder, id)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
    },
  }
}

function forgetful(replay: (line: unknown) => void): Journal {
  return { append: (line) => replay(JSON.parse(line)), catchUp() {}, close() {} }
}

function blobsInMemory(): Blobs {
  const blobs = new Map<string, Buffer>()
  return {
    async putBlob(bytes) {
      const id = nameOf(bytes)
      blobs.set(id, Buffer.from(bytes))
      return id
    },
    getBlob: async (id) => blobs.get(id),
  }
}
