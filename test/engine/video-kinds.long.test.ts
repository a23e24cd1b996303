import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskStore, drawFrame, type MediaStore, NoDecoderError } from '#media'
import { readKind, videoKinds } from '../_util/files/video-kinds.ts'

/** A thousand videos, shuffled: each comes to what it came to alone, and no process takes more than it may. */

const RUNS = 1_000
/** Of the process that decodes; those beside it may take less. Pages that it shares with others count. */
const MOST_BYTES = 768 * 1024 * 1024
const PAGE_BYTES = 4_096

let folder: string
let store: MediaStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-kinds-'))
  store = createDiskStore({ dir: folder })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The largest process that this one has started, in bytes of memory. */
function largestChild(): number {
  const sizes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        if (parent !== process.pid) return 0
        return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES
      } catch {
        // It has ended.
        return 0
      }
    })
  return Math.max(...sizes)
}

const decoder = process.env.ALMANAC_VIDEO_DECODER
if (!decoder)
  process.stderr.write('Shuffled videos: ALMANAC_VIDEO_DECODER is not set, so they are cut and not decoded.\n')

test('a thousand, shuffled', { timeout: 3_600_000 }, async () => {
  // The same order each time: numbers of a linear congruence.
  let seed = 12_345
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed
  }
  const bytes = new Map(await Promise.all(videoKinds.map(async (kind) => [kind.file, await readKind(kind)] as const)))
  const wrong: string[] = []
  let largest = 0
  const watch = setInterval(() => {
    largest = Math.max(largest, largestChild())
  }, 50)
  for (let run = 0; run < RUNS; run++) {
    const kind = videoKinds[next() % videoKinds.length]
    if (!kind) throw new Error('There is none.')
    const stored = await store.put(Readable.from([bytes.get(kind.file) ?? Buffer.alloc(0)]))
    const made = await drawFrame(store, stored, { decoder: decoder ?? '/nowhere' }).catch((error) => {
      if (!decoder && error instanceof NoDecoderError) return 'cut' as const
      throw error
    })
    const expected = decoder ? kind.server === 'poster' : kind.cut
    if ((made !== null) !== expected) wrong.push(kind.file)
    await store.remove(stored.key)
    if (made !== null && made !== 'cut') await store.remove(made.key)
  }
  clearInterval(watch)
  expect(wrong).toEqual([])
  expect(largest).toBeGreaterThan(0)
  expect(largest).toBeLessThan(MOST_BYTES)
  // Nothing is left of what was given to them.
  expect(await Array.fromAsync(store.list({ olderThanMs: 0 }))).toEqual([])
})
