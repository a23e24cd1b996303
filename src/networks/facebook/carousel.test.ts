import { afterEach, beforeEach, expect, test } from 'vitest'
import { lost, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { openStage, sample } from './testing-posts.ts'

const CARDS = [
  { link: 'https://a.example/rye', title: 'Rye', description: 'Dark' },
  { link: ' https://a.example/wheat ' },
]

let stage: Stage
beforeEach(async () => {
  stage = await openStage(CARDS)
})
afterEach(() => stage.close())

const carousel = (caption: string) => sample('CAROUSEL', { caption })
const posts = () => stage.posts()

test('a carousel is made of links with pictures that the network fetches', async () => {
  const { post } = await stage.deliver(carousel('Two breads'))
  expect(post).toMatchObject({ kind: 'made', providerId: expect.stringContaining('_') })
  expect(stage.calls('POST {me}/feed').map(({ json }) => json)).toEqual([
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
    const { post } = await many.deliver(sample('CAROUSEL', { media }))
    expect(post.kind).toBe('made')
    expect(many.calls('POST {me}/feed')).toMatchObject([{ json: { multi_share_optimized: true } }])
  } finally {
    await many.close()
  }
})

test.each<[string, string]>([
  ['with words', 'Two breads'],
  ['without words', ''],
])('%s it is there once when its answer is lost', async (_, caption) => {
  let struck = false
  const { post } = await stage.deliver(carousel(caption), {
    async intercept({ step, send }) {
      const real = await send()
      if (struck || step !== 'publish') return real
      struck = true
      return lost
    },
  })
  expect(await posts()).toHaveLength(1)
  expect(post).toMatchObject({ kind: 'made', providerId: (await posts())[0]?.id })
})

test('it is there once whenever the process ends', async () => {
  for (let nth = 1; ; nth++) {
    const { post, died } = await stage.deliver(carousel(`Two breads ${nth}`), { dieAfterRequest: nth })
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
  stage.pass(30_000)
  expect(await delivery.call('find')).toEqual({ kind: 'absent' })
})

test.each([
  ['Two breads', 'found'],
  ['', 'cannot-tell'],
])('with the words "%s", and cards that may not be read, it is %s', async (caption, kind) => {
  const unread = stage.on('GET {me}_{id}', graphError(10), { times: 100 })
  const delivery = await stage.fenced(carousel(caption), unread)
  await (await stage.fenced(carousel(caption))).call('publish')
  stage.pass(30_000)
  expect(await delivery.call('find')).toMatchObject({ kind })
})

test('a link of the same words is not taken for it', async () => {
  const delivery = await stage.fenced(carousel('Two breads'))
  await stage.api('POST {me}/feed', { message: 'Two breads', link: 'https://a.example' })
  stage.pass(30_000)
  expect(await delivery.call('find')).toEqual({ kind: 'absent' })
})
