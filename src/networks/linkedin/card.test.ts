import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, page, prepared, type Stage } from '../kit/testing.ts'
import type { LinkPreview } from '../network.ts'
import { answerOfField } from './outcomes.ts'
import { bodiesOf, openStage, POST, sample, type Type } from './testing-posts.ts'

const LINK = 'https://example.com/bread'
const JPEG = Buffer.from('\xff\xd8\xff\xd9', 'latin1')
const WORDS = { title: 'Bread', description: 'Fresh each day' }

let stage: Stage
let asked: string[]
let preview: LinkPreview | null
const open = async (type: Type) => {
  stage = await openStage(type)
  stage.world.preview = async (url) => {
    asked.push(url)
    return preview
  }
}
beforeEach(async () => {
  asked = []
  preview = { ...WORDS, image: JPEG }
  await open('LINKEDIN_PAGE')
})
afterEach(() => stage.close())

const post = (caption: string, more: object = {}) => sample('LINKEDIN_PAGE', { caption, ...more })
const contents = () => bodiesOf(stage).map((body) => JSON.parse(body).content)
const thumbnail = expect.stringMatching(/^urn:li:image:/)
const made = { kind: 'made' }

test('a post shows the page of the first link in its text, with its picture', async () => {
  const { post: ended } = await stage.deliver(post(`Look: ${LINK}, https://example.org/two`))
  expect(ended).toMatchObject(made)
  expect(asked).toEqual([LINK])
  expect(contents()).toEqual([{ article: { source: LINK, ...WORDS, thumbnail } }])
})

test.each<[string, LinkPreview | null, object | undefined]>([
  ['nothing of itself', null, undefined],
  ['no title', { title: ' ', description: 'Bread', image: JPEG }, undefined],
  ['a title alone', { title: 'Bread', description: '', image: null }, { article: { source: LINK, title: 'Bread' } }],
  [
    'more than is taken',
    { title: 'a'.repeat(500), description: 'b'.repeat(5_000), image: null },
    { article: { source: LINK, title: 'a'.repeat(399), description: 'b'.repeat(4_085) } },
  ],
])('of a page that says %s there is what can be', async (_, found, content) => {
  preview = found
  expect((await stage.deliver(post(LINK))).post).toMatchObject(made)
  expect(contents()).toEqual([content])
})

test.each([
  ['no link', post('Bread')],
  ['a file', post(LINK, { media: [{ file: 'photo.jpg' }] })],
  ['the choice of none', post(LINK, { fields: { options: { linkCard: 'OFF' } } })],
])('with %s no page is read', async (_, sent) => {
  expect((await stage.deliver(sent)).post).toMatchObject(made)
  expect(asked).toEqual([])
  expect(contents()[0]?.article).toBeUndefined()
})

test.each<[string, string, HttpResult]>([
  ['its upload is refused', 'initializeUpload', answer(400, answerOfField(400, 'INVALID', 'no').body)],
  ['its upload has no answer', 'initializeUpload', lost],
  ['its bytes are refused', 'PUT', page(502)],
  ['LinkedIn cannot use it', 'GET .*rest/images', answer(200, { status: 'PROCESSING_FAILED' })],
])('the card goes out without a picture when %s', async (_, call, instead) => {
  const { post: ended } = await stage.deliver(post(LINK), {
    intercept: async ({ request: { method, url }, send }) =>
      new RegExp(call).test(`${method} ${url}`) ? instead : send(),
  })
  expect(ended).toMatchObject(made)
  expect(contents()).toEqual([{ article: { source: LINK, ...WORDS } }])
})

test('the post waits for a picture that LinkedIn works on, for two minutes at the most', async () => {
  const working = answer(200, { status: 'PROCESSING' })
  const { post: ended, log } = await stage.deliver(post(LINK), {
    intercept: async ({ request, send }) =>
      request.method === 'GET' && request.url.includes('/rest/images/') ? working : send(),
  })
  expect(ended).toMatchObject(made)
  expect(log.some(({ outcome }) => outcome.kind === 'waiting')).toBe(true)
  expect(contents()).toEqual([{ article: { source: LINK, ...WORDS } }])
})

test.each([
  ['its picture', 'MEDIA_ASSET_PROCESSING_FAILED', 'The media asset failed'],
  ['its field', 'INVALID_VALUE_FOR_FIELD', '/content/article/thumbnail is not taken'],
])('what LinkedIn does not take of a card is left out: %s', async (_, code, words) => {
  const refused = answerOfField(400, code, words)
  const { post: ended } = await stage.deliver(post(LINK), stage.on(POST, answer(400, refused.body)))
  expect(ended).toMatchObject(made)
  expect(contents()).toEqual([{ article: { source: LINK, ...WORDS } }])
})

test('a card that is refused without a picture too is left out whole', async () => {
  const refused = answer(400, answerOfField(400, 'INVALID_VALUE_FOR_FIELD', '/content/article/source').body)
  const { post: ended } = await stage.deliver(post(LINK), stage.on(POST, refused, { times: 2 }))
  expect(ended).toMatchObject(made)
  expect(contents().at(-1)).toBeUndefined()
  expect(asked).toEqual([LINK])
})

test('a post is known by the picture of its card, even when the text was edited', async () => {
  const delivery = await stage.fenced(post(LINK), stage.on(POST, lost))
  await delivery.call('publish')
  const json = JSON.parse(String(delivery.handles().body))
  expect(await stage.api(POST, { ...json, commentary: 'Edited since' })).toMatchObject({ status: 201 })
  stage.pass(60_000)
  expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: (await stage.posts())[0]?.id })
})

test('a post that may be out is made with no other card', async () => {
  const refused = answer(400, answerOfField(400, 'INVALID_VALUE_FOR_FIELD', '/content/article/source').body)
  const answers = [lost, refused]
  const { post: ended } = await stage.deliver(post(LINK), {
    intercept: async ({ request: { method, url }, send }) =>
      (method === 'POST' && url.endsWith('/rest/posts') && answers.shift()) || send(),
  })
  expect(ended).toMatchObject({ kind: 'failed' })
  expect(await stage.posts()).toEqual([])
})

test('a lost answer: the post of a page is looked for, that of a person keeps its body for a second call', async () => {
  const { post: ended } = await stage.deliver(post(LINK), stage.on(POST, lost))
  expect(ended).toMatchObject(made)
  expect(bodiesOf(stage)).toHaveLength(1)
  await stage.close()
  await open('LINKEDIN_PERSONAL')
  const delivery = await stage.fenced(sample('LINKEDIN_PERSONAL', { caption: LINK }))
  await prepared(stage.world, delivery)
  expect(String(delivery.handles().body)).toContain('"article"')
})
