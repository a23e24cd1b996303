import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test('service-03: every operation that clients know is there, and all operations are below /v1', () => {
  const operations = Object.entries(api.openApi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(operations).toEqual(
    expect.arrayContaining([
      'GET /v1/notes',
      'GET /v1/notes/{id}',
      'POST /v1/notes',
      'PATCH /v1/notes/{id}',
      'GET /v1/post-sets',
      'GET /v1/post-sets/{id}',
      'POST /v1/post-sets',
      'PATCH /v1/post-sets/{id}',
      'GET /v1/social-sets',
      'POST /v1/media-upload',
      'GET /v1/media-upload/{id}',
      'GET /v1/media-library',
      'GET /v1/media-library/{id}',
    ]),
  )
  expect(operations.filter((operation) => !operation.includes(' /v1/'))).toEqual([])
})
