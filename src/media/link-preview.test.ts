import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FileServer, readFixture, startFileServer } from '../../test/_util/networks/file-server.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'
import { createLinkPreviews, previewLimits } from './link-preview.ts'
import { openPageProcess } from './page-process.ts'

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
const short = { ...previewLimits, pageMs: 200, idleTimeoutMs: 150 }
const read = (url: string, limits = previewLimits, signal = new AbortController().signal) =>
  createLinkPreviews(fetch, limits, readPage)(url, spec, signal)
const readPage = openPageProcess()

let pages = 0
function serve(html: string | Buffer, type = 'text/html; charset=utf-8', more: Record<string, string> = {}): string {
  return files.on(`/page-${++pages}`, (_, response) =>
    response.writeHead(200, { 'content-type': type, ...more }).end(html),
  )
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
    ['a text without a type', () => files.on('/untyped.txt', (_, response) => response.end(`Bread: ${page(null)}`))],
    [
      'a picture without a type',
      () => files.on('/untyped.svg', (_, response) => response.end('<svg><title>a</title>')),
    ],
    ['a text', () => serve(page(null), 'text/plain')],
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

describe('a page comes in any coding and charset', () => {
  const CODINGS: Record<string, (bytes: Buffer) => Buffer> = {
    identity: (bytes) => bytes,
    gzip: (bytes) => gzipSync(bytes),
    'x-gzip': (bytes) => gzipSync(bytes),
    br: (bytes) => brotliCompressSync(bytes),
    deflate: (bytes) => deflateSync(bytes),
    Deflate: (bytes) => deflateRawSync(bytes),
    'deflate, gzip': (bytes) => gzipSync(deflateSync(bytes)),
    'utf-8': (bytes) => bytes,
  }
  const bread = '<title>Brötchen</title>'
  const CHARSETS: [string, string, Buffer][] = [
    ['text/html;charset=ISO-8859-1', '', Buffer.from(bread, 'latin1')],
    ['text/html', '<meta charset=latin1>', Buffer.from(bread, 'latin1')],
    ['text/html; charset=utf-8', '<meta charset=big5>', Buffer.from(bread)],
    ['text/html', '<meta charset=utf-16>', Buffer.from(bread)],
    ['text/html', '', Buffer.from(bread)],
  ]
  test.each(Object.entries(CODINGS))('%s', async (coding, pack) => {
    for (const [type, meta, bytes] of CHARSETS) {
      const body = Buffer.concat([Buffer.from(`<html><head>${meta}`), bytes, Buffer.from('</head>')])
      const url = serve(pack(body), type, { 'content-encoding': coding })
      expect(await read(url), `${type} ${meta}`).toMatchObject({ title: 'Brötchen' })
    }
    const utf16 = Buffer.from(`\ufeff${bread}`, 'utf16le')
    expect(await read(serve(pack(utf16), 'text/html', { 'content-encoding': coding }))).toMatchObject({
      title: 'Brötchen',
    })
  })

  test('that the request asks for', async () => {
    let asked: unknown
    const url = files.on('/asked', (request, response) => {
      asked = request.headers['accept-encoding']
      response.writeHead(200, { 'content-type': 'text/html' }).end(bread)
    })
    await read(url)
    expect(asked).toBe('gzip, deflate, br')
  })
})

describe('a picture', () => {
  const jpeg = expect.any(Buffer)

  test('is relative to the page that redirects lead to', async () => {
    const bytes = await readFixture('photo.jpg')
    files.on('/blog/2027/picture.jpg', (_, response) => response.end(bytes))
    const there = files.on('/blog/2027/page', (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(page('picture.jpg')),
    )
    const again = files.on('/s/again', (_, response) => response.writeHead(301, { location: '/blog/2027/page' }).end())
    const here = files.on('/s', (_, response) => response.writeHead(302, { location: again }).end())
    expect(await read(here)).toMatchObject({ image: jpeg })
    expect(await read(there)).toMatchObject({ image: jpeg })
  })

  test('is relative to what the page says that its addresses are relative to', async () => {
    const bytes = await readFixture('photo.jpg')
    files.on('/pictures/base.jpg', (_, response) => response.end(bytes))
    expect(await read(serve(page('base.jpg', '<base href="/pictures/">')))).toMatchObject({ image: jpeg })
    files.on('/base-2.jpg', (_, response) => response.end(bytes))
    for (const base of ['http://[', '', 'javascript:1', 'data:text/html,a', 'about:blank', ' ']) {
      expect(await read(serve(page('base-2.jpg', `<base href="${base}">`))), base).toMatchObject({ image: jpeg })
    }
  })

  test.each<[string, (png: Sharp) => Promise<Buffer>]>([
    ['AVIF', (png) => png.avif({ effort: 0 }).toBuffer()],
    ['AVIF of ten bits', (png) => png.avif({ effort: 0, bitdepth: 10 }).toBuffer()],
    [
      'AVIF under the name of its family',
      async (png) => {
        const bytes = await png.avif({ effort: 0 }).toBuffer()
        bytes.write('mif1', 8, 'latin1')
        return bytes
      },
    ],
    ['WebP', (png) => png.webp().toBuffer()],
    ['GIF', (png) => png.gif().toBuffer()],
  ])('may be %s, under any type', async (_, make) => {
    const bytes = await make(sharp({ create: { width: 64, height: 48, channels: 3, background: '#c08040' } }))
    expect(await read(serve(page(serve(bytes, 'application/octet-stream'))))).toMatchObject({ image: jpeg })
    const packed = serve(gzipSync(bytes), 'image/jpeg', { 'content-encoding': 'gzip' })
    expect(await read(serve(page(packed)))).toMatchObject({ image: jpeg })
  })
})

test('of several pictures the first that can be had is shown, of three at most', async () => {
  const photo = await files.fixture('photo.jpg')
  const tags = (...urls: string[]) => urls.map((url) => `<meta property="og:image" content="${url}">`).join('')
  const missing = (name: string) => files.url(`/gone-${name}.png`)
  const svg = serve('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')
  const image = expect.any(Buffer)
  expect(await read(serve(page(photo, tags(missing('1')))))).toMatchObject({ image })
  expect(await read(serve(page(photo, tags('http://[', svg))))).toMatchObject({ image })
  expect(await read(serve(page(photo, tags(missing('1'), missing('2'), missing('3')))))).toMatchObject({ image: null })
  let asked = 0
  const other = files.on('/second.png', (_, response) => {
    asked++
    response.end()
  })
  expect(await read(serve(page(other, tags(photo))))).toMatchObject({ image })
  expect(asked).toBe(0)
})

test('a page without a type is known by how it begins', async () => {
  const untyped = (bytes: string | Buffer, type?: string) =>
    files.on(`/untyped-${++pages}`, (_, response) =>
      response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(bytes),
    )
  const whole = `<!DOCTYPE html>\n<html lang=de>${page(null)}`
  const utf16 = Buffer.from(`\ufeff${whole}`, 'utf16le')
  const title = 'Brot für heute'
  for (const bytes of [
    page(null),
    whole,
    `\ufeff \n${whole}`,
    `<!-- 1 -->${whole}`,
    `<?xml version="1.0"?>\n${whole}`,
    utf16,
  ])
    expect(await read(untyped(bytes)), String(bytes)).toMatchObject({ title })
  for (const type of ['', ';', 'unknown/unknown'])
    expect(await read(untyped(whole, type)), type).toMatchObject({ title })
})

describe('a page of a stranger', () => {
  test('may be a bomb: what it begins with is read', async () => {
    let sent = 0
    const zeros = gzipSync(Buffer.alloc(10_000_000, ' '))
    const bomb = (first: string) =>
      files.on(`/bomb-${++pages}`, (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        response.write(gzipSync(first))
        const more = () => {
          for (; sent < 1_000 && !response.destroyed; sent++) if (!response.write(zeros)) return
          response.end()
        }
        response.on('drain', more)
        more()
      })
    expect(await read(bomb(page(null)))).toMatchObject({ title: 'Brot für heute' })
    expect(await read(bomb(''))).toBeNull()
    expect(sent).toBeLessThan(1_000)
  })

  test('may take a parser all memory: then there is none, and of the next one there is', async () => {
    const reads = openPageProcess({ heapMegabytes: 128, residentBytes: 512 * 1024 * 1024, seconds: 1 })
    const previews = createLinkPreviews(fetch, previewLimits, reads)
    const { signal } = new AbortController()
    // Every paragraph begins all elements again that have no end.
    const unended = `<p>${Array.from({ length: 5_000 }, (_, at) => `<b id=${at}>`).join('')}`
    const evil = gzipSync(`<title>Evil</title>${unended}${'<p>x'.repeat(100_000)}`)
    expect(await previews(serve(evil, 'text/html', { 'content-encoding': 'gzip' }), spec, signal)).toBeNull()
    expect(await previews(serve(page(null)), spec, signal)).toMatchObject({ title: 'Brot für heute' })
  })
})

describe('of a page that does not come to its end, what came is read', () => {
  test('because it goes on for as long as it is shown', async () => {
    const url = files.on('/streams', (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).write(page(null)),
    )
    expect(await read(url, short)).toMatchObject({ title: 'Brot für heute' })
  })

  test('because it breaks off', async () => {
    const url = files.on('/breaks', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': 100_000 })
      response.write(page(null), () => response.destroy())
    })
    expect(await read(url)).toMatchObject({ title: 'Brot für heute' })
  })

  test('because it was cut off as it was packed', async () => {
    const packed = gzipSync(Buffer.from(page(null) + Array.from({ length: 5_000 }, (_, at) => at % 977).join()))
    const url = serve(packed.subarray(0, -100), 'text/html', { 'content-encoding': 'gzip' })
    expect(await read(url)).toMatchObject({ title: 'Brot für heute' })
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
