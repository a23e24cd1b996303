import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/files/video-boxes.ts'
import { type Pds, type PdsAccount, startPds } from '../../../test/_util/networks/pds.ts'
import { createClock, type Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import { answer, fixture, openStage, type Stage, worldOf } from '../kit/testing.ts'
import { network } from './index.ts'
import { POSTS } from './publish.ts'
import { tidAt } from './state.ts'

/** What a real server holds after our posts, what it says when it does not take them, and that the simulator says the same. */

let pds: Pds
/** Its posts go to the real server. */
let stage: Stage
let simulated: Account
let real: Account

beforeAll(async () => {
  // Just below the larger one of the video fixtures.
  pds = await startPds({ blobUploadLimit: 40_000 })
  stage = await openStage(network, 'BLUESKY', { base: '' })
  const { account, endpoints, credentials } = stage.world.backend
  const { externalId: did, username } = account
  simulated = accountAt(endpoints.pds ?? '', { did, handle: username ?? '' }, credentials)
  const other = await pds.connect()
  real = accountAt(pds.url, other.account, other.identity.credentials)
})
afterAll(async () => {
  await stage?.close()
  await pds?.stop()
})

const sample = (caption: string, ...files: string[]): Sample => {
  const media = files.map((file) => ({ file, altText: `Shows ${file}` }))
  return { title: 'post', accountType: 'BLUESKY', caption, media }
}

/** A new account, which the stage posts from. */
async function newcomer(): Promise<PdsAccount> {
  const { account, identity } = await pds.connect()
  const world = worldOf(stage, identity)
  const endpoints = { ...identity.endpoints, video: pds.videoUrl, web: 'https://bsky.app' }
  stage.world = { ...world, clock: createClock(), backend: { ...world.backend, endpoints } }
  return account
}

/** A call as another program of the account's owner makes it. */
async function byOwner({ did, password }: PdsAccount, method: string, body: object): Promise<void> {
  const signIn = { body: { identifier: did, password } }
  const { accessJwt } = await pds.call<{ accessJwt: string }>('com.atproto.server.createSession', signIn)
  await pds.call(method, { token: `Bearer ${accessJwt}`, body })
}

/** Posts from a new account, and gives what the server holds then. */
async function send(post: Sample, trouble?: Trouble) {
  const account = await newcomer()
  const delivered = await stage.deliver(post, trouble)
  const permalink = expect.stringContaining(`/profile/${account.did}/post/`)
  expect(delivered.post).toMatchObject({ kind: 'made', permalink })
  const [held] = await pds.posts(account.did)
  const bytes = (blob?: { ref: { $link: string } }) => pds.blob(account.did, blob?.ref.$link ?? '')
  return { ...held?.value, bytes }
}

describe('what the server holds', () => {
  test('text as it was asked for, with links, tags and mentions at the right bytes', async () => {
    const { did, handle } = await pds.createAccount('miller')
    const caption = ` 🥖 Ümläut (https://example.com/ä?b=c). @${handle}, @nobody.test and @${handle} #bäckerei\n\n\n\n#bread! example.com/x `
    const { text, facets = [] } = await send(sample(caption))
    expect(text).toBe(caption)
    const wordsAt = (start: number, end: number) => Buffer.from(caption).toString('utf8', start, end)
    const found = facets.map(({ index, features }) => [wordsAt(index.byteStart, index.byteEnd), ...features])
    const $type = 'app.bsky.richtext.facet'
    const facet = (words: string, kind: string, more: object) => [words, { $type: `${$type}#${kind}`, ...more }]
    expect(found).toEqual([
      facet('https://example.com/ä?b=c', 'link', { uri: 'https://example.com/ä?b=c' }),
      facet(`@${handle}`, 'mention', { did }),
      facet(`@${handle}`, 'mention', { did }),
      facet('#bäckerei', 'tag', { tag: 'bäckerei' }),
      facet('#bread', 'tag', { tag: 'bread' }),
      facet('example.com/x', 'link', { uri: 'https://example.com/x' }),
    ])
  })

  test('a text that is too long but for its links: shortened, and the links lead to the whole addresses', async () => {
    const link = `https://example.com/ä?utm_source=${'k'.repeat(200)}`
    const before = `🥖 Ümläut ${'x'.repeat(240)} (`
    const { text, facets = [] } = await send(sample(`${before}${link}) #bread`))
    const shown = 'example.com/%C3%A4?utm_s...'
    expect(text).toBe(`${before}${shown}) #bread`)
    const byteStart = Buffer.byteLength(before)
    expect(facets).toMatchObject([
      { index: { byteStart, byteEnd: byteStart + shown.length }, features: [{ uri: link }] },
      { features: [{ tag: 'bread' }] },
    ])
  })

  /** The video service takes no videos of the account. */
  const forbidding: Trouble = {
    intercept: async ({ request, send }) =>
      request.url.includes('uploadVideo') ? answer(403, { error: 'UploadForbidden', message: 'No' }) : send(),
  }

  test.each([
    ['straight to the server when the video service declines it', forbidding],
    ['by the video service', {}],
  ])('a video, %s: that of a phone as an MP4 without its place', async (_, trouble) => {
    const film = await writePhoneFilm()
    const { embed, bytes } = await send(sample('Watch', film.path), trouble)
    await film.remove()
    expect(embed).toMatchObject({ alt: `Shows ${film.path}`, aspectRatio: { width: 180, height: 320 } })
    const held = await bytes(embed?.video)
    expect([held.toString('latin1', 4, 12), held.includes(PLACE)]).toEqual(['ftypisom', false])
  })
})

describe('what the server refuses', () => {
  const TOO_MUCH = 'UNKNOWN_MEDIA_ERROR'
  const deactivate = (account: PdsAccount) => byOwner(account, 'com.atproto.server.deactivateAccount', {})
  test.each<[string, Sample, string, ((account: PdsAccount) => Promise<void>)?]>([
    ['a text that is too long', sample('a'.repeat(301)), 'CAPTION_TOO_LONG'],
    ['more images than a post may have', sample('', ...Array(21).fill('transparent.png')), TOO_MUCH],
    ['a file that is larger than this server takes', sample('', 'video-h264-aac.mp4'), TOO_MUCH],
    ['an account that was taken down', sample('Late'), 'ACCOUNT_SUSPENDED', ({ did }) => pds.takeDown(did)],
    ['an account that its owner has deactivated', sample('Late'), 'ACCOUNT_RESTRICTED', deactivate],
  ])('resources-61, resources-63, resources-65: %s', async (_, post, reason, before) => {
    const account = await newcomer()
    await before?.(account)
    expect((await stage.deliver(post)).post).toMatchObject({ kind: 'failed', reason })
  })
})

/** What the owner's other programs do in the place of a post. */
test('another record there is left alone, an edited post is found, a deleted one is absent', async () => {
  async function prepared() {
    const account = await newcomer()
    const delivery = await stage.fenced(sample('Mine'))
    const place = { repo: account.did, collection: POSTS, rkey: delivery.handles().rkey }
    const write = (text: string, createdAt: unknown) =>
      byOwner(account, 'com.atproto.repo.putRecord', { ...place, record: { $type: POSTS, text, createdAt } })
    return { account, delivery, write, remove: () => byOwner(account, 'com.atproto.repo.deleteRecord', place) }
  }
  const theirs = await prepared()
  await theirs.write('Theirs', '2026-01-01T00:00:00.000Z')
  expect(await theirs.delivery.call('publish')).toMatchObject({ kind: 'unknown' })
  expect(await theirs.delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  expect(await pds.posts(theirs.account.did)).toMatchObject([{ value: { text: 'Theirs' } }])

  const { delivery, write, remove } = await prepared()
  await delivery.call('publish')
  await write('Edited', delivery.handles().createdAt)
  expect(await delivery.call('find')).toMatchObject({ kind: 'found' })
  await remove()
  expect(await delivery.call('find')).toEqual({ kind: 'absent' })
})

/** An account of a server, and its requests. */
function accountAt(pds: string, { did, handle }: { did: string; handle: string }, { accessJwt = '', refreshJwt = '' }) {
  async function ask(path: string, init: RequestInit = {}, token = accessJwt) {
    const headers = { ...init.headers, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
    const answer = await fetch(`${pds}/xrpc/com.atproto.${path}`, { ...init, headers })
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
  }
  const send = (path: string, body: object, token?: string) =>
    ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }, token)
  async function upload(file = 'photo.jpg', type = 'image/jpeg') {
    const body = new Uint8Array(await fixture(file))
    return ask('repo.uploadBlob', { method: 'POST', headers: { 'content-type': type }, body })
  }
  return {
    ...{ did, handle, accessJwt, refreshJwt, ask, upload },
    blob: async (file?: string) => (await upload(file)).body.blob as object,
    put(record: object, more: object = {}, token?: string) {
      const place = { repo: did, collection: POSTS, rkey: tidAt(new Date()), swapRecord: null }
      return send('repo.putRecord', { ...place, record, ...more }, token)
    },
    /** By their keys. */
    apply(records: Readonly<Record<string, object>>) {
      const writes = Object.entries(records).map(([key, value]) => {
        return { $type: 'com.atproto.repo.applyWrites#create', collection: POSTS, rkey: key, value }
      })
      return send('repo.applyWrites', { repo: did, writes })
    },
    signIn: (password: string) => send('server.createSession', { identifier: handle, password }, ''),
    refresh: (token = refreshJwt) => ask('server.refreshSession', { method: 'POST' }, token),
    serviceToken(seconds: number) {
      const exp = Math.floor(Date.now() / 1000) + seconds
      return ask(`server.getServiceAuth?aud=did:web:video.bsky.app&lxm=com.atproto.repo.uploadBlob&exp=${exp}`)
    },
  }
}
type Account = ReturnType<typeof accountAt>

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
const two = tidAt(new Date(2_000))
type Cases = Readonly<Record<string, (by: Account) => ReturnType<Account['ask']>>>
/** The simulated server checks the same schema with another library, which has words of its own. */
const bySchema: Cases = {
  'a text of 301 characters': (by) => by.put(text('a'.repeat(301))),
  'a text of 3,025 bytes': (by) => by.put(text('👨‍👩‍👧‍👦'.repeat(121))),
  'a post without createdAt': (by) => by.put({ $type: POSTS, text: 'a' }),
  'an image that is no blob': (by) => by.put(images('a')),
  'five images': async (by) => by.put(images(...Array(5).fill(await by.blob()))),
  'a gallery of twenty-one': async (by) => by.put(gallery(Array(21).fill(await by.blob()))),
  'a gallery without a ratio': async (by) => by.put(gallery([await by.blob()], {})),
  'a language that is none': (by) => by.put(text('a', { langs: ['no language'] })),
}
const cases: Cases = {
  ...bySchema,
  'no token': (by) => by.put(text('a'), {}, ''),
  'a token that is none': (by) => by.put(text('a'), {}, 'nonsense'),
  'a refresh token in place of an access token': (by) => by.put(text('a'), {}, by.refreshJwt),
  'an access token in place of a refresh token': (by) => by.refresh(by.accessJwt),
  'a key that is no TID': (by) => by.put(text('a'), { rkey: 'mine' }),
  'a post that comes to be there': (by) => by.put(text('same'), { rkey }),
  'the same post again': (by) => by.put(text('same'), { rkey }),
  'another post in the same place': (by) => by.put(text('other'), { rkey }),
  'a post in two by one call, of which one is there': (by) =>
    by.apply({ [rkey]: text('same'), [tidAt(new Date(1))]: text('new') }),
  'two posts by one call': (by) => by.apply({ [two]: text('one'), [tidAt(new Date(3_000))]: text('two') }),
  'the same two posts again': (by) => by.apply({ [two]: text('one'), [tidAt(new Date(4_000))]: text('two') }),
  'two posts by one call, of which one is no post': (by) =>
    by.apply({ [tidAt(new Date(5_000))]: text('one'), mine: text('two') }),
  'a file that was never uploaded': (by) => by.put(images(never())),
  'an image that is too large by its own word': (by) => by.put(images(never(2_000_001))),
  'an image of another type than was uploaded': async (by) =>
    by.put(images({ ...(await by.blob()), mimeType: 'image/png' })),
  'a card whose picture is too large by its own word': (by) => by.put(card(never(1_000_001))),
  'a video as an image': async (by) => by.put(images(await by.blob('video-short.mp4'))),
  'an image as a video': async (by) => by.put(showing('video', { video: await by.blob() })),
  'an upload whose header lies': (by) => by.upload('photo.jpg', 'text/plain'),
  'a record that is not there': (by) =>
    by.ask(`repo.getRecord?repo=${by.did}&collection=${POSTS}&rkey=${tidAt(new Date())}`),
  'a handle that no one has': (by) => by.ask('identity.resolveHandle?handle=nobody.test'),
  'a refresh': (by) => by.refresh(),
  'the same refresh again': (by) => by.refresh(),
  'a wrong password': (by) => by.signIn('wrong'),
  'a token for another service': (by) => by.serviceToken(1_500),
  'a token for another service that lives too long': (by) => by.serviceToken(4_000),
}

test.each(Object.entries(cases))('the simulated server answers as the real one: %s', async (name, request) => {
  const answered = async (by: Account) => {
    const { status, body } = await request(by)
    const words = String(body.message)
      .replaceAll(by.did, 'DID')
      .replace(/bafy\w+|3[2-7a-z]{12}/g, 'ID')
    // Accounts of the simulator have no email address.
    const fields = Object.keys(body).filter((key) => !key.startsWith('email'))
    return { status, error: body.error, message: name in bySchema || words, fields: fields.sort() }
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
  stage.pass(3 * 3_600_000)
  const over = [await write('too late'), await simulated.refresh()]
  const ofReal = await real.put(text('too late'), {}, pds.expired(real.accessJwt))
  over.push(ofReal, await real.refresh(pds.expired(real.refreshJwt)))
  // Its app password is revoked.
  const account = await newcomer()
  await byOwner(account, 'com.atproto.server.revokeAppPassword', { name: 'almanac' })
  over.push(await accountAt(pds.url, account, stage.world.backend.credentials).refresh())
  expect(over).toMatchObject(Array(5).fill({ status: 400, body: { error: 'ExpiredToken' } }))
})
