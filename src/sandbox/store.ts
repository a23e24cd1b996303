import { join } from 'node:path'
import type { LedgerPost, SimulatorStore } from '#networks'
import { type Blobs, blobsIn, blobsInMemory } from './blobs.ts'
import { type BlobRoom, type Bounds, SandboxFullError } from './bounds.ts'
import { type JournalOptions, journalInMemory, openJournal } from './journal.ts'

/** One change of what a simulator remembers, as a line of its journal. Those that are made together are one line, as a list. */
type Change =
  | { put: [collection: string, id: string, value: unknown] }
  | { remove: [collection: string, id: string] }
  | { post: LedgerPost }
  | { amend: [id: string, change: Partial<LedgerPost>] }

export interface OpenStore extends SimulatorStore, Blobs {
  /** Learns what other processes have written since. */
  catchUp(): void
  close(): void
}

export interface StoreOptions extends Pick<JournalOptions, 'repair'> {
  bounds: Bounds
  /** Shared by all networks. */
  room: BlobRoom
}

/**
 * What a simulator remembers, in `journal.jsonl` and `blobs/` of a folder. Reads come from memory, which holds what a
 * reader of the file would find; every change is in the file before it returns. Without a folder nothing outlives the
 * process. Every write throws `SandboxFullError` once the bounds are reached; of the files the oldest give way.
 *
 * @throws DamagedJournalError
 */
export function openStore(folder: string | null, { repair, bounds, room }: StoreOptions): OpenStore {
  const memory = createMemory()
  const replay = (line: unknown) => {
    for (const each of Array.isArray(line) ? line : [line]) memory.apply(each as Change)
  }
  const options = { repair, maxBytes: bounds.journalBytes }
  const journal =
    folder === null ? journalInMemory(replay, options) : openJournal(join(folder, 'journal.jsonl'), replay, options)
  /** What is to be written in one line; null outside of `together`. */
  let gathered: Change[] | null = null
  const change = (line: Change) => void (gathered ? gathered.push(line) : journal.append(JSON.stringify(line)))
  return {
    ...memory.reads,
    ...(folder === null ? blobsInMemory(room) : blobsIn(join(folder, 'blobs'), room, { clean: repair })),
    put: (collection, id, value) => change({ put: [collection, id, value] }),
    remove: (collection, id) => change({ remove: [collection, id] }),
    addPost(post) {
      const count = memory.reads.posts().length
      if (count >= bounds.posts) throw new SandboxFullError(`${count} posts, all that it may have`, folder)
      change({ post })
    },
    amendPost: (id, amendment) => change({ amend: [id, amendment] }),
    together(write) {
      if (gathered) return write()
      const changes: Change[] = []
      gathered = changes
      try {
        write()
      } finally {
        gathered = null
      }
      if (changes.length > 0) journal.append(JSON.stringify(changes))
    },
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
