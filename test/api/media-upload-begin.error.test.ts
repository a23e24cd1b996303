import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { rawClient } from '../_util/api/raw-client.ts'
import { metadataOf, type TusClient, tusClient } from '../_util/api/tus-client.ts'

let api: Api
let tus: TusClient
beforeAll(async () => {
  api = await startApi()
  tus = tusClient(api.url, { authorization: `Bearer ${api.key}` })
})
afterAll(() => api.close())

describe('what begins no upload', () => {
  const good = () => ({ 'upload-length': '10', 'upload-metadata': metadataOf({ socialSetId: api.socialSetId }) })
  const begin = (headers: Record<string, string>) => tus.ask('POST', '/v1/media-upload/files', headers)

  test.each<[string, () => Record<string, string>, number, string, RegExp]>([
    [
      'another version',
      () => ({ ...good(), 'tus-resumable': '0.2.2' }),
      412,
      'media-upload:unsupported_version',
      /1\.0\.0/,
    ],
    [
      'no length',
      () => ({ 'upload-metadata': good()['upload-metadata'] }),
      400,
      'request:invalid_header',
      /Upload-Length/,
    ],
    ['a negative length', () => ({ ...good(), 'upload-length': '-1' }), 400, 'request:invalid_header', /upload-length/],
    [
      'a length that is none',
      () => ({ ...good(), 'upload-length': '1e3' }),
      400,
      'request:invalid_header',
      /upload-length/,
    ],
    [
      'a length to be reported later',
      () => ({ 'upload-metadata': good()['upload-metadata'], 'upload-defer-length': '1' }),
      400,
      'request:invalid_header',
      /defer-length/,
    ],
    ['parts', () => ({ ...good(), 'upload-concat': 'partial' }), 400, 'request:invalid_header', /oncatenation/],
    [
      'too large a file',
      () => ({ ...good(), 'upload-length': String(LIMITS.mediaBytes + 1) }),
      413,
      'request:too_large',
      /1 GiB/,
    ],
    ['no metadata', () => ({ 'upload-length': '10' }), 400, 'request:invalid_header', /socialSetId/],
    [
      'metadata that cannot be read',
      () => ({ ...good(), 'upload-metadata': 'socialSetId ???' }),
      400,
      'request:invalid_header',
      /upload-metadata/,
    ],
    [
      'a field that there is not',
      () => ({ ...good(), 'upload-metadata': metadataOf({ socialSetId: api.socialSetId, filetype: 'x' }) }),
      400,
      'request:invalid_header',
      /filetype/,
    ],
    [
      'too long a name',
      () => ({ ...good(), 'upload-metadata': metadataOf({ socialSetId: api.socialSetId, name: 'x'.repeat(201) }) }),
      400,
      'request:invalid_header',
      /name/,
    ],
    [
      'a name of two lines',
      () => ({ ...good(), 'upload-metadata': metadataOf({ socialSetId: api.socialSetId, name: 'a\r\nb' }) }),
      400,
      'request:invalid_header',
      /line breaks/,
    ],
    [
      'a social set that is not there',
      () => ({ ...good(), 'upload-metadata': metadataOf({ socialSetId: 'none', filetype: 'x' }) }),
      404,
      'social-set:not_found',
      /social set/,
    ],
  ])('upload-04: %s', async (_, headers, status, code, words) => {
    const before = await count()
    const answer = await begin(headers())
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body.detail).toMatch(words)
    if (status === 412) expect(answer.headers['tus-version']).toBe('1.0.0')
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining')
    expect(await count()).toBe(before)
  })

  const count = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from media_uploads`.execute(api.db)).rows[0]?.count

  test('a megabyte of metadata', async () => {
    const raw = await rawClient(api.url)
    const head = `POST /v1/media-upload/files HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.key}\r\nupload-metadata: `
    await raw.send(`${head}${'x'.repeat(1_000_000)}\r\n\r\n`).catch(() => {})
    expect(await raw.ended).toMatch(/^HTTP\/1\.1 413 [\s\S]*request:too_large/)
  })
})
