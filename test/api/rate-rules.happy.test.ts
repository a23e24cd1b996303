import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MediaApi, startMediaApi } from '../_util/media-api.ts'

let api: MediaApi
beforeAll(async () => {
  api = await startMediaApi()
  await api.stage.startImporter()
})
afterAll(() => api.close())

test('rate-08: files are fetched as often as anybody likes: they have no rate', async () => {
  const { url } = await api.item('animated.gif')
  const answers = await Promise.all(Array.from({ length: 40 }, () => api.file(url)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  for (const answer of answers) {
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
    await answer.body?.cancel()
  }
})
