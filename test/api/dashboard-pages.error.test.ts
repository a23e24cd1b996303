import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'

let folder: string
let api: Api

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-pages-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Almanac</title>')
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'assets', 'kept.js'), 'export {}')
  await writeFile(join(folder, 'assets', 'removed.js'), 'export {}')
  api = await startApi({ dashboardDir: folder })
})

afterAll(async () => {
  await api?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('the files of the dashboard', () => {
  test.each(['GET', 'HEAD'])('%s finds those that are there', async (method) => {
    const answer = await fetch(`${api.url}/dashboard/assets/kept.js`, { method })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  })

  test.each([
    ['GET', 'that was never there', 'never.js'],
    ['HEAD', 'that was never there', 'never.js'],
    ['GET', 'that a newer version has taken away', 'removed.js'],
    ['HEAD', 'that a newer version has taken away', 'removed.js'],
  ])('%s of one %s is 404, not the page and not another method', async (method, _, name) => {
    await rm(join(folder, 'assets', 'removed.js'), { force: true })
    const answer = await fetch(`${api.url}/dashboard/assets/${name}`, { method })
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('allow')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
      null,
    ])
    expect(answer.headers.get('cache-control') ?? '').not.toContain('immutable')
  })

  test('another method is 405, and which there are is reported', async () => {
    const answer = await fetch(`${api.url}/dashboard/assets/kept.js`, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('every other path of the dashboard is its page', async () => {
    const answer = await fetch(`${api.url}/dashboard/settings/nowhere`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })
})
