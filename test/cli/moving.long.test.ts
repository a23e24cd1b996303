import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import { type Server, startServer, version } from '../_util/database/machine-postgres.ts'
import { almanacJson, runAlmanac, startAlmanac } from '../_util/processes/app.ts'
import { tempFolder } from '../_util/processes/installation.ts'

/**
 * From Almanac's own PostgreSQL to an external one of an older major version, whose role may do nothing but own its database, and back:
 * what docs/operating says of moving, step by step.
 */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

describe.skipIf(process.getuid?.() !== 0 || version === undefined)('moving', () => {
  const closing = new AsyncDisposableStack()
  let folder: string
  let server: Server
  beforeAll(async () => {
    const temporary = await tempFolder()
    closing.defer(temporary.remove)
    folder = temporary.path
    await chmod(folder, 0o755)
    server = await startServer(folder, 'external')
    closing.defer(async () => void (await server.stop()))
    await server.admin('create database almanac owner almanac template template0')
  })
  afterAll(() => closing.disposeAsync())

  test('from the embedded database to an external one and back by two commands each', async () => {
    const data = await copyOfBegunData()
    closing.defer(data.remove)
    const first = { ALMANAC_DATA_DIR: data.path, ALMANAC_PORT: '0' }
    const begun = await startAlmanac({ settings: first })
    const { key } = await begun.firstSignIn()
    await addPostSet(begun.url, key)
    const before = await seen(begun.url, key)
    expect(before.postSets.length).toBe(1)
    await almanacJson(['backup', join(folder, 'out'), '--with-key'], { settings: first })
    await begun.stop()

    const second = {
      ...{ ALMANAC_DATA_DIR: join(folder, 'second'), ALMANAC_PORT: '0' },
      DATABASE_URL: server.url('almanac'),
    }
    const restored = await runAlmanac(['restore', join(folder, 'out')], { settings: second })
    expect(restored).toMatchObject({ code: 0 })
    const [, path = ''] = /(\S*secret-key)\b/.exec(restored.stdout + restored.stderr) ?? []
    expect(path).toBe(join(second.ALMANAC_DATA_DIR, 'secret-key'))
    const outside = { ...second, ALMANAC_SECRET_KEY: (await readFile(path, 'utf8')).trim() }
    expect(await answeredAndSeen(outside, key)).toEqual(before)

    await almanacJson(['backup', join(folder, 'back'), '--with-key'], { settings: outside })
    const third = { ALMANAC_DATA_DIR: join(folder, 'third'), ALMANAC_PORT: '0' }
    await almanacJson(['restore', join(folder, 'back')], { settings: third })
    expect(await answeredAndSeen(third, key)).toEqual(before)
    expect(await runAlmanac(['backup', 'verify', join(folder, 'back')], { settings: third })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Its secrets open.'),
    })
  })
})

async function answeredAndSeen(settings: Record<string, string>, key: string) {
  const almanac = await startAlmanac({ settings })
  try {
    expect(await runAlmanac(['resume'], { settings })).toMatchObject({ code: 0 })
    return await seen(almanac.url, key)
  } finally {
    await almanac.stop()
  }
}

async function addPostSet(url: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const brands = (await (await fetch(`${url}/v1/social-sets`, { headers })).json()) as { data: { id: string }[] }
  const scheduledAt = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString()
  const posts = [{ accountType: 'BLUESKY', caption: 'Moved twice', media: [] }]
  const body = JSON.stringify({
    socialSetId: brands.data[0]?.id,
    status: 'DRAFT',
    approval: 'NONE',
    scheduledAt,
    posts,
  })
  expect((await fetch(`${url}/v1/post-sets`, { method: 'POST', headers, body })).status).toBe(201)
}

/** What a key sees of the calendar, without what changes with time. */
async function seen(url: string, key: string) {
  const ask = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    return (await answer.json()) as { data: { id: string; scheduledAt?: string; posts?: { caption: string }[] }[] }
  }
  const { data: brands } = await ask('/v1/social-sets')
  const [brand] = brands
  const { data: postSets } = await ask(`/v1/post-sets?socialSetId=${brand?.id}&size=100`)
  return {
    brands: brands.map(({ id }) => id),
    postSets: postSets.map(({ id, scheduledAt, posts }) => ({
      id,
      scheduledAt,
      captions: posts?.map((each) => each.caption),
    })),
  }
}
