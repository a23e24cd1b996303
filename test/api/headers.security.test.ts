import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HEADER_BYTES } from '../../src/http/header-bounds.ts'
import { type Api, startApi } from '../_util/api/api.ts'

const root = join(import.meta.dirname, '../..')
let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

/** Headers that the server reads without a bound of their own, each with why. */
const WITHOUT_BOUND: Readonly<Record<string, string>> = {
  authorization: 'a longer one is a credential that nothing has, read by an expression of linear time',
  'content-encoding': 'compared with a word',
  'content-length': 'a number to Node',
  'content-type': 'read by Fastify and the reader of forms, which bound it',
  'transfer-encoding': 'read by Node',
  'tus-resumable': 'compared with a version',
}

test('each header that the server reads has a bound, or a reason to have none', () => {
  const files = execFileSync('git', ['ls-files', 'src/http'], { cwd: root }).toString().trim().split('\n')
  const read = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(/request\.headers(?:\.(\w+)|\['([\w-]+)'\])/g),
    ])
    .map(([, plain, quoted]) => plain ?? quoted ?? '')
  const bounded = [...Object.keys(HEADER_BYTES.ignored), ...Object.keys(HEADER_BYTES.refused)]
  expect(read).toContain('range')
  expect([...new Set(read)].filter((name) => !bounded.includes(name) && !(name in WITHOUT_BOUND))).toEqual([])
})

describe('a header that is too long', () => {
  const filler = (bytes: number) => ' '.repeat(bytes)

  test.each(Object.entries(HEADER_BYTES.refused))('%s of more than %i bytes is refused', async (name, bytes) => {
    const long = await api.request('GET', '/v1/post-sets', { headers: { [name]: `x${filler(bytes - 1)}x` } })
    expect([long.status, long.body.code, long.body.detail]).toEqual([
      400,
      'request:invalid_header',
      `The header ${name} is too long: it may have ${bytes} bytes.`,
    ])
    const fits = await api.request('GET', '/v1/post-sets', { headers: { [name]: `x${filler(bytes - 2)}x` } })
    expect(fits.body.detail ?? '').not.toContain('too long')
  })

  test('says nothing of a header to those who have no key', async () => {
    const answer = await api.request('GET', '/v1/post-sets', { key: null, headers: { 'if-match': 'x'.repeat(2_000) } })
    expect([answer.status, answer.body.code]).toEqual([401, 'auth:missing_credential'])
  })

  test('Accept is left out', async () => {
    const short = await api.request('GET', '/v1/social-sets', { headers: { accept: 'text/html' } })
    expect([short.status, short.body.code]).toEqual([406, 'request:not_acceptable'])
    const long = await api.request('GET', '/v1/social-sets', { headers: { accept: `text/html;${filler(1_200)}q=1` } })
    expect(long.status).toBe(200)
  })
})

test.each([
  ['range', (bytes: number) => `bytes=${' '.repeat(bytes / 2)}-${' '.repeat(bytes / 2)}-`],
  ['accept', (bytes: number) => `${' '.repeat(bytes)}x;`],
])('hostile text in %s costs no more than plain text of its length', async (name, textOf) => {
  const cost = async (header: string) => {
    const before = process.cpuUsage()
    await api.request('GET', '/v1/post-sets', { headers: { [name]: header } })
    const { user } = process.cpuUsage(before)
    return user / 1_000
  }
  await cost('x')
  expect(await cost(textOf(14_000))).toBeLessThan((await cost('x'.repeat(14_000))) + 100)
})

describe('staying with https', () => {
  const HEADER = 'strict-transport-security'

  test('is not asked for unless that is set', async () => {
    for (const path of ['/healthz', '/v1/post-sets', '/nowhere']) {
      expect((await fetch(`${api.url}${path}`)).headers.get(HEADER)).toBeNull()
    }
  })

  test('is asked for with every answer, of this host name alone', async () => {
    const withHsts = await startApi({ hsts: true })
    try {
      for (const path of ['/healthz', '/v1/post-sets', '/nowhere', '/%']) {
        expect((await fetch(`${withHsts.url}${path}`)).headers.get(HEADER)).toBe('max-age=31536000')
      }
    } finally {
      await withHsts.close()
    }
  })
})
