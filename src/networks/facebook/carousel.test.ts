import { afterEach, beforeEach, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { HttpResult } from '../toolkit/http.ts'
import { type Card, openStage, type Stage, sample } from './testing-stage.ts'

const CARDS: Card[] = [
  { link: 'https://a.example/rye', title: 'Rye', description: 'Dark' },
  { link: ' https://a.example/wheat ' },
]
const LOST: HttpResult = { kind: 'failed', sent: true, message: 'The connection broke.' }

let stage: Stage
beforeEach(async () => {
  stage = await openStage(CARDS)
})
afterEach(() => stage.close())

const carousel = (caption: string) => sample('CAROUSEL', { caption })
const posts = () => stage.world.backend.posts()

test('a carousel is made of links with pictures that the network fetches', async () => {
  const { post } = await deliver(stage.world, carousel('Two breads'))
  expect(post).toMatchObject({ kind: 'made', providerId: expect.stringContaining('_') })
  expect(stage.calls('me/feed').map(({ json }) => json)).toEqual([
    {
      message: 'Two breads',
      published: true,
      link: 'https://a.example/rye',
      child_attachments: [
        { link: 'https://a.example/rye', name: 'Rye', description: 'Dark', picture: expect.stringMatching(/^http/) },
        { link: 'https://a.example/wheat', picture: expect.stringMatching(/^http/) },
      ],
      multi_share_end_card: false,
      multi_share_optimized: false,
    },
  ])
  expect(await posts()).toMatchObject([{ text: 'Two breads', media: 2 }])
})

test('more than five cards are taken when the network may choose their order', async () => {
  const many = await openStage(Array.from({ length: 6 }, (_, n) => ({ link: `https://a.example/${n}` })))
  try {
    const media = Array.from({ length: 6 }, () => ({ file: 'transparent.png' }))
    const { post } = await deliver(many.world, sample('CAROUSEL', { media }))
    expect(post.kind).toBe('made')
    expect(many.calls('me/feed')).toMatchObject([{ json: { multi_share_optimized: true } }])
  } finally {
    await many.close()
  }
})

test.each<[string, string]>([
  ['with words', 'Two breads'],
  ['without words', ''],
])('%s it is there once when its answer is lost', async (_, caption) => {
  let struck = false
  const { post } = await deliver(stage.world, carousel(caption), {
    async intercept({ step, send }) {
      const real = await send()
      if (struck || step !== 'publish') return real
      struck = true
      return LOST
    },
  })
  expect(await posts()).toHaveLength(1)
  expect(post).toMatchObject({ kind: 'made', providerId: (await posts())[0]?.id })
})

test('it is there once whenever the process ends', async () => {
  for (let nth = 1; ; nth++) {
    const { post, died } = await deliver(stage.world, carousel(`Two breads ${nth}`), { dieAfterRequest: nth })
    expect([post.kind, (await posts()).length]).toEqual(['made', nth])
    if (!died) {
      expect(nth).toBeGreaterThan(2)
      return
    }
  }
})

test('a post of photos without words is not taken for it', async () => {
  const delivery = await stage.fenced(carousel(''))
  const photo = await stage.fenced(sample('IMAGE', { caption: '' }))
  await photo.call('publish')
  stage.world.clock.jumpTo(new Date(stage.world.clock.now().getTime() + 30_000))
  expect(await delivery.call('find')).toEqual({ kind: 'absent' })
})
