import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sample } from '../conformance/harness.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, openStage, page, type Stage } from '../kit/testing.ts'
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
/** Delivers a post that is made, and gives the record that was sent last. */
async function recordOf(sample: Sample, ...[call, instead, options]: Partial<Parameters<Stage['on']>>) {
  const delivered = await stage.deliver(sample, call && instead ? stage.on(call, instead, options) : {})
  expect(delivered.post).toMatchObject({ kind: 'made' })
  return { ...sentRecord(), kinds: delivered.log.map(({ outcome }) => outcome.kind) }
}
const sentRecord = () => stage.calls(PUT).at(-1)?.json.record as { embed?: object; createdAt: string; langs?: string[] }
const external = { uri: 'https://example.com', title: 'Bread', description: 'Fresh each day' }
const thumb = { $type: 'blob', ref: { $link: expect.any(String) }, mimeType: 'image/jpeg', size: 4 }
const cardOf = (more: object) => ({ $type: 'app.bsky.embed.external', external: { ...external, ...more } })
const wait = answer(429, { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' })

describe('the card of a link', () => {
  test('shows title, description and picture of the first link in the text', async () => {
    const { embed, langs } = await recordOf(post('🥖 example.com/one, https://example.org/two'))
    expect(asked).toEqual(['https://example.com/one'])
    const headers = { 'content-type': 'image/jpeg', 'content-length': '4' }
    expect(stage.calls(UPLOAD)[0]?.request.headers).toMatchObject(headers)
    expect(embed).toEqual(cardOf({ uri: 'https://example.com/one', thumb }))
    // The connection says none.
    expect(langs).toBeUndefined()
  })

  test.each<[string, LinkPreview | null, object | undefined]>([
    [
      'has no picture where the page has none',
      { title: 'Bread', description: '', image: null },
      cardOf({ description: '' }),
    ],
    ['is left out where the page says nothing', null, undefined],
  ])('%s', async (_, preview, embed) => {
    found = preview
    expect((await recordOf(post('https://example.com'))).embed).toEqual(embed)
  })

  test('is not looked for without a link, nor beside media', async () => {
    await recordOf(post('No link @baker.test #bread'))
    const { embed } = await recordOf(post('https://example.com', { media: [{ file: 'transparent.png' }] }))
    expect(asked).toEqual([])
    expect(embed).toMatchObject({ $type: 'app.bsky.embed.images' })
  })

  test.each<[string, HttpResult]>([
    ['is refused', answer(400, { error: 'InvalidImage', message: 'no' })],
    ['is too large', answer(413, { error: 'PayloadTooLarge', message: 'no' })],
    ['meets a fault', page(502)],
    ['gets no answer', lost],
  ])('goes out without its picture when that %s, and does not wait', async (_, instead) => {
    const { embed, kinds } = await recordOf(post('https://example.com'), UPLOAD, instead)
    expect(embed).toEqual(cardOf({}))
    expect(kinds).toEqual(['ready', 'published'])
  })

  test('keeps its picture when the sign-in has to be refreshed for it', async () => {
    const expired = answer(400, { error: 'ExpiredToken', message: 'Token has expired' })
    expect((await recordOf(post('https://example.com'), UPLOAD, expired)).embed).toEqual(cardOf({ thumb }))
  })

  test('is looked for once, however often the post is tried', async () => {
    await recordOf(post('https://example.com'), PUT, wait, { times: 2 })
    const delivery = await stage.open(post('https://example.com/again'))
    await delivery.call('prepare')
    await delivery.call('prepare')
    expect(asked).toEqual(['https://example.com', 'https://example.com/again'])
  })

  test('gets its picture again when the server has dropped it', async () => {
    await recordOf(post('https://example.com'), PUT, answer(400, { error: 'BlobNotFound', message: 'Gone' }))
    expect(stage.calls(UPLOAD)).toHaveLength(2)
  })
})

describe('the time of a post', () => {
  const now = () => stage.world.clock.now().getTime()
  const timeOf = ({ createdAt }: { createdAt: string }) => new Date(createdAt).getTime()

  test('is that of its last try', async () => {
    const began = now()
    const sent = await recordOf(post('Later'), PUT, wait, { times: 3 })
    expect(timeOf(sent) - began).toBeGreaterThanOrEqual(3 * 300_000)
    expect(now() - timeOf(sent)).toBeLessThan(60_000)
  })

  test('is that of the visible call of a post that was prepared long before', async () => {
    const delivery = await stage.fenced(post('Prepared'))
    stage.pass(30 * 60_000)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect(Math.abs(now() - timeOf(sentRecord()))).toBeLessThan(60_000)
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
