import { execFile, spawn } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { freePort } from '../_util/processes/ports.ts'
import { type Unpacked, unpackClients } from './unpacked.ts'

/**
 * The client in the runtimes that its README names beside Node. Their programs are in packages of the registry, which run no scripts
 * when they are installed.
 */

/** They are those of this platform alone. */
const isHere = process.platform === 'linux' && process.arch === 'x64'
const PACKAGES = {
  deno: '@deno/linux-x64-glibc@2.9.6',
  bun: '@oven/bun-linux-x64@1.4.5',
  workerd: '@cloudflare/workerd-linux-64@1.20261117.1',
}

let api: Api
let unpacked: Unpacked
let folder: string
beforeAll(async () => {
  if (!isHere) return console.log('Skipped: the runtimes of this test are programs for Linux on x64.')
  unpacked = await unpackClients()
  folder = await mkdtemp(join(tmpdir(), 'almanac-runtimes-'))
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--force', ...Object.values(PACKAGES)]
  await promisify(execFile)('npm', install, { cwd: folder })
  await copyFile(join(unpacked.path, 'node_modules/almanac-client/dist/index.js'), join(folder, 'client.js'))
  api = await startApi()
}, 600_000)
afterAll(async () => {
  await api?.close()
  await unpacked?.remove()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const program = (path: string) => join(folder, 'node_modules', path)

/** Reads, writes, uploads, follows and checks a signature, and says what came of it. */
const uses = () => `
  import { Almanac, ApiError } from './client.js'
  export async function use() {
    const almanac = new Almanac({ url: '${api.url}', key: '${api.key}' })
    const socialSetId = '${api.socialSetId}'
    const { nextAfter } = await almanac.events.list()
    const { data: [brand] } = await almanac.socialSets.list()
    const note = await almanac.notes.create({ socialSetId, content: 'Flour', hexColor: '#e4f8e2', scheduledAt: '2030-06-01' })
    let notes = 0
    for (const each of await almanac.notes.list({ socialSetId, filters: { startDate: '2030-06-01', endDate: '2030-06-02' } })) notes += each.id === note.id
    await almanac.notes.delete(note.id)
    const gone = await almanac.notes.get(note.id).catch((error) => error instanceof ApiError && error.code)
    const unsigned = await almanac.webhooks.unwrap('{}', new Headers(), 'whsec_').catch(({ name }) => name)
    return JSON.stringify([brand.name, typeof nextAfter, notes, gone, unsigned])
  }`
const EXPECTED = ['Brand', 'number', 1, 'note:not_found', 'WebhookSignatureError']

test.skipIf(!isHere).each([
  ['Deno', '@deno/linux-x64-glibc/deno', ['run', '--quiet', '--no-config', '--no-lock', '--allow-net=127.0.0.1']],
  ['Bun', '@oven/bun-linux-x64/bin/bun', ['run']],
])(
  '%s',
  async (name, path, args) => {
    const file = join(folder, `${name}.mjs`)
    await writeFile(file, `${uses()}\nconsole.log(await use())`)
    const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: folder, DENO_NO_UPDATE_CHECK: '1' } }
    const { stdout } = await promisify(execFile)(program(path), [...args, file], options)
    expect(JSON.parse(stdout)).toEqual(EXPECTED)
  },
  60_000,
)

test.skipIf(!isHere)(
  'Workers',
  async () => {
    await writeFile(join(folder, 'uses.js'), uses())
    await writeFile(
      join(folder, 'worker.js'),
      `import { use } from './uses.js'\nexport default { fetch: async () => new Response(await use()) }`,
    )
    const port = await freePort()
    await writeFile(
      join(folder, 'config.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "uses.js", esModule = embed "uses.js"),
    (name = "client.js", esModule = embed "client.js"),
  ],
  compatibilityDate = "2025-06-01",
);
`,
    )
    const child = spawn(program('@cloudflare/workerd-linux-64/bin/workerd'), ['serve', 'config.capnp'], { cwd: folder })
    const ended = new Promise((resolve) => child.once('close', resolve))
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    const answer = await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/`), { timeout: 30_000, interval: 100 })
    const text = await answer.text()
    expect(answer.status, `${text}\n${said}`).toBe(200)
    expect(JSON.parse(text)).toEqual(EXPECTED)
  },
  60_000,
)
