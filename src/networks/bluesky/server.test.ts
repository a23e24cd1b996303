import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pds, type PdsAccount, startPds } from '../../../test/_util/pds.ts'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import { deliver } from '../conformance/deliver.ts'
import { createClock, openDelivery, type Trouble, type World } from '../conformance/delivery.ts'
import { openSampleMedia, type Sample } from '../conformance/index.ts'
import { createHttp } from '../kit/http.ts'
import { answer, fixture } from '../kit/testing.ts'
import { network } from './index.ts'
import { POSTS } from './publish.ts'

/** What a real server holds after our posts, and what it says when it does not take them. */

let pds: Pds
let agent: Agent
let media: World['media']

beforeAll(async () => {
  // Just below the larger one of the video fixtures.
  pds = await startPds({ blobUploadLimit: 40_000 })
  agent = new Agent()
  media = await openSampleMedia()
})
afterAll(async () => {
  await media?.close()
  await agent?.destroy()
  await pds?.stop()
})

const sample = (caption: string, ...files: string[]): Sample => {
  const media = files.map((file) => ({ file, altText: `Shows ${file}` }))
  return { title: 'post', accountType: 'BLUESKY', caption, media }
}

/** A new account, and the world of its posts. `expired`: credentials whose time is over. */
async function newcomer(...expired: ('accessJwt' | 'refreshJwt')[]) {
  const { account, identity } = await pds.connect()
  const { externalId, username, endpoints } = identity
  const credentials = { ...identity.credentials }
  for (const name of expired) credentials[name] = pds.expired(credentials[name] ?? '')
  const world: World = {
    network,
    media,
    clock: createClock(),
    http: createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent }),
    backend: {
      account: { externalId, username, defaults: {} },
      credentials,
      endpoints: { ...endpoints, video: pds.videoUrl, web: 'https://bsky.app' },
      posts: async () => [],
      stop: async () => {},
    },
  }
  return { account, world, identity }
}

/** A call as another program of the account's owner makes it. */
async function byOwner({ did, password }: PdsAccount, method: string, body: object): Promise<void> {
  const signIn = { body: { identifier: did, password } }
  const { accessJwt } = await pds.call<{ accessJwt: string }>('com.atproto.server.createSession', signIn)
  await pds.call(method, { token: `Bearer ${accessJwt}`, body })
}

/** Posts from a new account, and gives what the server holds then. */
async function send(post: Sample, trouble: Trouble = {}, more: (world: World) => Partial<World> = () => ({})) {
  const { world, account } = await newcomer()
  const delivered = await deliver({ ...world, ...more(world) }, post, trouble)
  const permalink = expect.stringContaining(`/profile/${account.did}/post/`)
  expect(delivered.post).toMatchObject({ kind: 'made', permalink })
  const [held] = await pds.posts(account.did)
  const bytes = (blob?: { ref: { $link: string } }) => pds.blob(account.did, blob?.ref.$link ?? '')
  return { ...held?.value, bytes, kinds: delivered.log.map(({ outcome }) => outcome.kind) }
}

describe('what the server holds', () => {
  test('text as it was asked for, with links, tags and mentions at the right bytes', async () => {
    const { did, handle } = await pds.createAccount('miller')
    const caption = ` 🥖 Ümläut (https://example.com/ä?b=c). @${handle}, @nobody.test and @${handle} #bäckerei\n\n\n\n#bread! example.com/x `
    const { text, facets = [] } = await send(sample(caption))
    expect(text).toBe(caption)
    const found = facets.map(({ index: { byteStart, byteEnd }, features }) => [
      Buffer.from(caption).subarray(byteStart, byteEnd).toString(),
      ...features,
    ])
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

  test('images: as they are, or without what they tell about the place', async () => {
    const { embed, bytes } = await send(sample('', 'transparent.png', 'photo.jpg'))
    const [plain, photo] = embed?.images ?? []
    const aspectRatio = { width: 900, height: 1200 }
    expect(photo).toMatchObject({ alt: 'Shows photo.jpg', image: { mimeType: 'image/jpeg' }, aspectRatio })
    expect((await bytes(plain?.image)).equals(await fixture('transparent.png'))).toBe(true)
    const [before, sent] = [await fixture('photo.jpg'), await bytes(photo?.image)]
    expect([before.includes('Exif'), sent.includes('Exif')]).toEqual([true, false])
  })

  test('more than four images as a gallery', async () => {
    const { embed } = await send(sample('', ...Array(20).fill('transparent.png')))
    const $type = 'app.bsky.embed.gallery'
    const item = { $type: `${$type}#image`, alt: 'Shows transparent.png', aspectRatio: { width: 600, height: 400 } }
    expect(embed).toMatchObject({ $type, items: Array(20).fill(item) })
  })

  test('a card of the first link, with its picture, and the language', async () => {
    const image = await fixture('photo.jpg')
    const card = { title: 'Bread', description: 'Fresh each day' }
    const { embed, langs, bytes } = await send(sample('Look: https://example.com/bread'), {}, ({ backend }) => ({
      backend: { ...backend, account: { ...backend.account, defaults: { languageCode: 'pt-BR' } } },
      preview: async () => ({ ...card, image }),
    }))
    expect(langs).toEqual(['pt-BR'])
    const external = { uri: 'https://example.com/bread', ...card }
    expect(embed).toMatchObject({ $type: 'app.bsky.embed.external', external })
    expect((await bytes(embed?.external?.thumb)).equals(image)).toBe(true)
  })

  test.each([
    ['video-vp9.webm', undefined],
    ['animated.gif', 'gif'],
  ])('%s as the MP4 that the video service makes of it', async (file, presentation) => {
    const { embed } = await send(sample('Watch', file))
    expect(embed).toMatchObject({ $type: 'app.bsky.embed.video', video: { mimeType: 'video/mp4' } })
    expect(embed?.presentation).toBe(presentation)
  })

  /** The video service takes no videos of the account. */
  const forbidding: Trouble = {
    intercept: async ({ request, send }) =>
      request.url.includes('uploadVideo') ? answer(403, { error: 'UploadForbidden', message: 'No' }) : send(),
  }

  test.each([
    ['straight to the server when the video service declines it', forbidding, false],
    ['by the video service', {}, true],
  ])('a video, %s: as it is, and that of a phone as an MP4 without its place', async (_, trouble, isAwaited) => {
    const short = await send(sample('Watch', 'video-short.mp4'), trouble)
    expect(short.kinds.includes('waiting')).toBe(isAwaited)
    expect(short.embed).toMatchObject({ alt: 'Shows video-short.mp4', aspectRatio: { width: 320, height: 180 } })
    expect((await short.bytes(short.embed?.video)).equals(await fixture('video-short.mp4'))).toBe(true)

    const film = await writePhoneFilm()
    const { embed, bytes } = await send(sample('Watch', film.path), trouble)
    await film.remove()
    expect(embed).toMatchObject({ aspectRatio: { width: 180, height: 320 }, video: { mimeType: 'video/mp4' } })
    const held = await bytes(embed?.video)
    expect([held.toString('latin1', 4, 12), held.includes(PLACE)]).toEqual(['ftypisom', false])
  })
})

describe('sessions', () => {
  test('one that expires right before the visible call is refreshed, and says when it ends', async () => {
    const hoursTo = (end: Date | null) => ((end?.getTime() ?? 0) - Date.now()) / 3_600_000
    const { world, account, identity } = await newcomer('accessJwt')
    expect(identity).toMatchObject({ externalId: account.did, username: account.handle, endpoints: { pds: pds.url } })
    expect(hoursTo(identity.expiresAt)).toBeCloseTo(2, 1)
    const delivery = await openDelivery(world, sample('Late'))
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'reconnect', mayRefresh: true })
    const refreshed = await delivery.refresh()
    if (refreshed.kind !== 'refreshed') throw new Error(refreshed.message)
    expect(refreshed.credentials.refreshJwt).not.toBe(identity.credentials.refreshJwt)
    expect(hoursTo(refreshed.expiresAt)).toBeCloseTo(2, 1)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect(await pds.posts(account.did)).toHaveLength(1)
  })

  test('a refresh token whose time is over is dead, and so is one whose app password was revoked', async () => {
    const [expired, revoked] = [await newcomer('refreshJwt'), await newcomer()]
    await byOwner(revoked.account, 'com.atproto.server.revokeAppPassword', { name: 'almanac' })
    for (const { world } of [expired, revoked]) {
      expect(await (await openDelivery(world, sample('Never'))).refresh()).toMatchObject({ kind: 'dead' })
    }
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
  ])('%s', async (_, post, reason, before) => {
    const { world, account } = await newcomer()
    await before?.(account)
    expect((await deliver(world, post)).post).toMatchObject({ kind: 'failed', reason })
  })
})

/** What the owner's other programs do in the place of a post. */
test('another record there is left alone, an edited post is found, a deleted one is absent', async () => {
  const [stranger, own] = [await newcomer(), await newcomer()]
  async function prepared({ world, account }: typeof own) {
    const delivery = await openDelivery(world, sample('Mine'))
    await delivery.call('prepare')
    const place = { repo: account.did, collection: POSTS, rkey: delivery.handles().rkey }
    const write = (text: string, createdAt: unknown) =>
      byOwner(account, 'com.atproto.repo.putRecord', { ...place, record: { $type: POSTS, text, createdAt } })
    return { delivery, write, remove: () => byOwner(account, 'com.atproto.repo.deleteRecord', place) }
  }
  const theirs = await prepared(stranger)
  await theirs.write('Theirs', '2026-01-01T00:00:00.000Z')
  expect(await theirs.delivery.call('publish')).toMatchObject({ kind: 'unknown' })
  expect(await theirs.delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  expect(await pds.posts(stranger.account.did)).toMatchObject([{ value: { text: 'Theirs' } }])

  const { delivery, write, remove } = await prepared(own)
  await delivery.call('publish')
  await write('Edited', delivery.handles().createdAt)
  expect(await delivery.call('find')).toMatchObject({ kind: 'found' })
  await remove()
  expect(await delivery.call('find')).toEqual({ kind: 'absent' })
})
