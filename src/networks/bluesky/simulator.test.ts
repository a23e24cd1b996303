import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pds, startPds } from '../../../test/_util/pds.ts'
import { simulatorBackend } from '../conformance/index.ts'
import { network } from './index.ts'
import { POSTS } from './post-record.ts'
import { tidAt } from './tid.ts'

/** The same requests to the pretend server and to a real one must be answered alike. */

interface Server {
  base: string
  /** The directory of its accounts. */
  plc: string
  did: string
  handle: string
  token: string
  refreshJwt: string
  stop(): Promise<void>
}
interface Answer {
  status: number
  error?: string
  message?: string
  body: Record<string, unknown>
}

let servers: { pretend: Server; real: Server }
let pds: Pds
let hours = 0

beforeAll(async () => {
  pds = await startPds()
  const { identity, account } = await pds.connect()
  const now = () => new Date(Date.now() + hours * 3_600_000)
  const backend = await simulatorBackend(network, 'BLUESKY', { now })
  servers = {
    pretend: {
      base: `${backend.endpoints.pds}/xrpc`,
      plc: backend.endpoints.plc ?? '',
      did: backend.account.externalId,
      handle: backend.account.username ?? '',
      token: backend.credentials.accessJwt ?? '',
      refreshJwt: backend.credentials.refreshJwt ?? '',
      stop: backend.stop,
    },
    real: {
      base: `${pds.url}/xrpc`,
      plc: pds.plcUrl,
      did: account.did,
      handle: account.handle,
      token: identity.credentials.accessJwt ?? '',
      refreshJwt: identity.credentials.refreshJwt ?? '',
      stop: pds.stop,
    },
  }
})
afterAll(async () => {
  await servers?.pretend.stop()
  await servers?.real.stop()
})

async function call(
  server: Server,
  method: string,
  options: {
    token?: string | null
    json?: unknown
    bytes?: Buffer
    type?: string
    query?: Record<string, string>
  } = {},
): Promise<Answer> {
  const { json, bytes, query, token = server.token, type = 'image/jpeg' } = options
  const body = json === undefined ? (bytes ? new Uint8Array(bytes) : null) : JSON.stringify(json)
  const posts = body !== null || method === 'com.atproto.server.refreshSession'
  const answer = await fetch(`${server.base}/${method}${query ? `?${new URLSearchParams(query)}` : ''}`, {
    method: posts ? 'POST' : 'GET',
    headers: {
      ...(body === null ? {} : { 'content-type': json === undefined ? type : 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
  })
  const parsed = (await answer.json()) as Record<string, unknown>
  const { error, message } = parsed as { error?: string; message?: string }
  return { status: answer.status, ...(error ? { error } : {}), ...(message ? { message } : {}), body: parsed }
}

function put(server: Server, record: object, more: object = {}, token?: string | null): Promise<Answer> {
  const json = { repo: server.did, collection: POSTS, rkey: tidAt(new Date()), swapRecord: null, record, ...more }
  return call(server, 'com.atproto.repo.putRecord', { json, ...(token === undefined ? {} : { token }) })
}

const createdAt = '2026-11-21T07:00:00.000Z'
const text = (value: string, more: object = {}) => ({ $type: POSTS, text: value, createdAt, ...more })
const missing = {
  $type: 'blob',
  ref: { $link: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku' },
  mimeType: 'image/jpeg',
  size: 100,
}
const images = (...blobs: unknown[]) => ({
  embed: { $type: 'app.bsky.embed.images', images: blobs.map((image) => ({ image, alt: '' })) },
})
const gallery = (...blobs: unknown[]) => {
  const $type = 'app.bsky.embed.gallery'
  const aspectRatio = { width: 3, height: 4 }
  return { embed: { $type, items: blobs.map((image) => ({ $type: `${$type}#image`, image, alt: '', aspectRatio })) } }
}
const card = (more: object) => {
  const external = { uri: 'https://example.com/', title: 'Bread', description: '', ...more }
  return { embed: { $type: 'app.bsky.embed.external', external } }
}
async function upload(server: Server, file = 'photo.jpg', type?: string): Promise<Answer> {
  const bytes = await readFile(join(import.meta.dirname, '../../../test/_fixtures', file))
  return call(server, 'com.atproto.repo.uploadBlob', { bytes, ...(type ? { type } : {}) })
}

const rkey = tidAt(new Date(0))
const cases: Record<string, (server: Server) => Promise<Answer>> = {
  'a post': (server) => put(server, text('a post')),
  'no token': (server) => put(server, text('a'), {}, null),
  'a token that is none': (server) => put(server, text('a'), {}, 'nonsense'),
  'a refresh token in place of an access token': (server) => put(server, text('a'), {}, server.refreshJwt),
  'an access token in place of a refresh token': (server) => call(server, 'com.atproto.server.refreshSession'),
  'a text of 301 characters': (server) => put(server, text('a'.repeat(301))),
  'a text of 3,025 bytes': (server) => put(server, text('👨‍👩‍👧‍👦'.repeat(121))),
  'a post without createdAt': (server) => put(server, { $type: POSTS, text: 'a' }),
  'a post without text': (server) => put(server, { $type: POSTS, createdAt }),
  'a createdAt that is no time': (server) => put(server, text('a', { createdAt: 'today' })),
  'a key that is no TID': (server) => put(server, text('a'), { rkey: 'mine' }),
  'the same post again': async (server) => {
    await put(server, text('same'), { rkey })
    return put(server, text('same'), { rkey })
  },
  'another post in the same place': (server) => put(server, text('other'), { rkey }),
  'another post over a known one': async (server) => {
    const { body } = await call(server, 'com.atproto.repo.getRecord', {
      query: { repo: server.did, collection: POSTS, rkey },
    })
    return put(server, text('edited'), { rkey, swapRecord: body.cid })
  },
  'a file that was never uploaded': (server) => put(server, text('a', images(missing))),
  'an image that is too large by its own word': (server) =>
    put(server, text('a', images({ ...missing, size: 2_000_001 }))),
  'an image of another type than was uploaded': async (server) => {
    const { body } = await upload(server)
    return put(server, text('a', images({ ...(body.blob as object), mimeType: 'image/png' })))
  },
  'an image that is no blob': (server) => put(server, text('a', images('a'))),
  'five images': async (server) => {
    const { body } = await upload(server)
    return put(server, text('a', images(body.blob, body.blob, body.blob, body.blob, body.blob)))
  },
  'a gallery of five': async (server) => {
    const { body } = await upload(server)
    return put(server, text('a', gallery(...Array(5).fill(body.blob))))
  },
  'a gallery of twenty-one': async (server) => {
    const { body } = await upload(server)
    return put(server, text('a', gallery(...Array(21).fill(body.blob))))
  },
  'a gallery with a file that was never uploaded': (server) => put(server, text('a', gallery(missing))),
  'a gallery without a ratio': async (server) => {
    const { body } = await upload(server)
    const item = { $type: 'app.bsky.embed.gallery#image', image: body.blob, alt: '' }
    return put(server, text('a', { embed: { $type: 'app.bsky.embed.gallery', items: [item] } }))
  },
  'a card': async (server) => {
    const { body } = await upload(server)
    return put(server, text('a', card({ thumb: body.blob })))
  },
  'a card without a picture': (server) => put(server, text('a', card({}))),
  'a card whose picture is too large by its own word': (server) =>
    put(server, text('a', card({ thumb: { ...missing, size: 1_000_001 } }))),
  'a card whose picture was never uploaded': (server) => put(server, text('a', card({ thumb: missing }))),
  'a language': (server) => put(server, text('a', { langs: ['pt-BR'] })),
  'a language that is none': (server) => put(server, text('a', { langs: ['no language'] })),
  'a video as an image': async (server) => {
    const { body } = await upload(server, 'video-short.mp4')
    return put(server, text('a', images(body.blob)))
  },
  'an image as a video': async (server) => {
    const { body } = await upload(server)
    return put(server, text('a', { embed: { $type: 'app.bsky.embed.video', video: body.blob } }))
  },
  'an upload': (server) => upload(server),
  'an upload whose header lies': (server) => upload(server, 'photo.jpg', 'text/plain'),
  'a record that is not there': (server) =>
    call(server, 'com.atproto.repo.getRecord', {
      query: { repo: server.did, collection: POSTS, rkey: tidAt(new Date()) },
    }),
  'a handle that is somebody': (server) =>
    call(server, 'com.atproto.identity.resolveHandle', { query: { handle: server.handle } }),
  'a handle that is nobody': (server) =>
    call(server, 'com.atproto.identity.resolveHandle', { query: { handle: 'nobody.test' } }),
  'a refresh, and the same again': async (server) => {
    const first = await call(server, 'com.atproto.server.refreshSession', { token: server.refreshJwt })
    expect(first.status).toBe(200)
    return call(server, 'com.atproto.server.refreshSession', { token: server.refreshJwt })
  },
  'a wrong password': (server) =>
    call(server, 'com.atproto.server.createSession', {
      json: { identifier: server.handle, password: 'wrong' },
      token: null,
    }),
  'a token for another service': (server) =>
    call(server, 'com.atproto.server.getServiceAuth', {
      query: {
        aud: 'did:web:video.bsky.app',
        lxm: 'com.atproto.repo.uploadBlob',
        exp: String(Math.floor(Date.now() / 1000) + 1_500),
      },
    }),
  'a token for another service that lives too long': (server) =>
    call(server, 'com.atproto.server.getServiceAuth', {
      query: {
        aud: 'did:web:video.bsky.app',
        lxm: 'com.atproto.repo.uploadBlob',
        exp: String(Math.floor(Date.now() / 1000) + 4_000),
      },
    }),
}

/** Refusals of records by the schema: the pretend server checks the same schema with another library. */
const ownWords = new Set([
  'a post without createdAt',
  'a post without text',
  'a createdAt that is no time',
  'an image that is no blob',
  'a gallery without a ratio',
  'a language that is none',
])

const read = (answer: Answer, field: string) => String(answer.body[field])

describe('the pretend server answers as the real one', () => {
  test.each(Object.keys(cases))('%s', async (name) => {
    const request = cases[name]
    if (!request) throw new Error(name)
    const [pretend, real] = [await request(servers.pretend), await request(servers.real)]
    const told = ({ status, error, message }: Answer, { did }: Server) => ({
      status,
      error,
      message: ownWords.has(name) ? undefined : message?.replaceAll(did, 'DID').replace(/bafy\w+|3[2-7a-z]{12}/g, 'ID'),
    })
    expect(told(pretend, servers.pretend)).toEqual(told(real, servers.real))
    // Pretend accounts have no email address.
    const fields = ({ body }: Answer) =>
      Object.keys(body)
        .filter((key) => !key.startsWith('email'))
        .sort()
    expect(fields(pretend)).toEqual(fields(real))
  })
})

describe('the pretend directory answers as the real one', () => {
  test('of an account it tells the server', async () => {
    for (const { plc, did, handle, base } of Object.values(servers)) {
      const answer = await fetch(`${plc}/${did}`)
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        {
          id: did,
          alsoKnownAs: [`at://${handle}`],
          service: [
            {
              id: '#atproto_pds',
              type: 'AtprotoPersonalDataServer',
              serviceEndpoint: base.replace('/xrpc', ''),
            },
          ],
        },
      ])
    }
  })

  test('of nobody it says so', async () => {
    const did = `did:plc:${'b'.repeat(24)}`
    for (const { plc } of Object.values(servers)) {
      const answer = await fetch(`${plc}/${did}`)
      expect([answer.status, await answer.json()]).toEqual([404, { message: `DID not registered: ${did}` }])
    }
  })
})

describe('tokens of the pretend server', () => {
  test('an access token ends after two hours, a used refresh token two hours after its use', async () => {
    const { pretend } = servers
    const refresh = (token: string) => call(pretend, 'com.atproto.server.refreshSession', { token })
    const first = await refresh(pretend.refreshJwt)
    const again = await refresh(pretend.refreshJwt)
    // The same chain goes on, whichever of the two answers arrived.
    expect((await refresh(read(again, 'refreshJwt'))).status).toBe(200)
    expect((await refresh(read(first, 'refreshJwt'))).status).toBe(200)
    expect((await put(pretend, text('in time'), {}, read(first, 'accessJwt'))).status).toBe(200)
    hours += 3
    expect(await put(pretend, text('too late'), {}, read(first, 'accessJwt'))).toMatchObject({ error: 'ExpiredToken' })
    expect(await refresh(pretend.refreshJwt)).toMatchObject({ status: 400, error: 'ExpiredToken' })
  })
})
