import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFixture } from '../../../test/_util/file-server.ts'
import { type ConnectedAccount, type Pds, startPds } from '../../../test/_util/pds.ts'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import { deliver } from '../conformance/deliver.ts'
import { createClock, openDelivery, type Trouble, type World } from '../conformance/delivery.ts'
import { openSampleMedia, type Sample } from '../conformance/index.ts'
import { createHttp } from '../kit/http.ts'
import { network } from './index.ts'
import { LIMITS } from './manifest.ts'
import { POSTS } from './post-record.ts'

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

const sample = (caption: string, ...files: string[]): Sample => ({
  title: 'post',
  accountType: 'BLUESKY',
  caption,
  media: files.map((file) => ({ file, altText: `Shows ${file}` })),
})

async function newcomer(options: { credentials?: Record<string, string> } = {}) {
  const connected = await pds.connect()
  return { ...connected, world: worldOf(connected, options.credentials) }
}

function worldOf({ identity }: ConnectedAccount, credentials: Record<string, string> = {}): World {
  return {
    network,
    media,
    clock: createClock(),
    http: createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent }),
    backend: {
      account: { externalId: identity.externalId, username: identity.username, defaults: {} },
      credentials: { ...identity.credentials, ...credentials },
      endpoints: { ...identity.endpoints, video: pds.videoUrl, web: 'https://bsky.app' },
      posts: async () => [],
      stop: async () => {},
    },
  }
}

/** The video service takes no videos of the account. */
const forbidding: Trouble = {
  async intercept({ request, send }) {
    if (!request.url.includes('app.bsky.video.uploadVideo')) return send()
    const text = '{"error":"UploadForbidden","message":"Email is not confirmed"}'
    return { kind: 'answer', status: 403, headers: {}, text, json: JSON.parse(text) }
  },
}

describe('what the server holds', () => {
  test('text as it was asked for, with links, tags and mentions at the right bytes', async () => {
    const friend = await pds.createAccount('miller')
    const { world, account } = await newcomer()
    const caption = ` 🥖 Ümläut (https://example.com/ä?b=c). @${friend.handle}, @nobody.test and @${friend.handle} #bäckerei\n\n\n\n#bread! example.com/x `
    const { post } = await deliver(world, sample(caption))
    expect(post).toMatchObject({
      kind: 'made',
      permalink: expect.stringContaining(`https://bsky.app/profile/${account.did}/post/`),
    })
    const [held] = await pds.posts(account.did)
    expect(held?.value.text).toBe(caption)
    const bytes = Buffer.from(caption)
    const facets = (held?.value.facets ?? []).map(({ index, features }) => [
      bytes.subarray(index.byteStart, index.byteEnd).toString(),
      ...features,
    ])
    const link = (uri: string) => ({ $type: 'app.bsky.richtext.facet#link', uri })
    const tag = (word: string) => ({ $type: 'app.bsky.richtext.facet#tag', tag: word })
    const mention = { $type: 'app.bsky.richtext.facet#mention', did: friend.did }
    expect(facets).toHaveLength(6)
    expect(facets).toEqual(
      expect.arrayContaining([
        ['https://example.com/ä?b=c', link('https://example.com/ä?b=c')],
        [`@${friend.handle}`, mention],
        ['#bäckerei', tag('bäckerei')],
        ['#bread', tag('bread')],
        ['example.com/x', link('https://example.com/x')],
      ]),
    )
    expect(facets.filter(([word]) => word === `@${friend.handle}`)).toHaveLength(2)
  })

  test('images: as they are, or without what they tell about the place', async () => {
    const { world, account } = await newcomer()
    await deliver(world, sample('', 'transparent.png', 'photo.jpg', 'animated.gif'))
    const [held] = await pds.posts(account.did)
    const images = held?.value.embed?.images ?? []
    expect(images).toMatchObject([
      { alt: 'Shows transparent.png', image: { mimeType: 'image/png' }, aspectRatio: { width: 600, height: 400 } },
      { alt: 'Shows photo.jpg', image: { mimeType: 'image/jpeg' }, aspectRatio: { width: 900, height: 1200 } },
      { alt: 'Shows animated.gif', image: { mimeType: 'image/jpeg' }, aspectRatio: { width: 160, height: 120 } },
    ])
    const bytes = await Promise.all(images.map(({ image }) => pds.blob(account.did, image.ref.$link)))
    expect(bytes[0]?.equals(await readFixture('transparent.png'))).toBe(true)
    const [item] = await media.of([{ file: 'photo.jpg' }])
    const clean = await item?.source.rendition({ format: 'jpeg', maxBytes: LIMITS.imageBytes.value })
    expect(bytes[1]?.equals(Buffer.concat((await (await clean?.open())?.toArray()) ?? []))).toBe(true)
    expect((await readFixture('photo.jpg')).includes('Exif')).toBe(true)
    expect(bytes[1]?.includes('Exif')).toBe(false)
  })

  test('more than four images as a gallery', async () => {
    const { world, account } = await newcomer()
    await deliver(world, sample('', ...Array(20).fill('transparent.png')))
    const [held] = await pds.posts(account.did)
    expect(held?.value.embed?.$type).toBe('app.bsky.embed.gallery')
    expect(held?.value.embed?.items).toHaveLength(20)
    expect(held?.value.embed?.items?.[19]).toMatchObject({
      $type: 'app.bsky.embed.gallery#image',
      alt: 'Shows transparent.png',
      aspectRatio: { width: 600, height: 400 },
    })
  })

  test('a card of the first link, with its picture, and the language', async () => {
    const { world, account } = await newcomer()
    const image = await readFixture('photo.jpg')
    const { backend } = world
    const at = { ...backend, account: { ...backend.account, defaults: { languageCode: 'pt-BR' } } }
    const preview = async () => ({ title: 'Bread', description: 'Fresh each day', image })
    await deliver({ ...world, backend: at, preview }, sample('Look: https://example.com/bread'))
    const [held] = await pds.posts(account.did)
    expect(held?.value).toMatchObject({
      langs: ['pt-BR'],
      embed: {
        $type: 'app.bsky.embed.external',
        external: { uri: 'https://example.com/bread', title: 'Bread', description: 'Fresh each day' },
      },
    })
    const cid = held?.value.embed?.external?.thumb?.ref.$link ?? ''
    expect((await pds.blob(account.did, cid)).equals(image)).toBe(true)
  })

  test.each(['video-vp9.webm', 'animated.gif'])('%s as the MP4 that the video service makes of it', async (file) => {
    const { world, account } = await newcomer()
    const { post } = await deliver(world, sample('Watch', file))
    expect(post).toMatchObject({ kind: 'made' })
    const [held] = await pds.posts(account.did)
    const { $type, video, presentation } = held?.value.embed ?? {}
    expect({ $type, type: video?.mimeType }).toEqual({ $type: 'app.bsky.embed.video', type: 'video/mp4' })
    expect(presentation).toBe(file === 'animated.gif' ? 'gif' : undefined)
  })

  test.each([
    ['straight to the server when the video service declines it', false],
    ['by the video service', true],
  ])('a video, %s', async (_, videoService) => {
    const { world, account } = await newcomer()
    const { post, log } = await deliver(world, sample('Watch', 'video-short.mp4'), videoService ? {} : forbidding)
    expect(post).toMatchObject({ kind: 'made' })
    expect(log.some(({ outcome }) => outcome.kind === 'waiting')).toBe(videoService)
    const [held] = await pds.posts(account.did)
    expect(held?.value.embed).toMatchObject({ alt: 'Shows video-short.mp4', aspectRatio: { width: 320, height: 180 } })
    const cid = held?.value.embed?.video?.ref.$link ?? ''
    expect((await pds.blob(account.did, cid)).equals(await readFixture('video-short.mp4'))).toBe(true)
  })

  test.each([
    ['straight to the server when the video service declines it', false],
    ['by the video service', true],
  ])('a MOV of a phone as an MP4 without its place, %s', async (_, videoService) => {
    const film = await writePhoneFilm()
    const { world, account } = await newcomer()
    const { post } = await deliver(world, sample('Watch', film.path), videoService ? {} : forbidding)
    await film.remove()
    expect(post).toMatchObject({ kind: 'made' })
    const [held] = await pds.posts(account.did)
    expect(held?.value.embed).toMatchObject({ aspectRatio: { width: 180, height: 320 } })
    const video = held?.value.embed?.video
    expect(video).toMatchObject({ mimeType: 'video/mp4' })
    const bytes = await pds.blob(account.did, video?.ref.$link ?? '')
    expect(bytes.toString('latin1', 4, 12)).toBe('ftypisom')
    expect(bytes.includes(PLACE)).toBe(false)
  })

  test('a video that nobody makes an MP4 of is not sent', async () => {
    const { world, account } = await newcomer()
    const { post } = await deliver(world, sample('Watch', 'video-vp9.webm'), forbidding)
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(post.kind === 'failed' && post.message).toMatch(/The video has no MP4\. .* did not take the video before/)
    expect(await pds.posts(account.did)).toEqual([])
  })
})

describe('sessions', () => {
  test('an expired one is refreshed, and the refresh token changes', async () => {
    const { identity, account, ...connected } = await newcomer()
    const accessJwt = pds.expired(identity.credentials.accessJwt ?? '')
    const world = worldOf({ identity, account, ...connected }, { accessJwt })
    const { post, log } = await deliver(world, sample('Later', 'transparent.png'))
    expect(post).toMatchObject({ kind: 'made' })
    expect(log[0]).toMatchObject({ step: 'prepare', outcome: { kind: 'reconnect', mayRefresh: true } })
    expect(await pds.posts(account.did)).toHaveLength(1)
  })

  test('one that expires right before the visible call is refreshed too', async () => {
    const { identity, account, ...connected } = await newcomer()
    const world = worldOf(
      { identity, account, ...connected },
      { accessJwt: pds.expired(identity.credentials.accessJwt ?? '') },
    )
    const { post, log } = await deliver(world, sample('Text alone'))
    expect(post).toMatchObject({ kind: 'made' })
    expect(log.map(({ step, outcome }) => `${step} ${outcome.kind}`)).toEqual([
      'prepare ready',
      'publish reconnect',
      'publish published',
    ])
  })

  test('a refresh gives new tokens that work, with the time at which they end', async () => {
    const { world, identity } = await newcomer()
    const delivery = await openDelivery(world, sample('After'))
    const refreshed = await delivery.refresh()
    if (refreshed.kind !== 'refreshed') throw new Error(refreshed.message)
    expect(refreshed.credentials.refreshJwt).not.toBe(identity.credentials.refreshJwt)
    const hours = ((refreshed.expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(1.9)
    expect(hours).toBeLessThan(2.1)
    await delivery.call('prepare')
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
  })

  test('a refresh token whose time is over is dead', async () => {
    const { identity, ...connected } = await newcomer()
    const refreshJwt = pds.expired(identity.credentials.refreshJwt ?? '')
    const delivery = await openDelivery(worldOf({ identity, ...connected }, { refreshJwt }), sample('Never'))
    expect(await delivery.refresh()).toMatchObject({ kind: 'dead' })
  })
})

describe('what the server refuses', () => {
  test('a text that is too long, by characters and by bytes', async () => {
    const { world } = await newcomer()
    for (const text of ['a'.repeat(301), '👨‍👩‍👧‍👦'.repeat(121)]) {
      const { post } = await deliver(world, sample(text))
      expect(post).toMatchObject({ kind: 'failed', reason: 'CAPTION_TOO_LONG' })
    }
  })

  test('more images than a post may have', async () => {
    const { world } = await newcomer()
    const { post } = await deliver(world, sample('', ...Array(21).fill('transparent.png')))
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
  })

  test('a file that is larger than this server takes', async () => {
    const { world } = await newcomer()
    const { post } = await deliver(world, sample('', 'video-h264-aac.mp4'))
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
  })

  test('an account that was taken down', async () => {
    const { world, account } = await newcomer()
    await pds.takeDown(account.did)
    const { post } = await deliver(world, sample('Too late'))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_SUSPENDED' })
  })

  test('an account that its owner has deactivated', async () => {
    const { world, account } = await newcomer()
    await deactivate(account)
    const { post } = await deliver(world, sample('Too late'))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_RESTRICTED' })
  })

  test('an app password that was revoked: the session goes on, its refresh is dead', async () => {
    const { world, account } = await newcomer()
    const { accessJwt } = await signIn(account)
    const token = `Bearer ${accessJwt}`
    await pds.call('com.atproto.server.revokeAppPassword', { token, body: { name: 'almanac' } }).catch(() => {})
    const delivery = await openDelivery(world, sample('After'))
    expect(await delivery.refresh()).toMatchObject({ kind: 'dead' })
  })
})

describe('the place of a post', () => {
  test('files that the server has dropped are uploaded again', async () => {
    const { world, account } = await newcomer()
    const delivery = await openDelivery(world, sample('Again', 'transparent.png'))
    await delivery.call('prepare')
    const [blob] = delivery.handles().blobs as { ref: { $link: string } }[]
    const gone = { ...blob, ref: { $link: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku' } }
    delivery.keep({ blobs: [gone] })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'retry', from: 'prepare' })
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect(await pds.posts(account.did)).toHaveLength(1)
  })

  test('whatever else stands there is left alone', async () => {
    const { world, account } = await newcomer()
    const delivery = await openDelivery(world, sample('Mine'))
    await delivery.call('prepare')
    await write(account, delivery.handles().rkey, { text: 'Theirs', createdAt: '2026-01-01T00:00:00.000Z' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    expect((await pds.posts(account.did)).map(({ value }) => value.text)).toEqual(['Theirs'])
  })

  test('a post that was edited since is found, one that was deleted is absent', async () => {
    const { world, account } = await newcomer()
    const delivery = await openDelivery(world, sample('First'))
    await delivery.call('prepare')
    const { rkey, createdAt } = delivery.handles()
    await delivery.call('publish')
    await write(account, rkey, { text: 'Edited', createdAt })
    expect(await delivery.call('find')).toMatchObject({ kind: 'found' })
    const { accessJwt } = await signIn(account)
    const body = { repo: account.did, collection: POSTS, rkey }
    await pds.call('com.atproto.repo.deleteRecord', { token: `Bearer ${accessJwt}`, body })
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
  })
})

function signIn({ did, password }: { did: string; password: string }): Promise<{ accessJwt: string }> {
  return pds.call('com.atproto.server.createSession', { body: { identifier: did, password } })
}

async function deactivate(account: { did: string; password: string }): Promise<void> {
  const { accessJwt } = await signIn(account)
  await pds.call('com.atproto.server.deactivateAccount', { token: `Bearer ${accessJwt}`, body: {} })
}

/** Somebody else's program writes a post. */
async function write(account: { did: string; password: string }, rkey: unknown, record: object): Promise<void> {
  const { accessJwt } = await signIn(account)
  const body = { repo: account.did, collection: POSTS, rkey, record: { $type: POSTS, ...record } }
  await pds.call('com.atproto.repo.putRecord', { token: `Bearer ${accessJwt}`, body })
}
