import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Io } from '../../clients/command/src/io.ts'
import { run } from '../../clients/command/src/run.ts'
import { type Api, startApi } from '../_util/api/api.ts'
import { giveAll } from '../_util/api/event-log.ts'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'

let api: Api
let folder: string
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-post-'))
  return () => rm(folder, { recursive: true })
})

interface Ended {
  code: number
  out: string
  err: string
}

/** Runs the command in this process, in a folder of its own. */
async function command(args: string[], change: Partial<Io> & { input?: string } = {}): Promise<Ended> {
  const { input = '', ...more } = change
  let [out, err] = ['', '']
  const code = await run(args, {
    env: { ALMANAC_URL: api.url, ALMANAC_KEY: api.key, XDG_CONFIG_HOME: folder },
    cwd: folder,
    now: () => new Date('2030-03-30T20:00:00Z'),
    write: (text) => {
      out += text
    },
    report: (text) => {
      err += text
    },
    readInput: async () => input,
    ask: null,
    signal: new AbortController().signal,
    fetch,
    ...more,
  })
  return { code, out, err }
}
const json = ({ out }: Ended) => JSON.parse(out)

test('a post at “tomorrow 9:00” of a brand in another zone, over the night in which its clocks change', async () => {
  const ended = await command(['post', 'Fresh bread', '--to', 'bluesky', '--at', 'tomorrow 9:00', '--json'])
  expect(ended).toMatchObject({ code: 0, err: 'Sun, 31 March 2030 at 09:00 (Europe/Berlin, +02:00)\n' })
  expect(json(ended)).toMatchObject({
    scheduledAt: '2030-03-31T07:00:00.000Z',
    status: 'SCHEDULED',
    posts: [{ accountType: 'BLUESKY', caption: 'Fresh bread', media: [] }],
  })
  const listed = await command(['list', '--days', '2'])
  expect(listed.out).toBe(`${json(ended).id}  2030-03-31 09:00  SCHEDULED  bluesky  Fresh bread\n`)
})

test('a draft, one that is asked about, and a text of standard input', async () => {
  const draft = json(await command(['post', '-', '--to', 'bluesky', '--draft', '--json'], { input: 'Two\nlines\n' }))
  expect(draft).toMatchObject({ status: 'DRAFT', approval: 'NONE', posts: [{ caption: 'Two\nlines' }] })
  const key = await api.newKey({ scopes: ['post-sets:write'] })
  const env = { ALMANAC_URL: api.url, ALMANAC_KEY: key }
  const args = ['post', 'Cake', '--to', 'bluesky', '--at', 'monday 9:00']
  const asked = json(await command([...args, '--ask', '--json'], { env }))
  expect(asked).toMatchObject({ status: 'DRAFT', approval: 'PENDING', scheduledAt: '2030-04-01T07:00:00.000Z' })
  const refused = await command(args, { env })
  expect([refused.code, refused.out]).toEqual([3, ''])
  expect(refused.err).toContain('post-sets:publish')
})

test('what is refused is named problem by problem', async () => {
  const long = 'a'.repeat(400)
  const checked = await command(['validate', long, '--to', 'bluesky', '--at', 'now'])
  expect(checked.code).toBe(3)
  expect(checked.err).toContain('posts[0].caption: ')
  expect(checked.out).toContain('posts[0].caption (BLUESKY): 400 of 300')
  const refused = await command(['post', long, '--to', 'bluesky', '--at', 'now'])
  expect(refused.code).toBe(3)
  expect(refused.err).toContain('  posts[0].caption: ')
  expect((await command(['validate', 'Short', '--to', 'bluesky', '--at', 'now'])).out).toMatch(/^valid\n/)
})

test.each([
  [['fly'], 'There is no command fly'],
  [[], 'almanac-post puts posts'],
  [['post'], 'Name one text'],
  [['post', 'Fresh', 'bread', '--draft'], 'in quotes'],
  [['post', 'Fresh bread'], 'When?'],
  [['post', 'Fresh bread', '--at', 'soon'], 'is not a time'],
  [['post', 'Fresh bread', '--at', 'yesterday 9:00'], 'is over'],
  [['post', 'Fresh bread', '--draft', '--to', 'tiktok'], 'has no account on tiktok. It has: bluesky, instagram.'],
  [['post', 'Fresh bread', '--draft', '--brand', 'Cakes'], 'No brand is called Cakes'],
  [['post', 'Fresh bread', '--draft', '--media', 'loaf.jpg'], 'There is no file loaf.jpg'],
  [['post', 'Fresh bread', '--draft', '--colour', 'red'], "Unknown option '--colour'"],
  [['list', '--media', 'x'], 'takes no --media'],
  [['list', '--days', 'many'], 'whole number'],
  [['list', '--status', 'done'], 'no status done'],
  [['results'], 'Name the id'],
])('%j is wrong use', async (args, words) => {
  const ended = await command(args)
  expect([ended.code, ended.out]).toEqual([2, ''])
  expect(ended.err).toContain(words)
})

test('no service, a wrong key and no settings have codes of their own', async () => {
  const away = await command(['list'], { fetch: () => Promise.reject(new TypeError('fetch failed')) })
  expect(away.code).toBe(4)
  const env = { ALMANAC_URL: api.url, ALMANAC_KEY: 'alm_wrong' }
  expect((await command(['list'], { env })).code).toBe(3)
  const none = await command(['list'], { env: { XDG_CONFIG_HOME: folder } })
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('almanac-post login')])
  const failing = await command(['results', 'one'], { fetch: async () => new Response('', { status: 500 }) })
  expect(failing.code).toBe(1)
}, 60_000)

test('login tries the key and keeps it for this user alone', async () => {
  const env = { XDG_CONFIG_HOME: folder }
  const wrong = await command(['login', '--url', api.url], { env, input: 'alm_wrong\n' })
  expect([wrong.code, wrong.out]).toEqual([3, ''])
  const path = join(folder, 'almanac', 'config.json')
  await expect(stat(path)).rejects.toThrow()
  const asked: string[] = []
  const ask: Io['ask'] = async (question, { isSecret = false } = {}) => {
    asked.push(`${question}${isSecret}`)
    return isSecret ? api.key : api.url
  }
  const done = await command(['login'], { env, ask })
  expect(done).toMatchObject({ code: 0, out: '', err: expect.stringContaining('The key sees: Brand.') })
  expect(asked).toEqual(['Address of Almanac: false', 'API key: true'])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'almanac'))).mode & 0o777).toBe(0o700)
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ url: api.url, key: api.key })
  expect((await command(['list'], { env })).code).toBe(0)
  const elsewhere = await command(['list'], { env: { ...env, ALMANAC_URL: 'https://other.test' } })
  expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining('another service')])
})

const FILE = `---
brand: Brand
to: [bluesky]
at: 2030-06-01 09:00
---

Fresh bread
`

test('a file goes on the calendar once; with --update it becomes what the file says now', async () => {
  await mkdir(join(folder, 'posts'))
  const [one, bad] = [join(folder, 'posts/one.md'), join(folder, 'posts/bad.md')]
  await writeFile(one, FILE)
  await writeFile(bad, FILE.replace('Fresh bread', 'a'.repeat(400)))
  const first = await command(['push', 'posts/one.md', 'posts/bad.md', '--json'])
  expect(first.code).toBe(3)
  const [made, refused] = json(first)
  expect(made).toMatchObject({ file: 'posts/one.md', status: 'CREATED' })
  expect(made.postSet).toMatchObject({ externalId: 'posts/one.md', scheduledAt: '2030-06-01T07:00:00.000Z' })
  expect(refused).toMatchObject({ file: 'posts/bad.md', status: 'REFUSED', code: 'post-set:invalid_posts' })
  await writeFile(one, FILE.replace('Fresh bread', 'Fresh rolls'))
  const second = await command(['push', one])
  expect(second).toMatchObject({ code: 0, out: `UNCHANGED  posts/one.md  ${made.postSet.id}\n` })
  const third = json(await command(['push', 'posts/one.md', '--update', '--json']))
  expect(third[0]).toMatchObject({
    status: 'UPDATED',
    postSet: { id: made.postSet.id, posts: [{ caption: 'Fresh rolls' }] },
  })
})

test('a file that cannot go on the calendar leaves the others alone', async () => {
  await writeFile(join(folder, 'old.md'), FILE.replace('2030-06-01', '2020-06-01'))
  await writeFile(join(folder, 'other.md'), FILE)
  const ended = await command(['push', 'old.md', 'other.md'])
  expect(ended.code).toBe(3)
  expect(ended.out).toMatch(/^REFUSED {2}old\.md\nCREATED {2}other\.md {2}\S+\n$/)
  expect(ended.err).toContain('old.md: Mon, 1 June 2020')
})

test.each([
  ['Fresh bread', 'does not begin with fields'],
  [FILE.replace('at:', 'when:'), 'has a field when'],
  [FILE.replace('to: [bluesky]', 'to: {'), 'not YAML'],
  [FILE.replace('at: 2030-06-01 09:00', 'media: 3'), 'media is a path'],
  [FILE.replace('at: 2030-06-01 09:00', ''), 'has no `at`'],
])('a file that cannot be read is refused before anything is sent', async (text, words) => {
  await writeFile(join(folder, 'one.md'), text)
  const ended = await command(['push', 'one.md'])
  expect([ended.code, ended.out]).toEqual([2, ''])
  expect(ended.err).toContain(words)
})

test('watch prints events until it is stopped', async () => {
  const stop = new AbortController()
  let out = ''
  const watching = command(['watch', '--after', '0', '--json', '--types', 'note.created'], {
    signal: stop.signal,
    write: (text) => {
      out += text
      stop.abort()
    },
  })
  const body = { socialSetId: api.socialSetId, content: 'Flour', hexColor: '#e4f8e2', scheduledAt: '2030-06-01' }
  await api.request('POST', '/v1/notes', { body })
  await giveAll(api)
  expect((await watching).code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ type: 'note.created', socialSetId: api.socialSetId })
})

test('results are those of each post', async () => {
  const { id } = await api.create()
  expect(await command(['results', id])).toMatchObject({ code: 0, out: 'bluesky  waiting\n' })
  expect((await command(['results', 'none'])).code).toBe(3)
})

test('media go into the library by file and by address', async () => {
  const media: MediaApi = await startMediaApi()
  try {
    await media.stage.startImporter()
    const photo = await readFile(join(import.meta.dirname, '../_fixtures/photo.jpg'))
    await writeFile(join(folder, 'loaf.jpg'), photo)
    const address = await media.stage.server.fixture('photo.jpg')
    const env = { ALMANAC_URL: media.url, ALMANAC_KEY: media.key }
    const ended = await command(['media', 'loaf.jpg', address, '--alt', 'A loaf', '--json'], { env })
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(json(ended)).toMatchObject([
      { name: 'loaf.jpg', altText: 'A loaf' },
      { type: 'IMAGE', altText: null },
    ])
    await writeFile(join(folder, 'text.jpg'), 'no picture')
    expect(await command(['media', 'text.jpg'], { env })).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('media-upload:unsupported_type'),
    })
  } finally {
    await media.close()
  }
})
