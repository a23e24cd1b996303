import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sample } from '../conformance/harness.ts'
import { answer, openStage, page, type Stage } from '../kit/testing.ts'
import type { LinkPreview } from '../network.ts'
import { network } from './index.ts'

const PUT = 'POST com.atproto.repo.putRecord'
const UPLOAD = 'POST com.atproto.repo.uploadBlob'

let stage: Stage
/** Pages that were asked for. */
let asked: string[] = []
let found: LinkPreview | null = null

beforeAll(async () => {
  stage = await openStage(network, 'BLUESKY', { base: 'pds/xrpc' })
  stage.world.preview = async (url) => {
    asked.push(url)
    return found
  }
})
afterAll(() => stage?.close())
beforeEach(() => {
  stage.exchanged.length = 0
  asked = []
  found = { title: 'Bread', description: 'Fresh each day', image: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) }
})

const post = (caption: string, more: Partial<Sample> = {}): Sample => ({
  title: 'post',
  accountType: 'BLUESKY',
  caption,
  ...more,
})
interface Sent {
  record: { embed?: object; createdAt: string; langs?: string[] }
}
const sentRecord = () => ((stage.calls(PUT).at(-1)?.json ?? {}) as unknown as Sent).record

describe('the card of a link', () => {
  test('shows title, description and picture of the first link in the text', async () => {
    const { post: ending } = await stage.deliver(post('🥖 example.com/one, https://example.org/two'))
    expect(ending).toMatchObject({ kind: 'made' })
    expect(asked).toEqual(['https://example.com/one'])
    expect(stage.calls(UPLOAD)[0]?.request.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '4',
    })
    expect(sentRecord().embed).toEqual({
      $type: 'app.bsky.embed.external',
      external: {
        uri: 'https://example.com/one',
        title: 'Bread',
        description: 'Fresh each day',
        thumb: { $type: 'blob', ref: { $link: expect.any(String) }, mimeType: 'image/jpeg', size: 4 },
      },
    })
  })

  test('has no picture where the page has none', async () => {
    found = { title: 'Bread', description: '', image: null }
    await stage.deliver(post('https://example.com'))
    const external = { uri: 'https://example.com', title: 'Bread', description: '' }
    expect(sentRecord().embed).toEqual({ $type: 'app.bsky.embed.external', external })
  })

  test('is left out where the page says nothing', async () => {
    found = null
    const { post: ending } = await stage.deliver(post('https://example.com'))
    expect(ending).toMatchObject({ kind: 'made' })
    expect(sentRecord().embed).toBeUndefined()
  })

  test('is not looked for without a link, nor beside media', async () => {
    await stage.deliver(post('No link @baker.test #bread'))
    await stage.deliver(post('https://example.com', { media: [{ file: 'transparent.png' }] }))
    expect(asked).toEqual([])
    expect(sentRecord().embed).toMatchObject({ $type: 'app.bsky.embed.images' })
  })

  test.each([
    ['is refused', answer(400, { error: 'InvalidImage', message: 'no' })],
    ['is too large', answer(413, { error: 'PayloadTooLarge', message: 'no' })],
    ['meets a fault', page(502)],
    ['gets no answer', { kind: 'failed', sent: true, message: 'The connection broke.' } as const],
  ])('goes out without its picture when that %s, and does not wait', async (_, instead) => {
    const { post: ending, log } = await stage.deliver(post('https://example.com'), stage.on(UPLOAD, instead))
    expect(ending).toMatchObject({ kind: 'made' })
    expect(log.map(({ outcome }) => outcome.kind)).toEqual(['ready', 'published'])
    expect(sentRecord().embed).toMatchObject({ external: { title: 'Bread' } })
    expect(JSON.stringify(sentRecord().embed)).not.toContain('thumb')
  })

  test('keeps its picture when the sign-in has to be refreshed for it', async () => {
    const expired = stage.on(UPLOAD, answer(400, { error: 'ExpiredToken', message: 'Token has expired' }))
    const { post: ending } = await stage.deliver(post('https://example.com'), expired)
    expect(ending).toMatchObject({ kind: 'made' })
    expect(JSON.stringify(sentRecord().embed)).toContain('thumb')
  })

  test('is looked for once, however often the post is tried', async () => {
    const wait = answer(429, { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' })
    const { post: ending } = await stage.deliver(post('https://example.com'), stage.on(PUT, wait, { times: 2 }))
    expect(ending).toMatchObject({ kind: 'made' })
    const delivery = await stage.open(post('https://example.com/again'))
    await delivery.call('prepare')
    await delivery.call('prepare')
    expect(asked).toEqual(['https://example.com', 'https://example.com/again'])
  })

  test('gets its picture again when the server has dropped it', async () => {
    const dropped = answer(400, { error: 'BlobNotFound', message: 'Could not find blob' })
    const { post: ending } = await stage.deliver(post('https://example.com'), stage.on(PUT, dropped))
    expect(ending).toMatchObject({ kind: 'made' })
    expect(stage.calls(UPLOAD)).toHaveLength(2)
  })
})

describe('the time of a post', () => {
  const timeOf = () => new Date(sentRecord().createdAt).getTime()

  test('is that of its last try', async () => {
    const wait = answer(429, { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' })
    const began = stage.world.clock.now().getTime()
    const { post: ending } = await stage.deliver(post('Later'), stage.on(PUT, wait, { times: 3 }))
    expect(ending).toMatchObject({ kind: 'made' })
    expect(timeOf() - began).toBeGreaterThanOrEqual(3 * 300_000)
    expect(stage.world.clock.now().getTime() - timeOf()).toBeLessThan(60_000)
  })

  test('is that of the visible call of a post that was prepared long before', async () => {
    const delivery = await stage.fenced(post('Prepared'))
    stage.pass(30 * 60_000)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect(Math.abs(stage.world.clock.now().getTime() - timeOf())).toBeLessThan(60_000)
  })

  test('stays the same for a call that is repeated at once', async () => {
    const delivery = await stage.fenced(post('Twice'))
    const first = await delivery.call('publish')
    expect(first).toMatchObject({ kind: 'published' })
    expect(await delivery.call('publish')).toEqual(first)
  })

  test('of an earlier try shows that the record is ours', async () => {
    const delivery = await stage.fenced(post('Late answer'))
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    stage.pass(10 * 60_000)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(await delivery.call('find')).toMatchObject({ kind: 'found' })
    expect((await stage.posts()).filter(({ text }) => text === 'Late answer')).toHaveLength(1)
  })
})

describe('the language', () => {
  test.each([
    [{ languageCode: 'de' }, ['de']],
    [{}, undefined],
  ])('of the connection or the post is sent: %j', async (defaults, langs) => {
    const { world } = stage
    const { backend } = world
    world.backend = { ...backend, account: { ...backend.account, defaults } }
    await stage.deliver(post('Brot'))
    world.backend = backend
    expect(sentRecord()).toMatchObject({ text: 'Brot' })
    expect(sentRecord().langs).toEqual(langs)
  })
})
