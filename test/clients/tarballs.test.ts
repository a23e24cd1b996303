import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { DIST, NODES, runNode, TARBALLS, type Unpacked, unpackClients } from './unpacked.ts'

const root = join(import.meta.dirname, '../..')
let api: Api
let unpacked: Unpacked
beforeAll(async () => {
  unpacked = await unpackClients()
  api = await startApi()
})
afterAll(async () => {
  await api.close()
  await unpacked.remove()
})

const manifestOf = async (path: string) => JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))

test('the service offers the packages, without a key', async () => {
  for (const name of [...TARBALLS, NODES]) {
    const address = `${api.url}/clients/${name}.tgz`
    const response = await fetch(address)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/gzip')
    expect(Buffer.from(await response.arrayBuffer()).equals(await readFile(join(DIST, `${name}.tgz`)))).toBe(true)
    const again = await fetch(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  }
  expect((await api.request('GET', '/clients/other.tgz', { key: null })).status).toBe(404)
})

test('the same sources give the same bytes', async () => {
  const again = `
    import { hash } from 'node:crypto'
    import { makeTarballs } from './scripts/build-clients.mjs'
    for (const [name, bytes] of Object.entries(await makeTarballs())) console.log(name, hash('sha256', bytes))`
  const ran = await runNode(root, ['--input-type=module', '-e', again])
  const lines = [...TARBALLS, NODES].map(async (name) => {
    const bytes = await readFile(join(DIST, `${name}.tgz`))
    return `${name}.tgz ${createHash('sha256').update(bytes).digest('hex')}\n`
  })
  expect(ran).toEqual({ code: 0, stdout: (await Promise.all(lines)).join(''), stderr: '' })
})

test('none needs another package, or has a version of its own', async () => {
  const { version } = await manifestOf(root)
  const nodes = await manifestOf(join(unpacked.path, 'node_modules', NODES))
  expect(nodes).toMatchObject({ name: NODES, version, private: true, peerDependencies: { 'n8n-workflow': '*' } })
  expect(Object.keys(nodes).filter((field) => /dependencies/i.test(field))).toEqual(['peerDependencies'])
  for (const name of TARBALLS) {
    const manifest = await manifestOf(join(unpacked.path, 'node_modules', name))
    expect(manifest).toMatchObject({ name, version, private: true, engines: { node: '>=20' } })
    expect(Object.keys(manifest).filter((field) => /dependencies/i.test(field))).toEqual([])
  }
})

test('answers name the version of the service', async () => {
  const { version } = await manifestOf(root)
  for (const path of ['/v1/social-sets', '/v1/nothing']) {
    expect((await api.request('GET', path)).headers.get('almanac-version')).toBe(version)
  }
})

test('the client runs as ESM and as CommonJS', async () => {
  const use = `new Almanac({ url: '${api.url}', key: '${api.key}' }).socialSets.list().then(({ data }) => console.log(data[0].name))`
  const esm = `import { Almanac } from 'almanac-client'; ${use}`
  const cjs = `const { Almanac } = require('almanac-client'); ${use}`
  for (const [type, code] of [
    ['module', esm],
    ['commonjs', cjs],
  ] as const) {
    const ran = await runNode(unpacked.path, [`--input-type=${type}`, '-e', code])
    expect(ran, type).toEqual({ code: 0, stdout: 'Brand\n', stderr: '' })
  }
})

test('the client names nothing of Node', async () => {
  const folder = join(unpacked.path, 'node_modules/almanac-client/dist')
  const ofNode = /\b(?:Buffer|process|__dirname|__filename|setImmediate|NodeJS|global)\b|\bnode:|\brequire\(/
  for (const file of ['index.js', 'index.cjs', 'index.d.ts', 'client.d.ts', 'request.d.ts', 'types.d.ts']) {
    const code = (await readFile(join(folder, file), 'utf8')).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    expect(ofNode.exec(code)?.[0], file).toBeUndefined()
  }
  // Its own types are checked without those of Node.
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const ran = await runNode(root, [tsc, '-p', 'clients/typescript'])
  expect(ran).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('the client needs no more than what browsers, Deno, Bun and Workers have too', async () => {
  const code = await readFile(join(unpacked.path, 'node_modules/almanac-client/dist/index.cjs'), 'utf8')
  const web = { AbortController, Blob, crypto, File, FormData, Headers, Request, Response, TextEncoder, URL }
  const functions = { atob, btoa, clearTimeout, fetch, setTimeout, URLSearchParams }
  const exports: Record<string, never> = {}
  const context = createContext({ ...web, ...functions, exports, module: { exports } })
  runInContext(code, context)
  const use = `
    const almanac = new exports.Almanac({ url: '${api.url}', key: '${api.key}' })
    almanac.notes.create({ socialSetId: '${api.socialSetId}', content: 'Flour', hexColor: '#e4f8e2', scheduledAt: '2030-06-01' })
      .then(({ id }) => almanac.notes.delete(id))
      .then(() => exports.unwrapWebhook('{}', {}, 'whsec_').catch(({ name }) => name))`
  expect(await runInContext(use, context)).toBe('WebhookSignatureError')
})

test('login asks at a terminal, and does not show the key', async () => {
  const terminal = '--import=data:text/javascript,process.stdin.isTTY=true'
  const program = join(unpacked.path, 'node_modules/almanac-post/dist/main.js')
  const env = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: unpacked.path }
  const child = spawn(process.execPath, [terminal, program, 'login'], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const answers: [question: string, answer: string][] = [
    ['Address of Almanac: ', api.url],
    ['API key: ', api.key],
  ]
  let shown = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      const [question, answer] = answers[0] ?? []
      if (question === undefined || !shown.includes(question)) return
      answers.shift()
      child.stdin.write(`${answer}\n`)
    })
  }
  expect(await new Promise((resolve) => child.once('close', resolve)), shown).toBe(0)
  expect(shown).toContain('The key sees: Brand.')
  expect(shown).not.toContain(api.key)
  const kept = JSON.parse(await readFile(join(unpacked.path, 'almanac/config.json'), 'utf8'))
  expect(kept).toEqual({ url: api.url, key: api.key })
})

test('the command runs, and has the licenses of what it is made of', async () => {
  const folder = join(unpacked.path, 'node_modules/almanac-post')
  const env = { ALMANAC_URL: api.url, ALMANAC_KEY: api.key, TZ: 'Pacific/Auckland' }
  const post = ['post', 'Fresh bread', '--to', 'bluesky', '--at', '2030-06-01 09:00']
  const ran = await runNode(unpacked.path, [join(folder, 'dist/main.js'), ...post], env)
  expect(ran).toMatchObject({ code: 0, stderr: 'Sat, 1 June 2030 at 09:00 (Europe/Berlin, +02:00)\n' })
  expect(ran.stdout).toMatch(/^[0-9a-f-]{36} {2}2030-06-01 09:00 {2}SCHEDULED {2}bluesky {2}Fresh bread\n$/)
  const licenses = await readFile(join(folder, 'LICENSES'), 'utf8')
  for (const name of ['chrono-node', 'temporal-polyfill', 'yaml']) expect(licenses).toContain(`${name}\n====`)
})
