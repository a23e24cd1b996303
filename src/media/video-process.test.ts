import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { withEndlessKeys } from '../../test/_util/files/video-boxes.ts'
import { childrenRunning } from '../../test/_util/processes/children.ts'
import { probe } from './probe.ts'
import { probeVideo } from './probe-video.ts'
import { createDiskStore, type MediaStore } from './store.ts'
import type { FromProgram, VideoLimits, VideoRequest } from './video-program.ts'

const MIB = 1024 * 1024
const usual: VideoLimits = { heapMegabytes: 256, residentBytes: 640 * MIB, seconds: 15 }
const film = fileURLToPath(new URL('../../test/_fixtures/video-h264-aac.mp4', import.meta.url))
let dir: string
let store: MediaStore
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-video-process-'))
  store = createDiskStore({ dir })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function stored(bytes: Buffer) {
  const { key } = await store.put(Readable.from([bytes]))
  return { key, file: { bytes: bytes.length, mimeType: 'video/mp4' as const } }
}
const good = async () => stored(await readFile(film))
const hostile = async () => stored(withEndlessKeys(await readFile(film)))
const DAMAGED = {
  kind: 'failed',
  code: 'media-upload:corrupt',
  message: 'The video is damaged: its index cannot be read. Export it again and upload it.',
}

/** Processes that this one has started and that have not ended. */
const programs = () => childrenRunning('video-program')

const wait = { timeout: 10_000 }

/** A store that never gives a byte of the file itself. */
const silent = (): MediaStore => ({ ...store, open: () => new Promise(() => {}) })

it('a file of which V8 ends the process of its parser fails alone', async () => {
  const { key, file } = await hostile()
  // A quarter of the usual limit, which is as fatal and reached sooner.
  expect(await probeVideo(store, key, file, { limits: { ...usual, heapMegabytes: 64 } })).toEqual(DAMAGED)
  expect(await probe(store, (await good()).key)).toMatchObject({ kind: 'ok' })
})

it('a file that takes more memory than allowed fails, also outside of the heap of its parser', async () => {
  // One that would go on for half a minute: what it has is looked at now and then.
  const { key, file } = await hostile()
  const limits = { heapMegabytes: 4_096, residentBytes: 40 * MIB, seconds: 60 }
  expect(await probeVideo(store, key, file, { limits })).toEqual(DAMAGED)
}, 15_000)

it('a file that takes too much of a processor fails', async () => {
  const { key, file } = await hostile()
  const limits = { heapMegabytes: 4_096, residentBytes: 4_096 * MIB, seconds: 0.2 }
  expect(await probeVideo(store, key, file, { limits })).toEqual(DAMAGED)
})

it.runIf(process.platform === 'linux')('good videos are read by one process, one after the other', async () => {
  const { key, file } = await good()
  const seen = new Set<number>()
  for (let video = 0; video < 3; video++) {
    expect(await probeVideo(store, key, file)).toMatchObject({ kind: 'ok' })
    for (const pid of programs()) seen.add(pid)
  }
  expect(seen.size).toBe(1)
})

it.runIf(process.platform === 'linux')('a process that is ended from outside is no fault of the file', async () => {
  const { key, file } = await good()
  let over = false
  const done = probeVideo(silent(), key, file)
    .catch((reason: unknown) => reason)
    .finally(() => {
      over = true
    })
  // The first that is seen may be one of before, which is about to end.
  await vi.waitFor(() => {
    for (const pid of programs()) process.kill(pid, 'SIGKILL')
    expect(over).toBe(true)
  }, wait)
  expect(await done).toMatchObject({ name: 'Error', message: expect.stringContaining('SIGKILL') })
})

it.runIf(process.platform === 'linux')(
  'an aborted video ends at once with the reason, and its process with it',
  async () => {
    const { key, file } = await good()
    const stop = new AbortController()
    const done = probeVideo(silent(), key, file, { signal: stop.signal }).catch((reason: unknown) => reason)
    await vi.waitFor(() => expect(programs()).toHaveLength(1), wait)
    stop.abort(new Error('stopped'))
    expect(await done).toMatchObject({ message: 'stopped' })
    await vi.waitFor(() => expect(programs()).toEqual([]), wait)
  },
)

it('the program ends when the process that asks is gone, though its parser is busy, and heeds no signal of a terminal', async () => {
  const bytes = withEndlessKeys(await readFile(film))
  const child = fork(fileURLToPath(new URL('./video-program.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  })
  const limits = { heapMegabytes: 4_096, residentBytes: 4_096 * MIB, seconds: 60 }
  child.send({ input: { task: 'measure', bytes: bytes.length }, limits } satisfies VideoRequest)
  await answered(child, bytes, (asked) => asked.start <= bytes.indexOf('keys') && bytes.indexOf('keys') < asked.end)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal)
  const ended = once(child, 'exit')
  child.disconnect()
  expect(await ended).toEqual([null, 'SIGKILL'])
})

/** Gives a program what it asks for until it has what it loops over. */
async function answered(
  child: ChildProcess,
  bytes: Buffer,
  isLast: (asked: { start: number; end: number }) => boolean,
) {
  for (;;) {
    const [message] = (await once(child, 'message')) as [FromProgram]
    if (message.kind !== 'read') throw new Error(`The program asked for no bytes: ${message.kind}`)
    child.send({ id: message.id, bytes: bytes.subarray(message.start, message.end) })
    if (isLast(message) && message.end - message.start > 100) return
  }
}
