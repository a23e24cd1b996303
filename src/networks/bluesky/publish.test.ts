import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/harness.ts'
import { answer, fixture, lost, openStage, page, type Stage } from '../kit/testing.ts'
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
  const media = files.map((file) => ({ file, altText: `Shows ${file}` }))
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
    expect([embed, langs]).toEqual([cardOf({ uri: 'https://example.com/one', thumb }), undefined])
  })

  test('has what there is, and is not looked for without a link, nor beside media', async () => {
    preview = { title: 'Bread', description: '', image: null }
    expect((await recordOf(post(LINK))).embed).toEqual(cardOf({ description: '' }))
    preview = null
    expect((await recordOf(post(LINK))).embed).toBeUndefined()
    asked = []
    await recordOf(post('No link @baker.test #bread'))
    await recordOf(post(LINK, 'transparent.png'))
    expect(asked).toEqual([])
  })

  test('goes out without its picture when that meets a fault, and does not wait', async () => {
    for (const instead of [error(400, 'InvalidImage'), page(502), lost]) {
      const { embed, kinds } = await recordOf(post(LINK), stage.on(UPLOAD, instead))
      expect([embed, kinds]).toEqual([cardOf(), ['ready', 'published']])
    }
  })

  test('keeps its picture when the sign-in has to be refreshed, and is looked for once', async () => {
    const delivery = await stage.fenced(post(LINK))
    await delivery.call('prepare')
    expect(asked).toEqual([LINK])
    const { embed } = await recordOf(post(LINK), stage.on(UPLOAD, error(400, 'ExpiredToken')))
    expect(embed).toEqual(cardOf({ thumb }))
  })

  test.each([
    [post(LINK), cardOf({ thumb })],
    [post('', 'transparent.png'), { images: [{ image: { mimeType: 'image/png' } }] }],
  ])('is made again when the server has dropped its picture, as files are: %j', async (sample, expected) => {
    const { embed } = await recordOf(sample, stage.on(PUT, error(400, 'BlobNotFound')))
    expect(embed).toMatchObject(expected)
    expect(stage.calls(UPLOAD)).toHaveLength(2)
  })
})

test('more than four images are a gallery: as they are, or without what they tell about the place', async () => {
  const { account } = stage.world.backend
  stage.world.backend.account = { ...account, defaults: { languageCode: 'pt-BR' } }
  const { embed, langs } = await recordOf(post('', 'photo.jpg', ...Array(4).fill('transparent.png')))
  const $type = 'app.bsky.embed.gallery'
  const item = (file: string, mimeType: string, width: number, height: number) => {
    return { $type: `${$type}#image`, alt: `Shows ${file}`, image: { mimeType }, aspectRatio: { width, height } }
  }
  const items = [
    item('photo.jpg', 'image/jpeg', 900, 1200),
    ...Array(4).fill(item('transparent.png', 'image/png', 600, 400)),
  ]
  expect({ embed, langs }).toMatchObject({ embed: { $type, items }, langs: ['pt-BR'] })
  const [photo, plain] = stage.calls(UPLOAD).map(({ request }) => Number(request.headers?.['content-length']))
  expect(plain).toBe((await fixture('transparent.png')).length)
  expect(photo).not.toBe((await fixture('photo.jpg')).length)
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
