import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FileServer, startFileServer } from '../../test/_util/networks/file-server.ts'
import type { DownloadOptions } from './download.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'

let files: FileServer
let fetch: GuardedFetch
beforeAll(async () => {
  files = await startFileServer()
  fetch = createGuardedFetch({ trustedHosts: [files.host] })
})
afterAll(async () => {
  await fetch?.close()
  await files?.close()
})

const text = 'Bread of today. '.repeat(20_000)
const file = Buffer.from(text)
const brotli = (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

let served = 0
function serve(
  body: Buffer | Buffer[],
  coding: string | string[] | null,
  headers: Record<string, string> = {},
): string {
  return files.on(`/file-${++served}`, (_, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (coding !== null) response.setHeader('content-encoding', coding)
    for (const piece of [body].flat()) response.write(piece)
    response.end()
  })
}

async function get(url: string, options: Partial<DownloadOptions> = {}): Promise<Buffer> {
  const limits = { signal: new AbortController().signal, maxBytes: 1e6, timeoutMs: 20_000, idleTimeoutMs: 5_000 }
  const found = await fetch.download(url, { ...limits, ...options })
  if (found.kind === 'failed') throw new Error(`${found.code}: ${found.message}`)
  return buffer(found.stream)
}

const CODED: [string, string | string[], Buffer][] = [
  ['gzip', 'gzip', gzipSync(file)],
  ['gzip in capitals', 'GZip', gzipSync(file)],
  ['its old name', 'x-gzip', gzipSync(file)],
  ['gzip of several members', 'gzip', Buffer.concat([gzipSync(file.subarray(0, 9)), gzipSync(file.subarray(9))])],
  ['gzip with something behind it', 'gzip', Buffer.concat([gzipSync(file), Buffer.alloc(20)])],
  ['br', 'br', brotli(file)],
  ['deflate', 'deflate', deflateSync(file)],
  ['deflate without its frame', 'deflate', deflateRawSync(file)],
  ['zstd', 'zstd', zstdCompressSync(file)],
  ['both', 'deflate, gzip', gzipSync(deflateSync(file))],
  ['both in two lines', ['br', 'gzip'], gzipSync(brotli(file))],
  ['one among words', 'identity, gzip, utf-8', gzipSync(file)],
]

describe('a file that comes compressed although it was not asked for', () => {
  test.each(CODED)('is unpacked: %s', async (_, coding, bytes) => {
    expect((await get(serve(bytes, coding))).equals(file)).toBe(true)
    expect((await get(serve([bytes.subarray(0, 1), bytes.subarray(1)], coding))).equals(file)).toBe(true)
  })

  test.each(CODED)('fails when it was cut off: %s', async (_, coding, bytes) => {
    for (const length of [bytes.length >> 1, 5]) {
      // What is behind the end of a file is no part of it.
      if (length > bytes.length - 25) continue
      await expect(get(serve(bytes.subarray(0, length), coding))).rejects.toMatchObject({
        name: 'MediaFailure',
        code: 'media-upload:http_error',
        message: expect.stringMatching(/damaged or was cut off|empty file/),
      })
    }
  })

  test.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, br'])('fails when it is damaged: %s', async (coding) => {
    const bytes = Buffer.concat([Buffer.from('1f8b0800', 'hex'), Buffer.alloc(500, 'xyz')])
    if (coding === 'zstd') bytes.writeUInt32LE(0xfd2fb528)
    await expect(get(serve(bytes, coding))).rejects.toMatchObject({ code: 'media-upload:http_error' })
  })

  test('is as it is when it is not what the server calls it', async () => {
    expect((await get(serve(file, 'gzip'))).equals(file)).toBe(true)
    expect((await get(serve(file, 'zstd'))).equals(file)).toBe(true)
    // Packed once, and said twice.
    expect((await get(serve(gzipSync(file), ['gzip', 'gzip']))).equals(file)).toBe(true)
  })

  test('has no size before it has come, and its progress is that of the file', async () => {
    const bytes = gzipSync(file)
    const seen: [number, number | null][] = []
    await get(serve(bytes, 'gzip', { 'content-length': String(bytes.length) }), {
      onProgress: (received, total) => seen.push([received, total]),
    })
    expect(seen.at(-1)).toEqual([file.length, null])
  })

  test('may be empty, which is said', async () => {
    await expect(get(serve(Buffer.alloc(0), 'gzip'))).rejects.toThrow('empty file')
    await expect(get(serve(gzipSync(Buffer.alloc(0)), 'gzip'))).rejects.toThrow('empty file')
  })

  test.each(['compress', 'x-compress', 'exi', 'aes128gcm', 'gzip, dcb', 'gzip,gzip,gzip,gzip'])(
    'is refused in words when it cannot be unpacked: %s',
    async (coding) => {
      await expect(get(serve(file, coding))).rejects.toThrow(/cannot be read \((compress|exi|aes128gcm|gzip, )/)
    },
  )
})

test.each([
  ...['none', 'utf-8', 'UTF-8', 'utf8', 'binary', 'chunked', 'identity', 'identity,aws-chunked', '7bit', 'image/jpeg'],
  ...['null', 'undefined', 'base64', 'plain', 'no', ',', 'identity;q=1'],
])('a word that names no coding is not looked at: %s', async (word) => {
  expect((await get(serve(file, word))).equals(file)).toBe(true)
})

describe('a bomb', () => {
  /** A gigabyte for each unit, in one member for each 10 MB. */
  const units = (count: number) => Array<Buffer>(count * 100).fill(gzipSync(Buffer.alloc(10_000_000)))

  test('of ten megabytes, which would be ten gigabytes, fails at the limit and is not held', async () => {
    let sent = 0
    const pieces = units(10)
    const url = files.on('/bomb', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const more = () => {
        while (sent < pieces.length && !response.destroyed) if (!response.write(pieces[sent++])) return
        response.end()
      }
      response.on('drain', more)
      more()
    })
    const before = process.memoryUsage.rss()
    let most = 0
    const onProgress = (received: number) => {
      most = received
    }
    await expect(get(url, { onProgress, maxBytes: 50_000_000 })).rejects.toMatchObject({
      code: 'media-upload:too_large',
    })
    expect(most).toBeLessThanOrEqual(50_000_000)
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000)
    expect(sent).toBeLessThan(pieces.length)
  })

  test.each<[string, (bytes: Buffer) => Buffer, string]>([
    ['br', brotli, 'br'],
    ['deflate', (bytes) => deflateSync(bytes), 'deflate'],
    ['zstd', (bytes) => zstdCompressSync(bytes), 'zstd'],
    ['in a bomb', (bytes) => gzipSync(gzipSync(bytes)), 'gzip, gzip'],
  ])('%s fails at the limit', async (_, pack, coding) => {
    await expect(get(serve(pack(Buffer.alloc(100_000_000)), coding))).rejects.toMatchObject({
      code: 'media-upload:too_large',
    })
  })

  test('of nothing but frames within frames fails at the limit of each', async () => {
    // Empty members: a hundred megabytes that become nothing.
    const empty = gzipSync(Buffer.alloc(0))
    const frames = Buffer.concat(Array<Buffer>(500_000).fill(empty))
    const url = serve(gzipSync(frames), 'gzip, gzip')
    await expect(get(url)).rejects.toMatchObject({ code: 'media-upload:too_large' })
  })
})

describe('the caller', () => {
  test('can give up while it is unpacked', async () => {
    const controller = new AbortController()
    const reason = new Error('stopping')
    const url = files.on('/slow', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.write(gzipSync(Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251))))
    })
    const onProgress = () => controller.abort(reason)
    await expect(get(url, { signal: controller.signal, onProgress })).rejects.toBe(reason)
  })

  test('can destroy the stream, which closes the connection at once', async () => {
    const closed = new Promise<void>((resolve) => {
      files.on('/stalls', (request, response) => {
        request.socket.on('close', resolve)
        response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(file))
      })
    })
    const limits = { signal: new AbortController().signal, maxBytes: 1e6, timeoutMs: 60_000, idleTimeoutMs: 60_000 }
    const found = await fetch.download(files.url('/stalls'), limits)
    if (found.kind === 'ok') found.stream.once('data', () => found.stream.destroy())
    await closed
  })

  test('is told at once that it is damaged, although the server goes on', async () => {
    for (const coding of ['gzip', 'br', 'deflate', 'gzip, br']) {
      const url = files.on('/damaged', (_, response) => {
        response.writeHead(200, { 'content-encoding': coding })
        response.write(Buffer.concat([Buffer.from('1f8b0800', 'hex'), Buffer.alloc(500, 'xyz')]))
      })
      await expect(get(url), coding).rejects.toMatchObject({ code: 'media-upload:http_error' })
    }
  })

  test('is told when the server falls silent', async () => {
    const url = files.on('/silent', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'br' }).write(brotli(file).subarray(0, 10))
    })
    await expect(get(url, { idleTimeoutMs: 200 })).rejects.toMatchObject({ code: 'media-upload:timeout' })
  })
})
