import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { SCOPES } from '#contract'
import { createDatabase } from '../database/database.ts'
import { readFixture } from '../networks/file-server.ts'
import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  type Settings,
  startAlmanac,
  withAnyRate,
} from '../processes/app.ts'
import { freePort } from '../processes/ports.ts'
import type { Body } from './api.ts'
import { type TusClient, tusClient } from './tus-client.ts'

const PIECE = 65_536

/** A video of so many bytes: what is behind its end is a box that players skip, of bytes that differ from piece to piece. */
export async function videoOf(bytes: number) {
  const video = await readFixture('video-h264-aac.mp4')
  const head = Buffer.alloc(video.length + 8)
  head.set(video)
  head.writeUInt32BE(bytes - video.length, video.length)
  head.write('free', video.length + 4, 'latin1')
  return function* from(offset: number): Generator<Buffer> {
    for (let at = offset; at < bytes; ) {
      const start = at - (at % PIECE)
      const piece = Buffer.alloc(Math.min(PIECE, bytes - start), createHash('sha256').update(String(start)).digest())
      if (start < head.length) piece.set(head.subarray(start, start + piece.length))
      yield piece.subarray(at - start)
      at = start + piece.length
    }
  }
}

/** The most memory that a process has had, in bytes. Linux alone reports it. */
export function peakOf({ process: { pid } }: RunningAlmanac): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** Writes pieces until the connection is gone or all is sent. Resolves with whether all was. */
async function pour(
  client: TusClient,
  path: string,
  offset: number,
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  bytes: number,
) {
  const { request, answer } = client.open(path, offset, { 'content-length': String(bytes - offset) })
  const ended = answer.then(
    ({ status }) => status === 204,
    () => false,
  )
  let gone = false
  void ended.then(() => {
    gone = true
  })
  for await (const piece of pieces) {
    if (gone) break
    if (request.write(piece)) continue
    await Promise.race([new Promise((resolve) => request.once('drain', resolve)), ended])
  }
  request.end()
  return ended
}

/** Pieces up to some place, where it waits; then some more, which no record has seen; and then what is to happen. */
async function* interrupted(
  pieces: Iterable<Buffer>,
  { bytes, recorded, happen }: { bytes: number; recorded: () => Promise<void>; happen: () => Promise<void> },
): AsyncGenerator<Buffer> {
  let given = 0
  let waited = false
  for (const piece of pieces) {
    if (given > bytes + UNRECORDED) return happen()
    if (given > bytes && !waited) await recorded()
    waited = given > bytes
    given += piece.length
    yield piece
  }
}
const UNRECORDED = 1_000_000

/**
 * Uploads a file of so many bytes through two processes without sticky sessions, each of which is killed in the middle. The
 * bytes that come back must be the same, none that was confirmed may be asked for again, and no process may hold the file in memory.
 */
export async function uploadThroughKills(bytes: number): Promise<{ peakBytes: number }> {
  await using closing = new AsyncDisposableStack()
  const dataDir = await makeDataDir()
  closing.defer(() => dataDir.remove())
  const database = await createDatabase()
  closing.defer(() => database.drop())
  const settings: Settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_WORKER_PORT: await freePort(),
    ...(await withAnyRate(dataDir.path)),
  }
  const running = new Set<RunningAlmanac>()
  closing.defer(async () => void (await Promise.all([...running].map((each) => each.stop()))))
  const start = async (process: 'api' | 'worker') => {
    const almanac = await startAlmanac({ process, settings: { ...settings, ALMANAC_PORT: await freePort() } })
    running.add(almanac)
    return almanac
  }
  const first = await start('api')
  const second = await start('api')
  const { accountId, socialSetId } = await almanacJson<{ accountId: string; socialSetId: string }>(
    ['accounts', 'create', '--name', 'Brand', '--plan', 'SCALE'],
    { settings },
  )
  const scopes = SCOPES.join(',')
  const { key } = await almanacJson<{ key: string }>(
    ['keys', 'create', '--account', accountId, '--name', 'Key', '--scopes', scopes],
    { settings },
  )
  const clientOf = ({ url }: RunningAlmanac) => tusClient(url, { authorization: `Bearer ${key}` })
  const read = async ({ url }: RunningAlmanac, path: string) =>
    (await (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()) as Body
  const offsetAt = async (api: RunningAlmanac, path: string) =>
    Number((await clientOf(api).offset(path)).headers['upload-offset'])

  const file = await videoOf(bytes)
  const { path, id } = await clientOf(first).begun({ socialSetId, name: 'Long video' }, bytes)
  let peakBytes = 0
  const note = (...those: RunningAlmanac[]) => {
    peakBytes = Math.max(peakBytes, ...those.map(peakOf))
  }
  let offset = 0
  let apis = [first, second] as const
  for (const share of [0.3, 0.7]) {
    const [sending, watching] = apis
    let confirmed = 0
    const pieces = interrupted(file(offset), {
      bytes: share * bytes - offset,
      // What the record says is on the disk: the other process reads it, and does not disturb who sends.
      recorded: () =>
        vi.waitFor(
          async () => {
            confirmed = (await read(watching, `/v1/media-upload/${id}`)).bytesReceived
            expect(confirmed).toBeGreaterThan(share * bytes - UNRECORDED)
          },
          { timeout: 300_000, interval: 20 },
        ),
      async happen() {
        note(sending, watching)
        sending.signal('SIGKILL')
        await sending.ended
        running.delete(sending)
      },
    })
    expect(await pour(clientOf(sending), path, offset, pieces, bytes)).toBe(false)
    offset = await offsetAt(watching, path)
    expect(offset).toBeGreaterThanOrEqual(confirmed)
    expect(offset).toBeLessThan(bytes)
    apis = [watching, await start('api')]
  }
  expect(await pour(clientOf(apis[0]), path, offset, file(offset), bytes)).toBe(true)
  note(...apis)
  const worker = await start('worker')
  const { mediaLibraryId } = await vi.waitFor(
    async () => {
      const upload = await read(apis[1], `/v1/media-upload/${id}`)
      expect(upload).toMatchObject({ status: 'READY', bytesReceived: bytes, bytesTotal: bytes })
      return upload
    },
    { timeout: 300_000, interval: 100 },
  )
  note(worker)
  const item = await read(apis[1], `/v1/media-library/${mediaLibraryId}`)
  expect(item).toMatchObject({ type: 'VIDEO', bytes, source: { type: 'UPLOAD' } })
  const { pathname, search } = new URL(item.url)
  const served = await fetch(`${apis[1].url}${pathname}${search}`)
  const [wanted, found] = [createHash('sha256'), createHash('sha256')]
  for (const piece of file(0)) wanted.update(piece)
  for await (const piece of served.body ?? []) found.update(piece)
  expect(found.digest('hex')).toBe(wanted.digest('hex'))
  note(...apis)
  return { peakBytes }
}
