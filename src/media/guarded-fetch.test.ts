import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { fetch, request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'

const servers: Server[] = []
const guards: GuardedFetch[] = []
let hits: string[] = []
let port = 0

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    hits.push(`${incoming.headers.host}${incoming.url}`)
    listener(incoming, outgoing)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function guard(trustedHosts: string[] = [], lookup?: LookupFunction): GuardedFetch {
  const made = createGuardedFetch(lookup ? { trustedHosts, lookup } : { trustedHosts })
  guards.push(made)
  return made
}

function get(guarded: GuardedFetch, url: string, signal = new AbortController().signal) {
  return guarded.download(url, { signal, maxBytes: 1000, timeoutMs: 5000, idleTimeoutMs: 5000 })
}

/** Answers each lookup with the next list of addresses, and the last forever. */
function answers(...lists: string[][]): LookupFunction & { calls: number } {
  const lookup = Object.assign(
    (_host: string, _options: unknown, callback: (error: null, addresses: LookupAddress[]) => void) => {
      const list = lists[Math.min(lookup.calls++, lists.length - 1)] ?? []
      const found = list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      process.nextTick(callback, null, found)
    },
    { calls: 0 },
  )
  return lookup as unknown as LookupFunction & { calls: number }
}

beforeEach(async () => {
  hits = []
  port = await serve((_, outgoing) => outgoing.end('secret'))
})

afterEach(async () => {
  await Promise.all(guards.splice(0).map((guarded) => guarded.close()))
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

describe('an address that is written in the URL', () => {
  const NOTATIONS = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0x0.0x0.0x1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127%2e0%2e0%2e1',
    '0',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '[fd00:ec2::254]',
    'localhost',
    'LOCALHOST',
  ]

  it.each(NOTATIONS)('is refused as %s', async (host) => {
    const answer = await get(guard(), `http://${host}:${port}/latest/meta-data`)
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:url_blocked' })
    expect(hits).toEqual([])
  })

  it('is refused with https too', async () => {
    const answer = await get(guard(), `https://127.0.0.1:${port}/`)
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:url_blocked' })
  })

  it('is refused by the dispatcher itself, with a code that other callers know', async () => {
    const { dispatcher } = guard()
    await expect(request(`http://127.0.0.1:${port}/`, { dispatcher })).rejects.toMatchObject({
      code: 'EADDRESSBLOCKED',
    })
    await expect(request(`http://2130706433:${port}/`, { dispatcher })).rejects.toMatchObject({
      code: 'EADDRESSBLOCKED',
    })
    expect(hits).toEqual([])
  })
})

describe('a name', () => {
  it('is refused when one of its addresses is not public', async () => {
    const lookup = answers(['2000::1', '127.0.0.1'])
    const answer = await get(guard([], lookup), `http://mixed.test:${port}/`)
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:url_blocked' })
    expect(lookup.calls).toBe(1)
    expect(hits).toEqual([])
  })

  it('is refused with https too', async () => {
    const answer = await get(guard([], answers(['127.0.0.1'])), `https://inner.test:${port}/`)
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:url_blocked' })
  })

  it('is refused when it has no address', async () => {
    const answer = await get(guard([], answers([])), `http://empty.test:${port}/`)
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:url_blocked' })
  })

  it('gains nothing by changing its address: what was checked is what is dialled', async () => {
    // 2000::1 counts as public and belongs to no one. A second lookup would lead to the server of this test.
    const lookup = answers(['2000::1'], ['127.0.0.1'])
    const answer = await guard([], lookup).download(`http://rebinding.test:${port}/`, {
      signal: new AbortController().signal,
      maxBytes: 1000,
      timeoutMs: 300,
      idleTimeoutMs: 300,
    })
    expect(answer.kind).toBe('failed')
    expect(lookup.calls).toBe(1)
    expect(hits).toEqual([])
  })

  it('is checked again for the next connection', async () => {
    const guarded = guard([], answers(['127.0.0.1']))
    for (const path of ['a', 'b']) {
      expect(await get(guarded, `http://again.test:${port}/${path}`)).toMatchObject({
        code: 'media-upload:url_blocked',
      })
    }
    expect(hits).toEqual([])
  })

  it('is named in messages, what it resolves to is not', async () => {
    const answer = await get(guard([], answers(['10.1.2.3'])), `http://inner.test:${port}/`)
    expect(answer.kind === 'failed' && answer.message).toContain(`inner.test:${port}`)
    expect(JSON.stringify(answer)).not.toContain('10.1.2.3')
  })

  it('whose lookup hangs holds up neither the time limit nor the caller', async () => {
    const guarded = guard([], () => {})
    const controller = new AbortController()
    const options = { signal: controller.signal, maxBytes: 1000, timeoutMs: 5000, idleTimeoutMs: 50 }
    const answer = await guarded.download('http://slow.test/', options)
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:timeout' })

    const waiting = guarded.download('http://slow.test/', { ...options, idleTimeoutMs: 5000 })
    const reason = new Error('stopping')
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  }, 2000)

  it('that does not exist is a failure of its own', async () => {
    const lookup: LookupFunction = (host, _, callback) => {
      const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
      process.nextTick(callback, error, [])
    }
    const answer = await get(guard([], lookup), 'http://nowhere.test/')
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:dns_failed' })
    expect(answer.kind === 'failed' && answer.message).toContain('nowhere.test')
  })
})

describe('a redirect', () => {
  it.each([
    ['http', '127.0.0.1'],
    ['http', '[::ffff:127.0.0.1]'],
    ['http', '2130706433'],
    ['https', '169.254.169.254'],
  ])('to %s://%s is refused, though the first host is trusted', async (scheme, host) => {
    const door = await serve((_, outgoing) => {
      outgoing.writeHead(302, { location: `${scheme}://${host}:${port}/` }).end()
    })
    const lookup = answers(['127.0.0.1'])
    const answer = await get(guard([`door.test:${door}`], lookup), `http://door.test:${door}/`)
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:url_blocked' })
    expect(hits).toEqual([`door.test:${door}/`])
  })

  it.each(['ftp://example.com/a', 'file:///etc/passwd', 'data:image/png;base64,AA', 'http://u:p@example.com/'])(
    'to %s is refused',
    async (location) => {
      const door = await serve((_, outgoing) => outgoing.writeHead(302, { location }).end())
      const answer = await get(guard([`127.0.0.1:${door}`]), `http://127.0.0.1:${door}/`)
      expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:url_blocked' })
    },
  )

  it('that undici follows by itself is checked as well', async () => {
    const door = await serve((_, outgoing) => {
      outgoing.writeHead(302, { location: `http://localhost:${port}/` }).end()
    })
    const { dispatcher } = guard([`127.0.0.1:${door}`])
    const failure = await fetch(`http://127.0.0.1:${door}/`, { dispatcher }).catch((error: Error) => error.cause)
    expect(failure).toMatchObject({ code: 'EADDRESSBLOCKED' })
    expect(hits).toEqual([`127.0.0.1:${door}/`])
  })
})

describe('trusted hosts', () => {
  it('may be private, as host or as host and port', async () => {
    for (const entry of ['127.0.0.1', `127.0.0.1:${port}`]) {
      const answer = await get(guard([entry]), `http://127.0.0.1:${port}/`)
      expect(answer.kind).toBe('ok')
      if (answer.kind === 'ok') answer.stream.destroy()
    }
  })

  it('are trusted by the name in the URL, letter case aside', async () => {
    const answer = await get(guard(['Inner.Test'], answers(['127.0.0.1'])), `http://inner.test:${port}/`)
    expect(answer.kind).toBe('ok')
    if (answer.kind === 'ok') answer.stream.destroy()
  })

  it.each([
    ['another port', ['127.0.0.1:1']],
    ['the default port', ['127.0.0.1:80']],
    ['another name of the same machine', ['localhost']],
  ])('do not include %s', async (_, trustedHosts) => {
    const answer = await get(guard(trustedHosts), `http://127.0.0.1:${port}/`)
    expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:url_blocked' })
    expect(hits).toEqual([])
  })

  it.each(['test', 'ner.test', 'inner', 'x.inner.test'])(
    'do not include names that share a part: %s',
    async (entry) => {
      const answer = await get(guard([entry], answers(['127.0.0.1'])), `http://inner.test:${port}/`)
      expect(answer).toMatchObject({ kind: 'failed', code: 'media-upload:url_blocked' })
    },
  )

  it.each(['[::1]:4011', '::1', 'host:80', 'host:443'])('may be written %s', (entry) => {
    expect(() => guard([entry])).not.toThrow()
  })

  it.each(['', 'http://host', 'host/path', 'user@host', 'host:port', '*.example.com', 'host/', '[::1', '300.1.1.1'])(
    'are refused as "%s"',
    (entry) => {
      expect(() => guard([entry])).toThrow('is not a host')
    },
  )
})
