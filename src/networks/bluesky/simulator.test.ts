import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pds, startPds } from '../../../test/_util/pds.ts'
import { simulatorBackend } from '../conformance/index.ts'
import { fixture } from '../kit/testing.ts'
import type { Credentials } from '../network.ts'
import { network } from './index.ts'
import { POSTS } from './publish.ts'
import { tidAt } from './state.ts'

/** The same requests to the simulated server and to a real one must be answered alike. */

/** An account of a server, and its requests. */
function accountAt(
  { pds = '', plc = '' }: Readonly<Record<string, string>>,
  { did, handle }: { did: string; handle: string },
  { accessJwt = '', refreshJwt = '' }: Credentials,
) {
  async function read(address: string, init?: RequestInit) {
    const answer = await fetch(address, init)
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
  }
  function ask(path: string, init: RequestInit = {}, token = accessJwt) {
    const headers = { ...init.headers, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
    return read(`${pds}/xrpc/com.atproto.${path}`, { ...init, headers })
  }
  const send = (path: string, type: string, body: NonNullable<RequestInit['body']>, token?: string) =>
    ask(path, { method: 'POST', headers: { 'content-type': type }, body }, token)
  const upload = async (file = 'photo.jpg', type = 'image/jpeg') =>
    send('repo.uploadBlob', type, new Uint8Array(await fixture(file)))
  return {
    ...{ did, handle, accessJwt, refreshJwt, ask, upload },
    blob: async (file?: string) => (await upload(file)).body.blob as object,
    put(record: object, more: object = {}, token?: string) {
      const place = { repo: did, collection: POSTS, rkey: tidAt(new Date()), swapRecord: null }
      return send('repo.putRecord', 'application/json', JSON.stringify({ ...place, record, ...more }), token)
    },
    signIn: (password: string) =>
      send('server.createSession', 'application/json', JSON.stringify({ identifier: handle, password }), ''),
    refresh: (token = refreshJwt) => ask('server.refreshSession', { method: 'POST' }, token),
    document: (of = did) => read(`${plc}/${of}`),
    serviceToken(seconds: number) {
      const exp = Math.floor(Date.now() / 1000) + seconds
      return ask(`server.getServiceAuth?aud=did:web:video.bsky.app&lxm=com.atproto.repo.uploadBlob&exp=${exp}`)
    },
  }
}
type Account = ReturnType<typeof accountAt>

let simulated: Account
let real: Account
let backend: Awaited<ReturnType<typeof simulatorBackend>>
let pds: Pds
let hours = 0

beforeAll(async () => {
  pds = await startPds()
  const { identity, account } = await pds.connect()
  real = accountAt({ pds: pds.url, plc: pds.plcUrl }, account, identity.credentials)
  backend = await simulatorBackend(network, 'BLUESKY', { now: () => new Date(Date.now() + hours * 3_600_000) })
  const { externalId: did, username } = backend.account
  simulated = accountAt(backend.endpoints, { did, handle: username ?? '' }, backend.credentials)
})
afterAll(async () => {
  await backend?.stop()
  await pds?.stop()
})

const createdAt = '2026-11-21T07:00:00.000Z'
const text = (value: string, more: object = {}) => ({ $type: POSTS, text: value, createdAt, ...more })
const CID = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
/** A file that was never uploaded. */
const never = (size = 100) => ({ $type: 'blob', ref: { $link: CID }, mimeType: 'image/jpeg', size })
const showing = (kind: string, more: object) => text('a', { embed: { $type: `app.bsky.embed.${kind}`, ...more } })
const images = (...blobs: unknown[]) => showing('images', { images: blobs.map((image) => ({ image, alt: '' })) })
const gallery = (blobs: unknown[], more: object = { aspectRatio: { width: 3, height: 4 } }) => {
  const $type = 'app.bsky.embed.gallery#image'
  return showing('gallery', { items: blobs.map((image) => ({ $type, image, alt: '', ...more })) })
}
const card = (thumb: object) =>
  showing('external', { external: { uri: 'https://example.com/', title: 'Bread', description: '', thumb } })

const rkey = tidAt(new Date(0))
const cases: Readonly<Record<string, (by: Account) => ReturnType<Account['ask']>>> = {
  'no token': (by) => by.put(text('a'), {}, ''),
  'a token that is none': (by) => by.put(text('a'), {}, 'nonsense'),
  'a refresh token in place of an access token': (by) => by.put(text('a'), {}, by.refreshJwt),
  'an access token in place of a refresh token': (by) => by.refresh(by.accessJwt),
  'a text of 301 characters': (by) => by.put(text('a'.repeat(301))),
  'a text of 3,025 bytes': (by) => by.put(text('👨‍👩‍👧‍👦'.repeat(121))),
  'a post without createdAt': (by) => by.put({ $type: POSTS, text: 'a' }),
  'a key that is no TID': (by) => by.put(text('a'), { rkey: 'mine' }),
  'a post that comes to be there': (by) => by.put(text('same'), { rkey }),
  'the same post again': (by) => by.put(text('same'), { rkey }),
  'another post in the same place': (by) => by.put(text('other'), { rkey }),
  'a file that was never uploaded': (by) => by.put(images(never())),
  'an image that is too large by its own word': (by) => by.put(images(never(2_000_001))),
  'an image of another type than was uploaded': async (by) =>
    by.put(images({ ...(await by.blob()), mimeType: 'image/png' })),
  'an image that is no blob': (by) => by.put(images('a')),
  'five images': async (by) => by.put(images(...Array(5).fill(await by.blob()))),
  'a gallery of twenty-one': async (by) => by.put(gallery(Array(21).fill(await by.blob()))),
  'a gallery with a file that was never uploaded': (by) => by.put(gallery([never()])),
  'a gallery without a ratio': async (by) => by.put(gallery([await by.blob()], {})),
  'a card whose picture is too large by its own word': (by) => by.put(card(never(1_000_001))),
  'a card whose picture was never uploaded': (by) => by.put(card(never())),
  'a language': (by) => by.put(text('a', { langs: ['pt-BR'] })),
  'a language that is none': (by) => by.put(text('a', { langs: ['no language'] })),
  'a video as an image': async (by) => by.put(images(await by.blob('video-short.mp4'))),
  'an image as a video': async (by) => by.put(showing('video', { video: await by.blob() })),
  'an upload whose header lies': (by) => by.upload('photo.jpg', 'text/plain'),
  'a record that is not there': (by) =>
    by.ask(`repo.getRecord?repo=${by.did}&collection=${POSTS}&rkey=${tidAt(new Date())}`),
  'a handle that is somebody': (by) => by.ask(`identity.resolveHandle?handle=${by.handle}`),
  'a handle that is nobody': (by) => by.ask('identity.resolveHandle?handle=nobody.test'),
  'a refresh': (by) => by.refresh(),
  'the same refresh again': (by) => by.refresh(),
  'a wrong password': (by) => by.signIn('wrong'),
  'a token for another service': (by) => by.serviceToken(1_500),
  'a token for another service that lives too long': (by) => by.serviceToken(4_000),
  'a document that nobody has': (by) => by.document(`did:plc:${'b'.repeat(24)}`),
}

/** Refusals of records by the schema: the simulated server checks the same schema with another library. */
const ownWords = [
  'a post without createdAt',
  'an image that is no blob',
  'a gallery without a ratio',
  'a language that is none',
]

test.each(Object.entries(cases))('the simulated server answers as the real one: %s', async (name, request) => {
  const answered = async (by: Account) => {
    const { status, body } = await request(by)
    const words = String(body.message)
      .replaceAll(by.did, 'DID')
      .replace(/bafy\w+|3[2-7a-z]{12}/g, 'ID')
    // Accounts of the simulator have no email address.
    const fields = Object.keys(body).filter((key) => !key.startsWith('email'))
    return { status, error: body.error, message: ownWords.includes(name) || words, fields: fields.sort() }
  }
  expect(await answered(simulated)).toEqual(await answered(real))
})

test('an access token ends after two hours, a used refresh token two hours after its use', async () => {
  const tokens = async () => (await simulated.refresh()).body as { accessJwt: string; refreshJwt: string }
  const [first, again] = [await tokens(), await tokens()]
  // The same chain goes on, whichever of the two answers arrived.
  for (const { refreshJwt } of [again, first])
    expect(await simulated.refresh(refreshJwt)).toMatchObject({ status: 200 })
  const write = (words: string) => simulated.put(text(words), {}, first.accessJwt)
  expect(await write('in time')).toMatchObject({ status: 200 })
  hours += 3
  expect(await write('too late')).toMatchObject({ body: { error: 'ExpiredToken' } })
  expect(await simulated.refresh()).toMatchObject({ status: 400, body: { error: 'ExpiredToken' } })
})
