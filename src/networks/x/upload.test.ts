import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { mediaPost } from './testing-posts.ts'

const APPEND = 'POST media/upload/{id}/append'
const METADATA = 'POST media/metadata'

let stage: Stage
beforeEach(async () => {
  stage = await openStage(network, 'TWITTER', { base: 'api/2' })
})
afterEach(() => stage.close())

const statuses = (call: string) =>
  stage.calls(call).map(({ result }) => (result.kind === 'answer' ? result.status : result.message))

test('a part that is answered with 204 is sent once', async () => {
  const { post } = await stage.deliver(mediaPost('Baking', 'video-h264-aac.mp4'))
  expect(post).toMatchObject({ kind: 'made' })
  expect(statuses(APPEND)).toEqual([204])
  expect(stage.calls('POST media/upload/initialize')).toHaveLength(1)
})

test.each<[string, HttpResult]>([
  ['200 and data', answer(200, { data: { expires_at: 1 } })],
  ['200 without a body', answer(200)],
  ['201', answer(201)],
  ['204', answer(204)],
  ['words that are not JSON', { ...answer(200), text: 'OK' }],
])('a part and an alternative text are taken when X answers %s', async (_, instead) => {
  const image = mediaPost('Bread', { file: 'photo.jpg', altText: 'A loaf' })
  const reached = { reached: true }
  const trouble = both(stage.on(APPEND, instead, reached), stage.on(METADATA, instead, reached))
  expect((await stage.deliver(image, trouble)).post).toMatchObject({ kind: 'made' })
  expect([statuses(APPEND).length, statuses(METADATA).length]).toEqual([1, 1])
  expect(await stage.posts()).toMatchObject([{ text: 'Bread', media: 1 }])
})
