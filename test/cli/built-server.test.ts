import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { askAll } from '../_util/api/asked-answers.ts'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import { builtServer, runAlmanac, type Settings, startAlmanac, withAnyRate } from '../_util/processes/app.ts'

/** Throws where the help is printed, from a line of ours. */
const BROKEN_OUTPUT = `--import=data:text/javascript,${encodeURIComponent(
  "process.stdout.write = () => { throw new Error('the output is broken') }",
)}`

describe('the server as it is built', () => {
  let data: Awaited<ReturnType<typeof copyOfBegunData>>
  const settings = (more: Settings = {}) => ({ ALMANAC_DATA_DIR: data.path, ALMANAC_PORT: '0', ...more })
  beforeAll(async () => {
    data = await copyOfBegunData()
  }, 120_000)
  afterAll(() => data?.remove())

  test('says of the API, of its docs and of networks what the sources say', async () => {
    const pages = ['/openapi.json', '/docs', '/docs/networks', '/docs/networks/bluesky', '/docs/style.css', '/llms.txt']
    const answersOf = async (more: Settings) => {
      const almanac = await startAlmanac({ settings: settings(more) })
      try {
        const answers = await Promise.all(pages.map((path) => fetch(`${almanac.url}${path}`)))
        const texts = await Promise.all(answers.map((answer) => answer.text()))
        return pages.map((path, at) => [path, answers[at]?.status, texts[at]?.replaceAll(almanac.url, 'ADDRESS')])
      } finally {
        await almanac.stop()
      }
    }
    const built = await answersOf({})
    expect(built.map(([, status]) => status)).toEqual(pages.map(() => 200))
    expect(built).toEqual(await answersOf({ ALMANAC_FROM_SOURCE: '1' }))
  }, 180_000)

  test('answers requests, wrong ones among them, as the sources do', async () => {
    const answersOf = async (more: Settings) => {
      const own = await copyOfBegunData()
      const anyRate = await withAnyRate(own.path)
      const almanac = await startAlmanac({ settings: { ...settings(more), ...anyRate, ALMANAC_DATA_DIR: own.path } })
      try {
        return await askAll(almanac.url, (await almanac.firstSignIn()).key)
      } finally {
        await almanac.stop()
        await own.remove()
      }
    }
    const built = await answersOf({})
    expect(built.length).toBeGreaterThan(30)
    const statuses = new Set(built.map(({ status }) => status))
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 404, 405, 415]))
    expect([...statuses].filter((status) => status === 429 || status >= 500)).toEqual([])
    expect(built).toEqual(await answersOf({ ALMANAC_FROM_SOURCE: '1' }))
  })

  test('has its own programs for files of others, and a picture goes through one', async () => {
    const almanac = await startAlmanac({ settings: settings() })
    try {
      const { key } = await almanac.firstSignIn()
      const headers = { authorization: `Bearer ${key}` }
      const answer = await fetch(`${almanac.url}/v1/social-sets`, { headers })
      const sets = (await answer.json()) as { data: [{ id: string }] }
      const form = new FormData()
      form.set('socialSetId', sets.data[0].id)
      form.set('file', new Blob([readFileSync(join(import.meta.dirname, '../_fixtures/photo.jpg'))]), 'photo.jpg')
      const sent = await fetch(`${almanac.url}/v1/media-upload`, { method: 'POST', headers, body: form })
      const { id } = (await sent.json()) as { id: string }
      const upload = async () => (await fetch(`${almanac.url}/v1/media-upload/${id}`, { headers })).json()
      await vi.waitFor(async () => expect(await upload()).toMatchObject({ status: 'READY' }), 30_000)
      const lines = execFileSync('ps', ['-o', 'args=', '--ppid', String(almanac.process.pid)], { encoding: 'utf8' })
      const programs = lines.split('\n').flatMap((line) => /\S+-program\.\w+/.exec(line)?.[0] ?? [])
      expect(programs).toEqual([join(dirname(builtServer()), 'picture-program.js')])
    } finally {
      await almanac.stop()
    }
  })

  test('names the lines of its sources in an error', async () => {
    const { code, stderr } = await runAlmanac(['--help'], { settings: settings({ NODE_OPTIONS: BROKEN_OUTPUT }) })
    expect(code).toBe(70)
    const [, line] = /\/src\/main\/main\.ts:(\d+):\d+/.exec(stderr) ?? []
    const source = readFileSync(join(import.meta.dirname, '../../src/main/main.ts'), 'utf8').split('\n')
    expect(source[Number(line) - 1]).toContain('process.stdout.write(')
  })

  test('holds nothing that is not installed to run, and nothing that looks for files beside itself', () => {
    const folder = dirname(builtServer())
    const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
    expect(files.length).toBeGreaterThan(50)
    const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    const development = Object.keys(devDependencies)
    const wrong = files.flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const imported = [...text.matchAll(/(?:from|import\()\s*["']([^"'./][^"']*)["']/g)].map(([, from = '']) => from)
      const asked = text.replaceAll(/typeof __filename [^;]*;/g, '')
      const places = asked.match(/\b__(?:dirname|filename)\b|import\.meta\.(?:glob|resolve)/g) ?? []
      return [...imported.filter((from) => development.includes(from)), ...places].map((what) => `${name}: ${what}`)
    })
    expect(wrong).toEqual([])
  })
})
