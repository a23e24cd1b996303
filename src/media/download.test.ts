import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkImportUrl, type DownloadOptions } from './download.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

type Answer = (outgoing: ServerResponse, incoming: IncomingMessage) => void

/** What the server does by path; each test adds its own. */
const answers = new Map<string, Answer>()
const guarded = createGuardedFetch({ trustedHosts: ['127.0.0.1'] })
const closers: (() => Promise<unknown>)[] = [() => guarded.close()]
let base = ''

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that writes these bytes and closes the connection, for any request. */
async function listenRaw(bytes: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(bytes, 'latin1'))
  })
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  return listen(server)
}

function get(url: string, options: Partial<DownloadOptions> = {}) {
  const defaults = { signal: new AbortController().signal, maxBytes: 1e6, timeoutMs: 5000, idleTimeoutMs: 5000 }
  return guarded.download(url, { ...defaults, ...options })
}

async function getStream(url: string, options: Partial<DownloadOptions> = {}) {
  const answer = await get(url, options)
  if (answer.kind !== 'ok') throw new Error(`${answer.code}: ${answer.message}`)
  return answer.stream
}

beforeAll(async () => {
  const server = createHttpServer((incoming, outgoing) => {
    const answer = answers.get(incoming.url ?? '')
    if (answer) answer(outgoing, incoming)
    else outgoing.writeHead(404).end()
  })
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  base = await listen(server)
})
afterEach(() => answers.clear())
afterAll(async () => {
  for (const close of closers) await close()
})

describe('a file that arrives', () => {
  it('is handed on with its announced type and size, and progress is reported', async () => {
    answers.set('/photo', (outgoing, incoming) => {
      expect(incoming.headers['accept-encoding']).toBe('identity')
      outgoing.writeHead(200, { 'content-type': 'Image/PNG; charset=x', 'content-length': 5 }).end('hello')
    })
    const progress: [number, number | null][] = []
    const answer = await get(`${base}/photo`, { onProgress: (...seen) => progress.push(seen) })
    expect(answer).toMatchObject({ kind: 'ok', mimeType: 'image/png', total: 5 })
    if (answer.kind === 'ok') expect((await buffer(answer.stream)).toString()).toBe('hello')
    expect(progress.at(-1)).toEqual([5, 5])
  })

  it('need not announce anything', async () => {
    answers.set('/plain', (outgoing) => {
      outgoing.write('he')
      outgoing.end('llo')
    })
    const answer = await get(`${base}/plain`)
    expect(answer).toMatchObject({ kind: 'ok', mimeType: null, total: null })
    if (answer.kind === 'ok') expect((await buffer(answer.stream)).toString()).toBe('hello')
  })

  it('may be exactly as large as allowed', async () => {
    answers.set('/exact', (outgoing) => outgoing.end('12345'))
    expect((await buffer(await getStream(`${base}/exact`, { maxBytes: 5 }))).length).toBe(5)
  })

  it.each<[number, Record<string, string>]>([
    [203, {}],
    [206, { 'content-range': 'bytes 0-4/5' }],
    [206, { 'content-range': 'bytes 0-4/5', 'content-length': '5' }],
  ])('may come with status %i: %j', async (status, headers) => {
    answers.set('/other', (outgoing) => outgoing.writeHead(status, headers).end('hello'))
    expect((await buffer(await getStream(`${base}/other`))).toString()).toBe('hello')
  })

  it('is known by its charset, its name and where it was', async () => {
    answers.set('/moved', (outgoing) => outgoing.writeHead(302, { location: '/there/page?x=1#y' }).end())
    answers.set('/there/page?x=1', (outgoing) =>
      outgoing
        .writeHead(200, {
          'content-type': 'text/html;Charset="Big5"',
          'content-disposition': 'inline; filename=a.html',
        })
        .end('hello'),
    )
    const answer = await get(`${base}/moved`)
    const facts = { mimeType: 'text/html', charset: 'big5', name: 'a.html', url: `${base}/there/page?x=1#y` }
    expect(answer).toMatchObject({ kind: 'ok', ...facts })
    if (answer.kind === 'ok') answer.stream.destroy()
  })

  it('is asked for by name', async () => {
    let agent: unknown
    answers.set('/named', (outgoing, incoming) => {
      agent = incoming.headers['user-agent']
      outgoing.end('hello')
    })
    await buffer(await getStream(`${base}/named`))
    expect(agent).toBe('Almanac/0.1')
    const reachable = createGuardedFetch({
      trustedHosts: ['127.0.0.1'],
      userAgent: 'Almanac/0.1 (+https://example.com)',
    })
    closers.push(() => reachable.close())
    const limits = { signal: new AbortController().signal, maxBytes: 1e6, timeoutMs: 5000, idleTimeoutMs: 5000 }
    const answer = await reachable.download(`${base}/named`, limits)
    if (answer.kind === 'ok') await buffer(answer.stream)
    expect(agent).toBe('Almanac/0.1 (+https://example.com)')
  })

  it('is found where raw bytes of an address lead', async () => {
    const url = await listenRaw(`HTTP/1.1 302 Found\r\nLocation: ${base}/br\xc3\xb6t chen\r\nContent-Length: 0\r\n\r\n`)
    answers.set('/br%C3%B6t%20chen', (outgoing) => outgoing.end('hello'))
    expect((await buffer(await getStream(url))).toString()).toBe('hello')
  })

  it('is found behind five redirects, relative ones included, and not behind six', async () => {
    for (let hop = 0; hop < 6; hop++) {
      answers.set(`/hop${hop}`, (outgoing) => {
        const location = hop % 2 ? `hop${hop + 1}` : `${base}/hop${hop + 1}`
        outgoing.writeHead([301, 302, 303, 307, 308, 302][hop] ?? 302, { location }).end('moved')
      })
    }
    answers.set('/hop6', (outgoing) => outgoing.end('here'))
    expect((await buffer(await getStream(`${base}/hop1`))).toString()).toBe('here')
    expect(await get(`${base}/hop0`)).toMatchObject({ kind: 'failed', code: 'media-upload:too_many_redirects' })
  })
})

describe('a file that does not come', () => {
  it.each([
    [404, 'Check the address'],
    [403, 'public'],
    [503, 'later'],
    [201, 'file itself'],
    [202, 'file itself'],
    [204, 'file itself'],
    [206, 'file itself'],
  ])('because of status %i names it and says what to do', async (status, advice) => {
    answers.set('/status', (outgoing) => outgoing.writeHead(status).end())
    const answer = await get(`${base}/status`)
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:http_error' })
    expect(answer.kind === 'failed' && answer.message).toContain(String(status))
    expect(answer.kind === 'failed' && answer.message).toContain(advice)
  })

  it.each([{}, { location: 'http://' }])('because a redirect leads nowhere: %j', async (headers) => {
    answers.set('/nowhere', (outgoing) => outgoing.writeHead(302, headers).end())
    expect(await get(`${base}/nowhere`)).toMatchObject({ kind: 'failed', code: 'media-upload:http_error' })
  })

  it.each(['bytes 0-3/5', 'bytes 1-4/5', 'bytes 0-4/*', 'bytes */5'])('because it is a part: %s', async (range) => {
    answers.set('/part', (outgoing) => outgoing.writeHead(206, { 'content-range': range }).end('hello'))
    expect(await get(`${base}/part`)).toMatchObject({ kind: 'failed', code: 'media-upload:http_error' })
  })

  it('because nothing is listening', async () => {
    const server = createServer()
    const gone = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await get(gone)).toMatchObject({ kind: 'failed', code: 'media-upload:http_error' })
  })

  it('because the other side does not speak TLS', async () => {
    const answer = await get(base.replace('http:', 'https:'))
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:http_error' })
  })

  it('because the server says what is no HTTP', async () => {
    expect(await get(await listenRaw('220 ftp ready\r\n'))).toMatchObject({ code: 'media-upload:http_error' })
  })

  it('because the server never answers', async () => {
    answers.set('/silent', () => {})
    expect(await get(`${base}/silent`, { idleTimeoutMs: 50 })).toMatchObject({ code: 'media-upload:timeout' })
    expect(await get(`${base}/silent`, { timeoutMs: 50 })).toMatchObject({ code: 'media-upload:timeout' })
  })

  it('because it is announced too large, and the body is not asked for', async () => {
    answers.set('/large', (outgoing) => outgoing.writeHead(200, { 'content-length': 2_500_000 }).write('x'))
    const answer = await get(`${base}/large`)
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:too_large' })
    expect(answer.kind === 'failed' && answer.message).toContain('2.5 MB; the limit is 1 MB')
  })
})

describe('a file that breaks off', () => {
  it('because it turns out too large', async () => {
    answers.set('/endless', (outgoing) => {
      const more = () => {
        while (outgoing.write(Buffer.alloc(10_000)));
      }
      outgoing.on('drain', more)
      more()
    })
    let received = 0
    const stream = await getStream(`${base}/endless`, { onProgress: (bytes) => (received = bytes) })
    await expect(buffer(stream)).rejects.toMatchObject({ name: 'MediaFailure', code: 'media-upload:too_large' })
    expect(received).toBeLessThanOrEqual(1e6)
  })

  it('because it is shorter than announced', async () => {
    const url = await listenRaw('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello')
    await expect(buffer(await getStream(url))).rejects.toMatchObject({ code: 'media-upload:http_error' })
  })

  it('because its last chunk is missing', async () => {
    const url = await listenRaw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')
    await expect(buffer(await getStream(url))).rejects.toMatchObject({ code: 'media-upload:http_error' })
  })

  it('because a range that was announced whole is not', async () => {
    answers.set('/less', (outgoing) => {
      outgoing.writeHead(206, { 'content-range': 'bytes 0-9/10' }).write('hel')
      outgoing.end('lo')
    })
    await expect(buffer(await getStream(`${base}/less`))).rejects.toMatchObject({
      message: expect.stringContaining('5 bytes of 10'),
    })
  })

  it('because it is empty', async () => {
    answers.set('/empty', (outgoing) => outgoing.end())
    await expect(buffer(await getStream(`${base}/empty`))).rejects.toMatchObject({ code: 'media-upload:http_error' })
  })

  it('because the server falls silent', async () => {
    answers.set('/stalls', (outgoing) => outgoing.write('hello'))
    const stream = await getStream(`${base}/stalls`, { idleTimeoutMs: 300 })
    await expect(buffer(stream)).rejects.toMatchObject({ name: 'MediaFailure', code: 'media-upload:timeout' })
  })

  it('because it drips on longer than the whole may take', async () => {
    answers.set('/drips', (outgoing) => {
      const drip = setInterval(() => outgoing.write('.'), 10)
      outgoing.on('close', () => clearInterval(drip))
    })
    const stream = await getStream(`${base}/drips`, { timeoutMs: 500, idleTimeoutMs: 5000 })
    await expect(buffer(stream)).rejects.toMatchObject({ code: 'media-upload:timeout' })
  })

  it('never gives more bytes than were announced', async () => {
    const url = await listenRaw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more')
    expect((await buffer(await getStream(url))).toString()).toBe('hello')
  })
})

describe('a slow reader', () => {
  it('is not a silent server, and holds the server back', async () => {
    let sent = 0
    answers.set('/much', (outgoing) => {
      const more = () => {
        for (let room = true; room && sent < 64e6; sent += 64_000) room = outgoing.write(Buffer.alloc(64_000))
        if (sent >= 64e6) outgoing.end()
      }
      outgoing.on('drain', more)
      more()
    })
    answers.set('/silent', () => {})
    const stream = await getStream(`${base}/much`, { maxBytes: 1e8, idleTimeoutMs: 400 })
    // This takes as long as the server of the first may be silent.
    expect(await get(`${base}/silent`, { idleTimeoutMs: 500 })).toMatchObject({ code: 'media-upload:timeout' })
    expect(sent).toBeLessThan(32e6)
    let bytes = 0
    for await (const piece of stream) bytes += (piece as Buffer).length
    expect(bytes).toBe(sent)
  })
})

describe('the caller', () => {
  it('who gave up already gets the reason, as from any aborted call', async () => {
    const reason = new Error('stopping')
    await expect(get(`${base}/silent`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('can give up while the server thinks', async () => {
    const controller = new AbortController()
    const reason = new Error('stopping')
    answers.set('/silent', () => controller.abort(reason))
    await expect(get(`${base}/silent`, { signal: controller.signal })).rejects.toBe(reason)
  })

  it('can give up while the file arrives', async () => {
    const controller = new AbortController()
    const reason = new Error('stopping')
    answers.set('/stalls', (outgoing) => outgoing.write('hello'))
    const stream = await getStream(`${base}/stalls`, {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    })
    await expect(buffer(stream)).rejects.toBe(reason)
  })

  it('can destroy the stream, which closes the connection at once', async () => {
    const closed = new Promise<void>((resolve) => {
      answers.set('/stalls', (outgoing, incoming) => {
        incoming.socket.on('close', resolve)
        outgoing.write('hello')
      })
    })
    const stream = await getStream(`${base}/stalls`)
    stream.once('data', () => stream.destroy())
    await closed
  })
})

describe('checkImportUrl', () => {
  it.each(['http://example.com', 'https://example.com:8443/a%20b?c=d#e', 'HTTP://münchen.example/ü.jpg'])(
    'takes %s',
    (url) => {
      expect(checkImportUrl(url)).toBeNull()
    },
  )

  it.each([
    ['', 'cannot be read'],
    ['example.com/photo.jpg', 'cannot be read'],
    ['http://', 'cannot be read'],
    ['http://a b/', 'cannot be read'],
    ['http://1.2.3.4.5/', 'cannot be read'],
    ['http://host:99999/', 'cannot be read'],
    ['ftp://example.com/a', 'ftp:'],
    ['file:///etc/passwd', 'file:'],
    ['data:image/png;base64,AA', 'data:'],
    ['javascript:alert(1)', 'javascript:'],
    ['https://user:secret@example.com/', 'user name or password'],
    ['https://user@example.com/', 'user name or password'],
  ])('refuses %j in words', (url, words) => {
    expect(checkImportUrl(url)).toContain(words)
    expect(checkImportUrl(url)).not.toContain('secret')
  })

  it('takes no file for a picture: calendars are imported as well', () => {
    expect(checkImportUrl('example.com')).toBe('The URL cannot be read. Give a full address that begins with https://.')
  })

  it('is asked before anything is sent', async () => {
    expect(await get('ftp://example.com/a')).toMatchObject({ kind: 'failed', code: 'media-upload:url_blocked' })
  })
})
