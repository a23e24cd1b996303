import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from './client.ts'
import { type Installation, startInstallation } from './installation.ts'

/**
 * A network is its folder and one entry among the account types: a copy of this checkout gets both, nothing else of it is
 * touched, and the network is there for all callers.
 */

const root = normalize(join(import.meta.dirname, '../..'))
let copy: string
let almanac: Installation
let api: ReturnType<typeof client>
let socialSetId: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'almanac-twelfth-'))
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'docs'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of [...files.split('\n').filter(Boolean), 'package.json']) {
    await cp(join(root, file), join(copy, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  await addPostcards()
  almanac = await startInstallation({}, { projectDir: copy })
  const account = await almanac.command<{ accountId: string; socialSetId: string }>([
    ...['accounts', 'create', '--name', 'Brand', '--sandbox'],
  ])
  socialSetId = account.socialSetId
  const { key } = await almanac.command<{ key: string }>([
    ...['keys', 'create', '--account', account.accountId, '--name', 'robot'],
    ...['--scopes', 'post-sets:write,post-sets:publish'],
  ])
  api = client(almanac.url, key)
}, 120_000)
afterAll(async () => {
  await almanac?.stop()
  await rm(copy, { recursive: true, force: true })
})

/** The example moves to where networks are, so its imports become shorter. */
async function addPostcards(): Promise<void> {
  const [from, folder] = [join(root, 'test/networks/postcards'), join(copy, 'src/networks/postcards')]
  await mkdir(folder)
  const files = (await readdir(from)).filter((file) => !file.endsWith('.test.ts'))
  for (const file of files) {
    const text = await readFile(join(from, file), 'utf8')
    await writeFile(join(folder, file), text.replaceAll("'../../../src/networks/", "'../"))
  }
  const path = join(copy, 'src/contract/account-types.ts')
  const before = await readFile(path, 'utf8')
  const entry = `  POSTCARD: { network: 'postcards', filter: 'POSTCARD', fields: { stamp: required(Type.Enum(['LOCAL', 'ABROAD'])) } },\n`
  const after = before.replace(/( {2}BLUESKY: \{.*\n)/, `$1${entry}`)
  expect(after).not.toBe(before)
  await writeFile(path, after)
}

const post = (more: object = {}) => ({
  accountType: 'POSTCARD',
  caption: 'Greetings',
  media: [],
  stamp: 'LOCAL',
  ...more,
})
const body = (...posts: object[]) => ({
  socialSetId,
  scheduledAt: new Date().toISOString(),
  status: 'SCHEDULED',
  approval: 'NONE',
  posts,
})
const read = async (path: string) => (await fetch(`${almanac.url}${path}`)).text()

test('extension-09: it is among the networks, with its fields and limits', async () => {
  const { data } = await api.get('/v1/networks')
  expect(data.find(({ accountType }: { accountType: string }) => accountType === 'POSTCARD')).toMatchObject({
    network: 'postcards',
    title: 'Postcards',
    fields: [{ name: 'stamp', required: true, schema: { enum: ['LOCAL', 'ABROAD'] } }],
    limits: expect.arrayContaining([expect.objectContaining({ name: 'textLength', value: 120 })]),
    options: [{ name: 'readers' }],
  })
})

test('its rules hold, and the shape of its fields', async () => {
  const long = await api.post('/v1/post-sets/validate', body(post({ caption: 'x'.repeat(121) })))
  expect(long.problems).toMatchObject([{ code: 'post:caption_too_long', limit: 120, actual: 121 }])
  const stamp = await fetch(`${almanac.url}/openapi.json`)
  expect(await stamp.text()).toContain('"ABROAD"')
})

test('the documentation has it', async () => {
  expect(await read('/docs/networks.md')).toContain('[Postcards](/docs/networks/postcards.md)')
  const page = await read('/docs/networks/postcards.md')
  expect(page).toContain('on paper, to everybody')
  expect(page).toContain('| `textLength` | 120 characters |')
  expect(await read('/docs/resources.md')).toContain('POSTCARD')
  expect(await read('/llms.txt')).toContain('/docs/networks/postcards.md')
})

test('the sandbox is connected to it and publishes, faults included, and lists find it', async () => {
  const publish = async (caption: string) => {
    const set = await api.post('/v1/post-sets', body(post({ caption })))
    return api.until(`/v1/post-sets/${set.id}`, ({ status }) => status === 'PUBLISHED', { seconds: 90 })
  }
  const [done, refused] = await Promise.all([publish('Greetings'), publish('Greetings [[fault:account-restricted]]')])
  expect(done.posts[0].result).toMatchObject({ status: 'POSTED' })
  expect(refused.posts[0].result).toMatchObject({ status: 'FAILED', reason: 'ACCOUNT_RESTRICTED' })
  const page = await fetch(done.posts[0].result.permalink)
  expect(await page.text()).toContain('Greetings')
  expect(JSON.parse(await read('/sandbox/postcards/posts'))).toHaveLength(1)
  expect(await read('/sandbox')).toContain('Postcards')
  const list = `/v1/post-sets?socialSetId=${socialSetId}&filters[socialNetworks][]=POSTCARD`
  expect((await api.get(list)).pagination.total).toBe(2)
}, 120_000)
