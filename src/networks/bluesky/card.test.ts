import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/harness.ts'
import { answer, lost, openStage, page, type Stage } from '../kit/testing.ts'
import type { LinkPreview } from '../network.ts'
import { network } from './index.ts'

const [PUT, UPLOAD] = ['POST com.atproto.repo.putRecord', 'POST com.atproto.repo.uploadBlob']
const LINK = 'https://example.com'
const found = { title: 'Bread', description: 'Fresh each day', image: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) }

let stage: Stage
/** Pages that were asked for, and what they say of themselves. */
let asked: string[] = []
let preview: LinkPreview | null = null

beforeAll(async () => {
  stage = await openStage(network, 'BLUESKY', { base: 'pds/xrpc' })
  stage.world.preview = async (url) => {
    asked.push(url)
    return preview
  }
})
afterAll(() => stage?.close())
beforeEach(() => {
  stage.exchanged.length = 0
  asked = []
  preview = found
})

const post = (caption: string, ...files: string[]): Sample => {
  const media = files.map((file) => ({ file }))
  return { title: 'post', accountType: 'BLUESKY', caption, media }
}
const sentRecord = () => stage.calls(PUT).at(-1)?.json.record as { embed?: object; createdAt: string; langs?: string[] }
/** Delivers a post that is made, and gives the record that was sent last. */
async function recordOf(sample: Sample, trouble?: Trouble) {
  const delivered = await stage.deliver(sample, trouble)
  expect(delivered.post).toMatchObject({ kind: 'made' })
  return { ...sentRecord(), kinds: delivered.log.map(({ outcome }) => outcome.kind) }
}
const error = (status: number, name: string) => answer(status, { error: name, message: 'no' })
const thumb = { $type: 'blob', ref: { $link: expect.any(String) }, mimeType: 'image/jpeg', size: 4 }
const cardOf = (more: object = {}) => {
  const external = { uri: LINK, title: 'Bread', description: 'Fresh each day', ...more }
  return { $type: 'app.bsky.embed.external', external }
}

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
    ['has no picture', { title: 'Bread', description: '', image: null }, cardOf({ description: '' })],
    ['says nothing', null, undefined],
  ])('has what there is where the page %s', async (_, says, embed) => {
    preview = says
    expect((await recordOf(post(LINK))).embed).toEqual(embed)
  })

  test('is not looked for without a link, nor beside media', async () => {
    await recordOf(post('No link @baker.test #bread'))
    const { embed } = await recordOf(post(LINK, 'transparent.png'))
    expect(asked).toEqual([])
    expect(embed).toMatchObject({ $type: 'app.bsky.embed.images' })
  })

  test.each([
    ['is refused', error(400, 'InvalidImage')],
    ['meets a fault', page(502)],
    ['gets no answer', lost],
  ])('goes out without its picture when that %s, and does not wait', async (_, instead) => {
    const { embed, kinds } = await recordOf(post(LINK), stage.on(UPLOAD, instead))
    expect(embed).toEqual(cardOf())
    expect(kinds).toEqual(['ready', 'published'])
  })

  test.each([
    ['the sign-in has to be refreshed for it', UPLOAD, error(400, 'ExpiredToken'), 1],
    ['the server has dropped it', PUT, error(400, 'BlobNotFound'), 2],
  ])('keeps its picture when %s', async (_, call, instead, uploads) => {
    expect((await recordOf(post(LINK), stage.on(call, instead))).embed).toEqual(cardOf({ thumb }))
    expect(stage.calls(UPLOAD)).toHaveLength(uploads)
  })

  test('is looked for once, however often the post is prepared', async () => {
    const delivery = await stage.open(post(LINK))
    await delivery.call('prepare')
    await delivery.call('prepare')
    expect(asked).toEqual([LINK])
  })
})

test('files that the server has dropped are uploaded again', async () => {
  const { embed } = await recordOf(post('', 'transparent.png'), stage.on(PUT, error(400, 'BlobNotFound')))
  expect(embed).toMatchObject({ images: [{ image: { mimeType: 'image/png' } }] })
  expect(stage.calls(UPLOAD)).toHaveLength(2)
})

describe('the time of a post', () => {
  test('is that of the visible call of a post that was prepared long before', async () => {
    const delivery = await stage.fenced(post('Prepared'))
    stage.pass(30 * 60_000)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect(stage.world.clock.now().getTime() - Date.parse(sentRecord().createdAt)).toBeLessThan(60_000)
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
