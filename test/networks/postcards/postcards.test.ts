import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, lost, openStage, type Stage } from '../../../src/networks/kit/testing.ts'
import { network } from './index.ts'
import { accountType, limits } from './manifest.ts'
import { checkPost } from './rules.ts'

/* What this network alone does; what all do is tested by the conformance suite. */

const CARDS = 'POST cards'
const PICTURES = 'POST pictures'
const card = { title: 'card', accountType, caption: 'Fresh bread', fields: { stamp: 'LOCAL' } }
const withPicture = { ...card, caption: 'A bread for you', media: [{ file: 'transparent.png', altText: 'A loaf' }] }

let stage: Stage
beforeAll(async () => {
  stage = await openStage(network, accountType, { base: 'api/v1' })
})
afterAll(() => stage?.close())

const refusal = (status: number, code: string) => answer(status, { error: { code, message: '' } })

test('a card has its stamp, its readers and the words of its pictures', async () => {
  expect((await stage.deliver(withPicture)).post.kind).toBe('made')
  expect(stage.calls(CARDS).at(-1)?.json).toEqual({
    text: 'A bread for you',
    stamp: 'LOCAL',
    readers: 'EVERYBODY',
    pictures: [{ picture: expect.stringMatching(/^pic-/), words: 'A loaf' }],
  })
})

describe('pictures', () => {
  test('that waited too long for their card are sent again', async () => {
    const delivery = await stage.fenced(withPicture)
    stage.pass((limits.pictureMinutes.value + 1) * 60_000)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'retry', from: 'prepare', countsAsAttempt: true })
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
  })

  test('that are gone each time end the card after a few tries', async () => {
    const before = stage.calls(PICTURES).length
    const { post } = await stage.deliver(withPicture, stage.on(CARDS, refusal(410, 'picture_gone'), { times: 100 }))
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(stage.calls(PICTURES).length - before).toBe(3)
  })

  test('that were sent are not sent again when the next one is lost', async () => {
    const before = stage.calls(PICTURES).length
    const two = { ...withPicture, media: [...withPicture.media, { file: 'transparent.png' }] }
    let calls = 0
    const second = stage.on(PICTURES, () => (++calls === 2 ? lost : null), { times: 100 })
    expect((await stage.deliver(two, second)).post.kind).toBe('made')
    // The lost one never left.
    expect(stage.calls(PICTURES).length - before).toBe(2)
    expect(stage.calls(CARDS).at(-1)?.json.pictures).toHaveLength(2)
  })
})

test('a card that was lost is found by its picture', async () => {
  const { post, log } = await stage.deliver(withPicture, stage.on(CARDS, lost, { reached: true }))
  expect(post.kind).toBe('made')
  expect(log.filter(({ step }) => step === 'publish')).toHaveLength(1)
})

test('an unknown refusal proves nothing: the cards are looked through before it counts', async () => {
  const { post, log } = await stage.deliver(card, stage.on(CARDS, refusal(418, 'teapot')))
  expect(log.map(({ outcome }) => outcome.kind)).toEqual(expect.arrayContaining(['unknown', 'absent', 'refused']))
  expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN', message: expect.stringContaining('teapot') })
})

test('requests are held back for as long as the network says', async () => {
  const slow = answer(429, { error: { code: 'slow_down', message: '' } }, { 'retry-after': '90' })
  const delivery = await stage.fenced(card, stage.on(CARDS, slow))
  const outcome = await delivery.call('publish')
  if (outcome.kind !== 'retry') throw new Error(outcome.kind)
  const seconds = ((outcome.notBefore?.getTime() ?? 0) - stage.world.clock.now().getTime()) / 1000
  expect(Math.round(seconds)).toBe(90)
  expect(outcome).toMatchObject({ countsAsAttempt: false, scope: 'identity' })
})

test.each([
  ['LOCAL', 4, []],
  ['ABROAD', 1, []],
  ['ABROAD', 2, ['post:media_count']],
])('a card %s with %i pictures', async (stamp, count, codes) => {
  const [item] = await stage.world.media.of(withPicture.media)
  if (!item) throw new Error('The fixture is gone.')
  const post = { accountType, caption: 'x', fields: { stamp }, media: Array.from({ length: count }, () => item) }
  expect(checkPost(post).map(({ code }) => code)).toEqual(codes)
})

test.each([
  ['no stamp', { text: 'x', readers: 'FRIENDS', pictures: [] }],
  ['an unknown field', { text: 'x', stamp: 'LOCAL', readers: 'FRIENDS', pictures: [], colour: 'blue' }],
  ['other readers', { text: 'x', stamp: 'LOCAL', readers: 'ME', pictures: [] }],
  ['too many pictures', { text: 'x', stamp: 'ABROAD', readers: 'FRIENDS', pictures: [{}, {}] }],
  ['no text', { stamp: 'LOCAL', readers: 'FRIENDS', pictures: [] }],
])('the simulator refuses %s', async (_, body) => {
  expect((await stage.api(CARDS, body)).status).toBe(400)
})
