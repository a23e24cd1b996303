import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pds, startPds } from '../../../test/_util/pds.ts'
import { simulatorBackend } from '../conformance/index.ts'
import { fixture } from '../kit/testing.ts'
import { network } from './index.ts'
import { POSTS } from './publish.ts'
import { tidAt } from './state.ts'

/** The same requests to the simulated server and to a real one must be answered alike. */

interface Server {
  base: string
  /** The directory of its accounts. */
  plc: string
  did: string
  handle: string
  token: string
  refreshJwt: string
}
interface Answer {
  status: number
  body: Readonly<Record<string, unknown>>
}
type Request = (server: Server) => Promise<Answer>

let servers: { simulated: Server; real: Server }
let backend: Awaited<ReturnType<typeof simulatorBackend>>
let pds: Pds
let hours = 0

beforeAll(async () => {
  pds = await startPds()
  const { identity, account } = await pds.connect()
  const now = () => new Date(Date.now() + hours * 3_600_000)
  backend = await simulatorBackend(network, 'BLUESKY', { now })
  const tokensOf = ({ accessJwt = '', refreshJwt = '' }) => ({ token: accessJwt, refreshJwt })
  servers = {
    simulated: {
      base: `${backend.endpoints.pds}/xrpc`,
      plc: backend.endpoints.plc ?? '',
      did: backend.account.externalId,
      handle: backend.account.username ?? '',
      ...tokensOf(backend.credentials),
    },
    real: { base: `${pds.url}/xrpc`, plc: pds.plcUrl, ...account, ...tokensOf(identity.credentials) },
  }
})
afterAll(async () => {
  await backend?.stop()
  await pds?.stop()
})

interface Options {
  token?: string | null
  json?: unknown
  bytes?: Buffer
  type?: string
  query?: Record<string, string>
}
async function call(server: Server, method: string, options: Options = {}): Promise<Answer> {
  const {
    json,
    bytes,
    query,
    token = server.token,
    type = json === undefined ? 'image/jpeg' : 'application/json',
  } = options
  const body = json === undefined ? (bytes ? new Uint8Array(bytes) : null) : JSON.stringify(json)
  const answer = await fetch(`${server.base}/${method}?${new URLSearchParams(query)}`, {
    method: body !== null || method.endsWith('refreshSession') ? 'POST' : 'GET',
    headers: {
      ...(body === null ? {} : { 'content-type': type }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
  })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

/** A request that writes a post. */
const put =
  (record: object, more: object = {}, token?: (server: Server) => string | null): Request =>
  (server) => {
    const json = { repo: server.did, collection: POSTS, rkey: tidAt(new Date()), swapRecord: null, record, ...more }
    return call(server, 'com.atproto.repo.putRecord', { json, ...(token ? { token: token(server) } : {}) })
  }
const upload = async (server: Server, file = 'photo.jpg', type?: string) =>
  call(server, 'com.atproto.repo.uploadBlob', { bytes: await fixture(file), ...(type ? { type } : {}) })
const refresh = (server: Server, token = server.refreshJwt) =>
  call(server, 'com.atproto.server.refreshSession', { token })
const resolve =
  (handleOf: (server: Server) => string): Request =>
  (server) =>
    call(server, 'com.atproto.identity.resolveHandle', { query: { handle: handleOf(server) } })
const serviceToken =
  (seconds: number): Request =>
  (server) => {
    const exp = String(Math.floor(Date.now() / 1000) + seconds)
    const query = { aud: 'did:web:video.bsky.app', lxm: 'com.atproto.repo.uploadBlob', exp }
    return call(server, 'com.atproto.server.getServiceAuth', { query })
  }

const createdAt = '2026-11-21T07:00:00.000Z'
const text = (value: string, more: object = {}) => ({ $type: POSTS, text: value, createdAt, ...more })
const blob = (size: number) => ({
  $type: 'blob',
  ref: { $link: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku' },
  mimeType: 'image/jpeg',
  size,
})
const showing = (embed: { $type: string }) => text('a', { embed })
const images = (...blobs: unknown[]) =>
  showing({ $type: 'app.bsky.embed.images', images: blobs.map((image) => ({ image, alt: '' })) } as { $type: string })
const aspectRatio = { width: 3, height: 4 }
const gallery = (blobs: unknown[], more: object = { aspectRatio }) => {
  const $type = 'app.bsky.embed.gallery'
  const items = blobs.map((image) => ({ $type: `${$type}#image`, image, alt: '', ...more }))
  return showing({ $type, items } as { $type: string })
}
const card = (more: object) => {
  const external = { uri: 'https://example.com/', title: 'Bread', description: '', ...more }
  return showing({ $type: 'app.bsky.embed.external', external } as { $type: string })
}
/** A post of a file that was uploaded before. */
const putUploaded =
  (recordOf: (uploaded: object) => object, file?: string): Request =>
  async (server) =>
    put(recordOf((await upload(server, file)).body.blob as object))(server)

const rkey = tidAt(new Date(0))
const cases: Record<string, Request> = {
  'a post': put(text('a post')),
  'no token': put(text('a'), {}, () => null),
  'a token that is none': put(text('a'), {}, () => 'nonsense'),
  'a refresh token in place of an access token': put(text('a'), {}, ({ refreshJwt }) => refreshJwt),
  'an access token in place of a refresh token': (server) => refresh(server, server.token),
  'a text of 301 characters': put(text('a'.repeat(301))),
  'a text of 3,025 bytes': put(text('👨‍👩‍👧‍👦'.repeat(121))),
  'a post without createdAt': put({ $type: POSTS, text: 'a' }),
  'a post without text': put({ $type: POSTS, createdAt }),
  'a createdAt that is no time': put(text('a', { createdAt: 'today' })),
  'a key that is no TID': put(text('a'), { rkey: 'mine' }),
  'the same post again': async (server) => {
    await put(text('same'), { rkey })(server)
    return put(text('same'), { rkey })(server)
  },
  'another post in the same place': put(text('other'), { rkey }),
  'a file that was never uploaded': put(images(blob(100))),
  'an image that is too large by its own word': put(images(blob(2_000_001))),
  'an image of another type than was uploaded': putUploaded((blob) => images({ ...blob, mimeType: 'image/png' })),
  'an image that is no blob': put(images('a')),
  'five images': putUploaded((blob) => images(...Array(5).fill(blob))),
  'a gallery of five': putUploaded((blob) => gallery(Array(5).fill(blob))),
  'a gallery of twenty-one': putUploaded((blob) => gallery(Array(21).fill(blob))),
  'a gallery with a file that was never uploaded': put(gallery([blob(100)])),
  'a gallery without a ratio': putUploaded((blob) => gallery([blob], {})),
  'a card': putUploaded((thumb) => card({ thumb })),
  'a card without a picture': put(card({})),
  'a card whose picture is too large by its own word': put(card({ thumb: blob(1_000_001) })),
  'a card whose picture was never uploaded': put(card({ thumb: blob(100) })),
  'a language': put(text('a', { langs: ['pt-BR'] })),
  'a language that is none': put(text('a', { langs: ['no language'] })),
  'a video as an image': putUploaded((blob) => images(blob), 'video-short.mp4'),
  'an image as a video': putUploaded((video) => text('a', { embed: { $type: 'app.bsky.embed.video', video } })),
  'an upload': (server) => upload(server),
  'an upload whose header lies': (server) => upload(server, 'photo.jpg', 'text/plain'),
  'a record that is not there': (server) => {
    const query = { repo: server.did, collection: POSTS, rkey: tidAt(new Date()) }
    return call(server, 'com.atproto.repo.getRecord', { query })
  },
  'a handle that is somebody': resolve(({ handle }) => handle),
  'a handle that is nobody': resolve(() => 'nobody.test'),
  'a refresh, and the same again': async (server) => {
    expect(await refresh(server)).toMatchObject({ status: 200 })
    return refresh(server)
  },
  'a wrong password': ({ handle, ...server }) => {
    const json = { identifier: handle, password: 'wrong' }
    return call({ handle, ...server }, 'com.atproto.server.createSession', { json, token: null })
  },
  'a token for another service': serviceToken(1_500),
  'a token for another service that lives too long': serviceToken(4_000),
}

/** Refusals of records by the schema: the simulated server checks the same schema with another library. */
const ownWords = new Set([
  'a post without createdAt',
  'a post without text',
  'a createdAt that is no time',
  'an image that is no blob',
  'a gallery without a ratio',
  'a language that is none',
])

describe('the simulated server answers as the real one', () => {
  test.each(Object.entries(cases))('%s', async (name, request) => {
    const told = async (server: Server) => {
      const { status, body } = await request(server)
      const words = String(body.message)
        .replaceAll(server.did, 'DID')
        .replace(/bafy\w+|3[2-7a-z]{12}/g, 'ID')
      // Accounts of the simulator have no email address.
      const fields = Object.keys(body).filter((key) => !key.startsWith('email'))
      return { status, error: body.error, message: ownWords.has(name) ? '' : words, fields: fields.sort() }
    }
    expect(await told(servers.simulated)).toEqual(await told(servers.real))
  })

  test('its directory tells the server of an account, and of nobody that it has none', async () => {
    const nobody = `did:plc:${'b'.repeat(24)}`
    for (const { plc, did, handle, base } of Object.values(servers)) {
      const service = {
        id: '#atproto_pds',
        type: 'AtprotoPersonalDataServer',
        serviceEndpoint: base.replace('/xrpc', ''),
      }
      const known = await fetch(`${plc}/${did}`)
      expect(await known.json()).toMatchObject({ id: did, alsoKnownAs: [`at://${handle}`], service: [service] })
      const unknown = await fetch(`${plc}/${nobody}`)
      expect([unknown.status, await unknown.json()]).toEqual([404, { message: `DID not registered: ${nobody}` }])
    }
  })
})

test('an access token ends after two hours, a used refresh token two hours after its use', async () => {
  const { simulated } = servers
  const tokens = async () => (await refresh(simulated)).body as { accessJwt: string; refreshJwt: string }
  const [first, again] = [await tokens(), await tokens()]
  // The same chain goes on, whichever of the two answers arrived.
  for (const { refreshJwt } of [again, first])
    expect(await refresh(simulated, refreshJwt)).toMatchObject({ status: 200 })
  const write = (words: string) => put(text(words), {}, () => first.accessJwt)(simulated)
  expect(await write('in time')).toMatchObject({ status: 200 })
  hours += 3
  expect(await write('too late')).toMatchObject({ body: { error: 'ExpiredToken' } })
  expect(await refresh(simulated)).toMatchObject({ status: 400, body: { error: 'ExpiredToken' } })
})
