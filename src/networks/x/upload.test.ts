import { afterEach, beforeEach, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'
import { mediaPost, openStage, type Stage } from './testing-stage.ts'

const APPEND = 'POST 2/media/upload/{id}/append'
const METADATA = 'POST 2/media/metadata'

let stage: Stage
beforeEach(async () => {
  stage = await openStage(network)
})
afterEach(() => stage.close())

const statuses = (call: string) =>
  stage.calls(call).map(({ result }) => (result.kind === 'answer' ? result.status : result.message))

test('a part that is answered with 204 is sent once', async () => {
  const { post } = await deliver(stage.world, mediaPost('Baking', 'video-h264-aac.mp4'))
  expect(post).toMatchObject({ kind: 'made' })
  expect(statuses(APPEND)).toEqual([204])
  expect(stage.calls('POST 2/media/upload/initialize')).toHaveLength(1)
})

const text = (status: number, body: string): HttpResult => ({
  kind: 'answer',
  status,
  headers: {},
  text: body,
  json: body.startsWith('{') ? JSON.parse(body) : undefined,
})

test.each<[string, HttpResult]>([
  ['200 and data', text(200, '{"data":{"expires_at":1}}')],
  ['200 without a body', text(200, '')],
  ['201', text(201, '')],
  ['204', text(204, '')],
  ['words that are not JSON', text(200, 'OK')],
])('a part and an alternative text are taken when X answers %s', async (_, instead) => {
  const image = mediaPost('Bread', { file: 'photo.jpg', altText: 'A loaf' })
  const { post } = await deliver(stage.world, image, {
    async intercept({ request, send }) {
      const real = await send()
      return /\/append$|\/metadata$/.test(new URL(request.url).pathname) ? instead : real
    },
  })
  expect(post).toMatchObject({ kind: 'made' })
  expect([statuses(APPEND).length, statuses(METADATA).length]).toEqual([1, 1])
  expect(await stage.world.backend.posts()).toMatchObject([{ text: 'Bread', media: 1 }])
})
