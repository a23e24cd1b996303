import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, startInstallation } from '../e2e/installation.ts'
import { readmeProgram } from './readme-program.ts'
import { runNode } from './unpacked.ts'

/**
 * As users have it: packages installed from the address of a service that runs with its simulators and the rate of the shipped plans, in a
 * folder that has nothing else.
 */
let almanac: Installation
let folder: string
let key: string
beforeAll(async () => {
  almanac = await startInstallation({}, { shippedPlans: true })
  folder = await mkdtemp(join(tmpdir(), 'almanac-walk-'))
  const { accountId } = await almanac.command<{ accountId: string }>([
    ...['accounts', 'create', '--name', 'Bakery', '--timezone', 'America/New_York', '--sandbox'],
  ])
  const scopes = 'notes:write,post-sets:write,post-sets:publish,media:write'
  const made = ['keys', 'create', '--account', accountId, '--name', 'Writer', '--scopes', scopes]
  key = (await almanac.command<{ key: string }>(made)).key
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
  const addresses = ['almanac-client', 'almanac-post'].map((name) => `${almanac.url}/clients/${name}.tgz`)
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...addresses], { cwd: folder })
  await cp(join(import.meta.dirname, '../_fixtures/photo.jpg'), join(folder, 'loaf.jpg'))
})
afterAll(async () => {
  await almanac.stop()
  await rm(folder, { recursive: true })
})

interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** Runs `almanac-post` as the folder has it, on a machine whose clocks are elsewhere. */
function command(args: readonly string[], input = ''): Promise<Ran> {
  const env = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: folder, TZ: 'Pacific/Auckland' }
  return new Promise((resolve) => {
    const program = join(folder, 'node_modules/.bin/almanac-post')
    const child = execFile(program, [...args], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
    child.stdin?.end(input)
  })
}

test('a writer signs in, posts a picture, and sees it live', async () => {
  const signedIn = await command(['login', '--url', almanac.url], `${key}\n`)
  expect(signedIn).toMatchObject({ code: 0, stdout: '' })
  expect((await stat(join(folder, 'almanac/config.json'))).mode & 0o777).toBe(0o600)
  const picture = ['--media', 'loaf.jpg', '--alt', 'A loaf']
  const posted = await command([
    'post',
    'Fresh bread',
    '--to',
    'bluesky,instagram',
    '--at',
    'now',
    ...picture,
    '--wait',
  ])
  expect(posted).toMatchObject({ code: 0, stderr: expect.stringContaining('America/New_York') })
  expect(posted.stdout).toMatch(/^bluesky {2}POSTED {2}http\S+\ninstagram {2}POSTED {2}http\S+\n$/)
  const failed = await command([
    'post',
    '[[fault:account-restricted]] bread',
    '--to',
    'bluesky',
    '--at',
    'now',
    '--wait',
    '--json',
  ])
  const [post] = JSON.parse(failed.stdout).posts
  expect([failed.code, post.result.reason]).toEqual([1, 'ACCOUNT_RESTRICTED'])
  const listed = await command(['list', '--from', 'today 0:00', '--json'])
  expect(JSON.parse(listed.stdout).length).toBe(2)
})

test('a file is put on the calendar once, with its picture', async () => {
  await writeFile(
    join(folder, 'rolls.md'),
    '---\nto: instagram\nat: 2030-03-10 02:30\nmedia: loaf.jpg\n---\nFresh rolls\n',
  )
  const [first, second] = [await command(['push', 'rolls.md', '--json']), await command(['push', 'rolls.md'])]
  // Clocks in New York skip from 2:00 to 3:00 in that night.
  const [{ status, postSet }] = JSON.parse(first.stdout)
  expect([status, postSet.scheduledAt]).toEqual(['CREATED', '2030-03-10T07:30:00.000Z'])
  expect(second).toMatchObject({ code: 0, stdout: `UNCHANGED  rolls.md  ${postSet.id}\n` })
  const updated = JSON.parse((await command(['push', 'rolls.md', '--update', '--json'])).stdout)
  // The picture is the one that is there.
  expect(updated[0].postSet.posts[0].media[0].mediaLibraryId).toBe(postSet.posts[0].media[0].mediaLibraryId)
})

test('a program walks through the README of the package, and waits for what it published', async () => {
  const readme = await readFile(join(folder, 'node_modules/almanac-client/README.md'), 'utf8')
  const place = { client: 'almanac-client', url: almanac.url, key }
  const walk = readmeProgram(readme, place).replace(
    'https://pictures.example.com/loaf.jpg',
    `${almanac.url}/sandbox/samples/photo.jpg`,
  )
  const waits = `
    const now = { scheduledAt: '2026-01-01T09:00:00Z', status: 'SCHEDULED', approval: 'NONE' } as const
    const posts = [{ accountType: 'BLUESKY', caption: 'Right now', media }]
    const sent = await almanac.postSets.create({ socialSetId: brand.id, ...now, posts })
    const done = await almanac.postSets.waitUntilPublished(sent.id, { timeout: 120_000 })
    console.log('RESULT', done.posts[0].result.status)`
  const ran = await runNode(folder, ['--input-type=module-typescript', '-e', `${walk}\n${waits}`])
  expect(ran.stderr).toBe('')
  expect(ran.stdout).toContain('Something else: note.created\n')
  expect(ran.stdout).toMatch(/RESULT POSTED\n$/)
})
