import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FileServer, readFixture, startFileServer } from '../../test/_util/file-server.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'
import { createLinkPreviews, previewLimits } from './link-preview.ts'

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

const spec = { format: 'jpeg', maxBytes: 20_000, maxWidth: 300 } as const
const short = { ...previewLimits, timeoutMs: 400, pageMs: 200, idleTimeoutMs: 150 }
const read = (url: string, limits = previewLimits, signal = new AbortController().signal) =>
  createLinkPreviews(fetch, limits)(url, spec, signal)

let pages = 0
function serve(html: string | Buffer, type = 'text/html; charset=utf-8'): string {
  return files.on(`/page-${++pages}`, (_, response) => response.writeHead(200, { 'content-type': type }).end(html))
}
const page = (image: string | null, more = '') =>
  `<head>${more}<meta property="og:title" content="Brot für heute"><meta property="og:description" content="Frisch">${image === null ? '' : `<meta property="og:image" content="${image}">`}</head>`

describe('a page and its picture', () => {
  test('give title, description and a JPEG of the form that was asked for', async () => {
    const image = await files.fixture('photo.jpg')
    const preview = await read(serve(page(image)))
    expect(preview).toMatchObject({ title: 'Brot für heute', description: 'Frisch' })
    expect(preview?.image?.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    expect(preview?.image?.length).toBeLessThanOrEqual(spec.maxBytes)
    expect(preview?.image?.includes('Exif')).toBe(false)
    expect((await readFixture('photo.jpg')).includes('Exif')).toBe(true)
  })

  test('may stand behind redirects, in another charset, and the picture beside the page', async () => {
    await files.fixture('transparent.png')
    const latin = Buffer.from(
      page(new URL(files.url('/transparent.png')).pathname, '<meta charset="iso-8859-1">'),
      'latin1',
    )
    const there = serve(latin, 'text/html')
    const here = files.on('/moved', (_, response) => response.writeHead(302, { location: there }).end())
    const preview = await read(here)
    expect(preview).toMatchObject({ title: 'Brot für heute', image: expect.any(Buffer) })
  })

  test('leave nothing behind', async () => {
    await read(serve(page(await files.fixture('photo.jpg'))))
    await read(serve(page(serve('no picture', 'image/png'))))
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('almanac-preview-'))).toEqual([])
  })
})

describe('a picture that cannot be had is left out', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['one that is not there', () => files.url('/missing.png')],
    ['one that is none', () => serve('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')],
    ['one that is cut off', async () => serve((await readFixture('photo.jpg')).subarray(0, 3_000), 'image/jpeg')],
    ['a video', () => files.fixture('video-short.mp4')],
    ['one of the inner network', () => 'http://127.0.0.1:9/a.png'],
    ['one that cannot be an address', () => 'http://['],
    ['a file of this machine', () => 'file:///etc/passwd'],
    ['one that is too large', () => serve(Buffer.alloc(previewLimits.imageBytes + 1), 'image/png')],
  ])('%s', async (_, image) => {
    expect(await read(serve(page(await image())))).toEqual({
      title: 'Brot für heute',
      description: 'Frisch',
      image: null,
    })
  })

  test('one that does not come in time', async () => {
    const image = files.on('/silent.png', (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).flushHeaders(),
    )
    expect(await read(serve(page(image)), short)).toMatchObject({ title: 'Brot für heute', image: null })
  })
})

describe('there is no preview of', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['a page that is not there', () => files.url('/nowhere')],
    ['a file', () => files.fixture('photo.jpg')],
    ['a page without a type', () => files.on('/untyped', (_, response) => response.end(page(null)))],
    ['a page without a title', () => serve('<head><meta property="og:description" content="a"></head>')],
    ['a page of the inner network', () => 'http://127.0.0.1:9/'],
    ['an address that is none', () => 'https://'],
    ['a host that does not exist', () => 'https://nothing.invalid/'],
  ])('%s', async (_, url) => {
    expect(await read(await url())).toBeNull()
  })

  test('a page that does not come in time', async () => {
    const url = files.on('/silent', (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders(),
    )
    expect(await read(url, short)).toBeNull()
  })
})

test('a page that does not end is not read to its end', async () => {
  let sent = 0
  const url = files.on('/endless', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.write(page(null))
    const more = Buffer.alloc(65_536, 'a')
    const write = () => {
      while (!response.destroyed && response.write(more)) sent += more.length
    }
    response.on('drain', write)
    write()
  })
  expect(await read(url)).toEqual({ title: 'Brot für heute', description: 'Frisch', image: null })
  expect(sent).toBeLessThan(20_000_000)
})

test('long words are cut', async () => {
  const long = `<head><title>${'🥖'.repeat(400)}</title><meta name="description" content="${'a'.repeat(2_000)}"></head>`
  const preview = await read(serve(long))
  expect([...(preview?.title ?? '')]).toHaveLength(300)
  expect(preview?.description).toHaveLength(1_000)
})

test('a step that is stopped stops it', async () => {
  const stopped = new AbortController()
  const url = files.on('/never', () => stopped.abort(new Error('The step is over.')))
  await expect(read(url, previewLimits, stopped.signal)).rejects.toThrow('The step is over.')
})
