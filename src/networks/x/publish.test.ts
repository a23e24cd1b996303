import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, openStage, prepared, type Stage } from '../kit/testing.ts'
import type { Network } from '../network.ts'
import { network as x } from './index.ts'
import { mediaPost, premium, problem, textPost } from './testing-posts.ts'

const MINUTE = 60_000
const [CREATE, BEGIN, LIST] = ['POST tweets', 'POST media/upload/initialize', 'GET users/{me}/tweets']

let stage: Stage
beforeEach(() => start(x))
afterEach(() => stage.close())
async function start(network: Network): Promise<void> {
  stage = await openStage(network, 'TWITTER', { base: 'api/2' })
}
const sent = (call: string) => stage.calls(call).map(({ json }) => json)
const lostAnswer = () => stage.on(CREATE, lost, { reached: true })
const newest = async () => (await stage.posts()).at(-1)?.id

test('a text is one call, after a look at what was there; one that is there is neither sent again nor looked for', async () => {
  const delivery = await stage.fenced(textPost('Bread'))
  const published = await delivery.call('publish')
  const permalink = expect.stringMatching(/\/corner_bakery\/status\/\d+$/)
  expect(published).toMatchObject({ providerId: await newest(), permalink })
  expect(await delivery.call('publish')).toEqual(published)
  expect(await delivery.call('find')).toEqual({ ...published, kind: 'found' })
  expect(stage.exchanged.map(({ call }) => call)).toEqual([LIST, CREATE])
  expect(sent(CREATE)).toEqual([{ text: 'Bread' }])
})

test('files go out by their ids in order, with the alternative texts of images', async () => {
  const [first, second] = ['photo.jpg', 'transparent.png']
  await stage.deliver(mediaPost('', { file: first, altText: 'A loaf' }, { file: second, altText: ' ' }))
  const begun = stage.calls(BEGIN)
  const ids = begun.map(({ result }) => (result as { json: { data: { id: string } } }).json.data.id)
  const kinds = begun.map(({ json }) => [json.media_type, json.media_category])
  expect(kinds).toEqual(['image/jpeg', 'image/png'].map((type) => [type, 'tweet_image']))
  expect(sent(CREATE)).toEqual([{ text: '', media: { media_ids: ids } }])
  expect(sent('POST media/metadata')).toEqual([{ id: ids[0], metadata: { alt_text: { text: 'A loaf' } } }])
  expect(stage.calls(LIST)).toEqual([])
})

test.each([
  [401, 'Unauthorized', ['reconnect', 'ready', 'published']],
  [403, 'Forbidden', ['ready', 'published']],
])('a first look that is refused with %i %s leads to %j', async (status, words, outcomes) => {
  const { log } = await stage.deliver(textPost('Bread'), stage.on(LIST, problem(status, words)))
  expect(log.map(({ outcome }) => outcome.kind)).toEqual(outcomes)
})

describe('after an answer that is not clear', () => {
  test.each([
    ['is found by its whole text', 'post'],
    ['is found where the fields of posts are named in the older way', 'tweet'],
  ] as const)('a long post %s', async (_, spelling) => {
    await stage.close()
    await start(premium(spelling))
    const text = `${'Bread & <b> '.repeat(40)} https://example.com/a?b=1&c=ö example.com/x 🥖`
    const { post } = await stage.deliver(textPost(text), lostAnswer())
    expect(post).toMatchObject({ kind: 'made', providerId: await newest() })
    expect(sent(CREATE)).toHaveLength(1)
  })

  test.each([
    ['without files', textPost('Bread')],
    ['with other files', mediaPost('Bread', 'photo.jpg')],
  ])('a post by hand of the same text %s is not the one with our files', async (_, byHand) => {
    await stage.deliver(byHand)
    const [other] = await stage.posts()
    // Young enough to be looked at, and by the second call too old to be refused as a duplicate.
    stage.pass(4.5 * MINUTE)
    const { post } = await stage.deliver(
      mediaPost('Bread', 'transparent.png'),
      stage.on(CREATE, problem(503, 'Over capacity')),
    )
    const held = await stage.posts()
    expect(held).toHaveLength(2)
    expect(post).toMatchObject({ kind: 'made', providerId: held.find(({ id }) => id !== other?.id)?.id })
    // One that is as young as the call settles nothing.
    const delivery = await stage.fenced(mediaPost('Rolls', 'transparent.png'))
    await stage.deliver({ ...byHand, caption: 'Rolls' })
    stage.pass(MINUTE)
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })

  test('the lookup asks for posts alone: media that come with them are billed as well', async () => {
    expect((await stage.deliver(mediaPost('Bread', 'transparent.png'), lostAnswer())).post.kind).toBe('made')
    const asked = stage.calls(LIST).map(({ query }) => [...query.keys()].sort().join())
    expect([...new Set(asked)]).toEqual(['max_results,post.fields,start_time'])
  })

  test('uploads that were given up still show whose post it is', async () => {
    const delivery = await stage.fenced(mediaPost('', 'transparent.png'), lostAnswer())
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    stage.pass(23.9 * 60 * MINUTE)
    await prepared(stage.world, delivery)
    expect(sent(BEGIN)).toHaveLength(2)
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: await newest() })
  })

  const other = { id: String(BigInt(Date.now() - 1_288_834_974_657) << 22n), text: 'Rolls' }
  test.each<[string, HttpResult]>([
    ['that is no listing', problem(200, 'Suspended')],
    ['that is cut short', answer(200, { data: [], meta: { result_count: 3 } })],
    ['with errors beside it', answer(200, { data: [], errors: [{ title: 'Odd' }], meta: { result_count: 0 } })],
    ['without what was asked for', answer(200, { data: [other], meta: { result_count: 1 } })],
    ['of more pages than are looked through', answer(200, { data: [], meta: { result_count: 0, next_token: 'n' } })],
  ])('an answer to the lookup %s proves nothing', async (_, instead) => {
    const delivery = await stage.fenced(textPost('Bread'), stage.on(LIST, instead, { step: 'find', times: 99 }))
    stage.pass(MINUTE)
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })
})

test('a duplicate that is our own earlier call is adopted; of an older post it ends the post in words', async () => {
  const trouble = stage.on(CREATE, problem(403, 'duplicate content'), { reached: true })
  const { post, log } = await stage.deliver(textPost('Bread'), trouble)
  expect(post).toMatchObject({ kind: 'made', providerId: await newest() })
  expect(log.map(({ step, outcome }) => `${step} ${outcome.kind}`)).toContain('publish unknown')
  stage.pass(MINUTE)
  const again = await stage.deliver(textPost('Bread'))
  const message = expect.stringContaining('Change the text')
  expect(again.post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED', message })
  expect(await stage.posts()).toHaveLength(1)
  expect(sent(CREATE)).toHaveLength(2)
})

test('a text that is too long for the account fails as such', async () => {
  const { post } = await stage.deliver(textPost('a'.repeat(281)))
  expect(post).toMatchObject({ kind: 'failed', reason: 'CAPTION_TOO_LONG' })
})
