/** What the simulators keep at most. */
export interface Bounds {
  /** Posts in the ledger of a network. */
  posts: number
  /** Bytes of the journal of a network. */
  journalBytes: number
  /** Bytes of the files of all networks together. */
  blobBytes: number
}

const MIB = 1024 * 1024

/** A file that a network takes by address may be as large as half of `blobBytes` (Threads: 1 GB). */
export const BOUNDS: Bounds = { posts: 20_000, journalBytes: 64 * MIB, blobBytes: 2_048 * MIB }

/** A simulator takes nothing more. The message is a sentence for the operator. */
export class SandboxFullError extends Error {
  override name = 'SandboxFullError'

  /** @param folder where the network's memory is; null when it ends with the process */
  constructor(what: string, folder: string | null) {
    super(
      `The simulator is full: it has ${what}. ${folder === null ? 'Start again' : `Stop Almanac, move ${folder} away and start again`} to begin with an empty one.`,
    )
  }
}

/** Keeps count of the files of all networks. */
export interface BlobRoom {
  /**
   * Counts a file. Those that were added longest ago are dropped until all fit.
   *
   * @param keptSince when a file of before was added, in milliseconds; it waits for `begin` and drops nothing yet
   */
  add(file: { name: string; bytes: number; drop(): void }, keptSince?: number): void
  /** Counts the files of before, of all networks, by their age. */
  begin(): void
}

export function createBlobRoom(maxBytes: number): BlobRoom {
  const files = new Map<string, Parameters<BlobRoom['add']>[0]>()
  const before: { file: Parameters<BlobRoom['add']>[0]; keptSince: number }[] = []
  let total = 0
  const room: BlobRoom = {
    add(file, keptSince) {
      if (keptSince !== undefined) return void before.push({ file, keptSince })
      const same = files.get(file.name)
      if (same) {
        files.delete(file.name)
        total -= same.bytes
      }
      files.set(file.name, file)
      total += file.bytes
      for (const oldest of files.values()) {
        if (total <= maxBytes || oldest === file) break
        files.delete(oldest.name)
        total -= oldest.bytes
        oldest.drop()
      }
    },
    begin() {
      for (const { file } of before.splice(0).sort((a, b) => a.keptSince - b.keptSince)) room.add(file)
    },
  }
  return room
}
