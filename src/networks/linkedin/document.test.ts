import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { pdf } from '../../../test/_util/files/pdf.ts'
import { answer, checked, type Instead, lost, reported, type Stage } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { fileOfDocument, shownTitle } from './document.ts'
import { checkPost } from './rules.ts'
import { bodiesOf, openStage, POST, sample, type Type } from './testing-posts.ts'

const PAGE = 'LINKEDIN_PAGE'
const PERSON = 'LINKEDIN_PERSONAL'
const file = { file: 'documents/groff.pdf' }
const pictures = [{ file: 'photo.jpg' }, { file: 'transparent.png' }, { file: 'animated.gif' }]
const titled = (documentTitle: string) => ({ options: { documentTitle } })
const document = (type: Type) => sample(type, { media: [file] })
const pages = (type: Type) => sample(type, { media: pictures, fields: titled('Our bread') })

describe('what is refused', () => {
  const pdfFacts: Partial<MediaFacts> = { type: 'DOCUMENT', mimeType: 'application/pdf', pages: 3 }
  const item = (more: Partial<MediaFacts> = {}, words: Partial<CheckedMedia> = {}) =>
    checked({ ...pdfFacts, ...more }, words)
  const image = checked({})
  const codes = (media: readonly CheckedMedia[], title?: string) =>
    reported(checkPost({ accountType: PAGE, caption: '', fields: title === undefined ? {} : titled(title), media }))

  test.each<[string, CheckedMedia[], string | undefined, string[]]>([
    ['a document alone', [item()], undefined, []],
    ['with a title of 400', [item()], 'a'.repeat(400), []],
    ['with a title of 401', [item()], 'a'.repeat(401), ['options.documentTitle field_too_long']],
    ['with half a character', [item()], '\ud83e', ['options.documentTitle field_invalid']],
    ['of 100 MB', [item({ bytes: 100_000_000 })], undefined, []],
    ['of more', [item({ bytes: 100_000_001 })], undefined, ['media.0 media_size']],
    ['two of them', [item(), item()], undefined, ['media media_count']],
    ['beside a picture', [item(), image], undefined, ['media media_mix']],
    ['beside a picture, with a title', [item(), image], 'Bread', ['media media_mix']],
    ['beside a video', [checked({ type: 'VIDEO' }), item()], undefined, ['media media_mix']],
    ['with an alternative text', [item({}, { altText: 'Bread' })], undefined, ['media.0.altText field_invalid?']],
    ['50 pages', Array(50).fill(image), 'Bread', []],
    ['50 pictures without a title', Array(50).fill(image), ' ', ['media media_count']],
    ['a title of one picture', [image], 'Bread', ['options.documentTitle field_invalid?']],
    ['a title of a text', [], 'Bread', ['caption caption_required', 'options.documentTitle field_invalid?']],
  ])('%s', (_, media, title, expected) => expect(codes(media, title)).toEqual(expected))
})

let stage: Stage
afterEach(() => stage?.close())
const start = async (type: Type) => {
  stage = await openStage(type)
}
const begun = () => stage.sent.filter(({ url }) => url.includes('documents?action=initializeUpload'))
const puts = () => stage.sent.filter(({ method }) => method === 'PUT')
const contents = () => bodiesOf(stage).map((body) => JSON.parse(body).content)
const refusal = (status: number, message: string, code?: string) => answer(status, { message, status, code })
const urn = expect.stringMatching(/^urn:li:document:/)

test.each([PAGE, PERSON] as const)('%s: a document goes out under the name of its file', async (type) => {
  await start(type)
  const { post } = await stage.deliver(document(type))
  expect(post.kind).toBe('made')
  expect(contents()).toEqual([{ media: { id: urn, title: 'groff' } }])
  expect(puts()).toMatchObject([{ headers: { 'content-type': 'application/pdf', 'content-length': '6732' } }])
  expect(await stage.posts()).toMatchObject([{ media: 1 }])
})

describe('of a page', () => {
  beforeEach(() => start(PAGE))

  test('with a title of its own', async () => {
    await stage.deliver(sample(PAGE, { media: [file], fields: titled(' Recipes ') }))
    expect(contents()).toEqual([{ media: { id: urn, title: 'Recipes' } }])
  })

  test('several pictures with a title are one document, of which LinkedIn gets the same bytes each time', async () => {
    const delivery = await stage.open(pages(PAGE))
    const media = await stage.world.media.of(pictures)
    const attempt = { post: { fields: titled('Our bread'), media } } as never
    const [first, again] = await Promise.all(
      [0, 1].map(async () => {
        const made = await fileOfDocument(attempt)
        const bytes = await buffer(await made.open())
        expect(made.facts).toMatchObject({ mimeType: 'application/pdf', bytes: bytes.length, pages: 3 })
        return createHash('sha256').update(bytes).digest('hex')
      }),
    )
    expect(again).toBe(first)
    expect(shownTitle(attempt)).toBe('Our bread')
    expect(delivery.handles()).toEqual({})
    await stage.deliver(pages(PAGE))
    expect(contents()).toEqual([{ media: { id: urn, title: 'Our bread' } }])
    expect(begun()).toHaveLength(1)
  })

  const taken: Instead = ({ send }) => send().then(() => lost)
  const fault = answer(500, { message: 'No', status: 500 })
  test.each<[string, string, Instead, number, number]>([
    ['the answer to the beginning is lost', 'POST rest/documents', taken, 2, 1],
    ['the answer to the bytes is lost', 'PUT /0', taken, 2, 2],
    ['the network has a fault', 'POST rest/documents', fault, 1, 1],
  ])('%s: it is uploaded again, and one post is made', async (_, call, instead, times, sent) => {
    const { post } = await stage.deliver(document(PAGE), stage.on(call, instead))
    expect(post.kind).toBe('made')
    expect([begun().length, puts().length]).toEqual([times, sent])
    expect(await stage.posts()).toHaveLength(1)
  })

  test('a lost answer to the post is found by the urn of its document', async () => {
    const { post } = await stage.deliver(
      document(PAGE),
      stage.on(POST, ({ send }) => send().then(() => lost)),
    )
    expect(post.kind).toBe('made')
    expect(bodiesOf(stage)).toHaveLength(1)
    expect(await stage.posts()).toHaveLength(1)
  })

  test.each([
    ['protected', { status: 'PROCESSING_FAILED', processingFailureReason: 'The file is protected by a password' }],
    ['worked on without an end', { status: 'PROCESSING' }],
  ])('one that is %s is uploaded once more, then refused', async (_, status) => {
    const { post } = await stage.deliver(document(PAGE), {
      intercept: async ({ request, send }) => (request.method === 'GET' ? answer(200, status) : send()),
    })
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringContaining('the document'),
    })
    expect(begun()).toHaveLength(2)
    expect(bodiesOf(stage)).toEqual([])
  })

  test('one that is too large is refused', async () => {
    const { post } = await stage.deliver(document(PAGE), stage.on('PUT /0', refusal(413, 'The request is too large')))
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
  })
})

test('of a person, whose apps may not ask, the post itself asks, without spending attempts', async () => {
  await start(PERSON)
  const waiting = refusal(400, 'The document is still being processed')
  const { post, log } = await stage.deliver(document(PERSON), stage.on(POST, waiting, { times: 5 }))
  expect(post.kind).toBe('made')
  const pauses = log.flatMap(({ outcome }) => (outcome.kind === 'retry' ? [outcome] : []))
  expect(pauses).toMatchObject(Array(5).fill({ from: 'publish', countsAsAttempt: false }))
})

test('the simulator refuses what LinkedIn refuses', async () => {
  await start(PAGE)
  const { externalId: owner } = stage.world.backend.account
  const distribution = { feedDistribution: 'MAIN_FEED' }
  const usual = { author: owner, commentary: '', visibility: 'PUBLIC', lifecycleState: 'PUBLISHED', distribution }
  const said = ({ status, text }: { status: number; text: string }) =>
    [status, /"code":"(\w+)"/.exec(text)?.[1]].filter(Boolean).join(' ')
  const state = async (id: string) => (await stage.api<Record<string, string>>(`GET rest/documents/${id}`)).json
  const send = async (bytes: Buffer) => {
    const ask = { initializeUploadRequest: { owner } }
    const begin = await stage.api<{ value: { document: string; uploadUrl: string } }>(
      'POST rest/documents?action=initializeUpload',
      ask,
    )
    const { document: id, uploadUrl } = begin.json.value
    expect(await state(id)).toMatchObject({ status: 'WAITING_UPLOAD' })
    const put = await stage.api(`PUT ${uploadUrl.slice(uploadUrl.indexOf('/web/'))}`, undefined, { body: bytes })
    return { id, put: put.status }
  }
  const post = async (media: object) => said(await stage.api(POST, { ...usual, content: { media } }))

  const { id } = await send(pdf())
  expect(await post({ id, title: 'Bread' })).toBe('400')
  expect(await state(id)).toMatchObject({ status: 'PROCESSING' })
  stage.pass(3_000)
  expect(await state(id)).toMatchObject({ status: 'AVAILABLE' })
  expect(await post({ id })).toBe('422')
  expect(await post({ id, title: 'a'.repeat(401) })).toBe('400 FIELD_LENGTH_TOO_LONG')
  expect(await post({ id, title: 'Bread', altText: 'Bread' })).toBe('422')
  expect(await post({ id, title: 'Bread' })).toBe('201')
  const images = [{ id }, { id }]
  expect(said(await stage.api(POST, { ...usual, content: { multiImage: { images } } }))).toBe('400 INVALID_URN_TYPE')

  for (const [bytes, why] of [
    [pdf({ trailer: '/Encrypt 3 0 R' }), 'protected by a password'],
    [pdf({ pages: 301 }), '301 pages'],
    [pdf().subarray(0, 300), 'could not be read'],
    [Buffer.from('GIF89a'), 'could not be read'],
  ] as const) {
    const sent = await send(Buffer.from(bytes))
    stage.pass(3_000)
    const failed = { status: 'PROCESSING_FAILED', processingFailureReason: expect.stringContaining(why) }
    expect(await state(sent.id)).toMatchObject(failed)
    expect(await post({ id: sent.id, title: 'Bread' })).toBe('400 MEDIA_ASSET_PROCESSING_FAILED')
  }
})
