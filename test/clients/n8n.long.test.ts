import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Installation, startInstallation } from '../e2e/installation.ts'
import { NODES, runNode } from './unpacked.ts'

/**
 * The nodes for n8n with n8n's own code: checked by its linter and its types, and run by its core against a service with its simulators, from
 * which they are installed. These packages are too many for our lock, so an empty folder gets them, without their scripts.
 */

const PACKAGES = ['n8n-core@2.41.1', 'n8n-workflow@2.41.0', '@n8n/node-cli@0.48.3', 'eslint@9.29.0', 'typescript@5.9.3']
const root = join(import.meta.dirname, '../..')
const wait = { timeout: 120_000, interval: 200 }
// biome-ignore lint/suspicious/noExplicitAny: n8n's code has no types here
type Any = any

let folder: string
let almanac: Installation
let key: string
/** What n8n's code is reached by. */
let load: NodeJS.Require
beforeAll(async () => {
  almanac = await startInstallation({ ALMANAC_TRUSTED_WEBHOOK_HOSTS: '127.0.0.1' })
  const { accountId } = await almanac.command<{ accountId: string }>([
    ...['accounts', 'create', '--name', 'Bakery', '--timezone', 'America/New_York', '--sandbox'],
  ])
  const scopes = 'notes:write,post-sets:write,post-sets:publish,media:write,webhooks:write'
  const made = ['keys', 'create', '--account', accountId, '--name', 'n8n', '--scopes', scopes]
  key = (await almanac.command<{ key: string }>(made)).key
  folder = await mkdtemp(join(tmpdir(), 'almanac-n8n-'))
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true }')
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES]
  const ours = `${almanac.url}/clients/${NODES}.tgz`
  await promisify(execFile)('npm', [...install, ours], { cwd: folder, maxBuffer: 2 ** 26 })
  load = createRequire(join(folder, 'package.json'))
}, 1_800_000)
afterAll(async () => {
  await almanac?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('its linter and its types have nothing to say', async () => {
  const place = join(folder, 'sources')
  await cp(join(root, 'clients/n8n'), place, { recursive: true })
  for (const part of ['credentials', 'nodes', 'icons']) {
    await cp(join(place, 'src', part), join(place, part), { recursive: true })
  }
  await rm(join(place, 'src'), { recursive: true })
  await writeFile(join(place, 'eslint.config.mjs'), "export { config as default } from '@n8n/node-cli/eslint'\n")
  const base = { strict: true, noEmit: true, skipLibCheck: true, esModuleInterop: true, target: 'es2022' }
  const compilerOptions = { ...base, module: 'commonjs', moduleResolution: 'node', lib: ['es2022'], types: ['node'] }
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['credentials', 'nodes'] }))
  for (const [program, ...args] of [
    ['eslint/bin/eslint.js', '.'],
    ['typescript/bin/tsc', '-p', '.'],
  ]) {
    const ran = await runNode(place, [join(folder, 'node_modules', program ?? ''), ...args])
    expect(ran, program).toEqual({ code: 0, stdout: '', stderr: '' })
  }
})

/** A node of a workflow, as n8n runs it. */
function workflowWith(name: 'Almanac' | 'AlmanacTrigger', webhookBaseUrl = '') {
  const { Workflow } = load('n8n-workflow')
  const nodeType = new (load(`${NODES}/dist/nodes/${name}/${name}.node.js`)[name])()
  const credential = new (load(`${NODES}/dist/credentials/AlmanacApi.credentials.js`).AlmanacApi)()
  const credentials = { url: almanac.url, apiKey: key }
  const additionalData: Any = {
    webhookBaseUrl,
    variables: {},
    credentialsHelper: {
      getDecrypted: async () => credentials,
      preAuthentication: async () => undefined,
      getParentTypes: () => [],
      isCredentialUsableByNode: () => true,
      async authenticate(given: typeof credentials, _: string, request: Any) {
        const template: string = credential.authenticate.properties.headers.Authorization
        const authorization = template.replace(/^=/, '').replace('{{$credentials.apiKey}}', given.apiKey)
        return { ...request, headers: { ...request.headers, Authorization: authorization } }
      },
    },
  }
  const open = (parameters: object) => {
    const node = {
      ...{ id: '1', name, type: name, typeVersion: 1, position: [0, 0], parameters },
      credentials: { almanacApi: { id: '1', name: 'Almanac' } },
    }
    const nodeTypes = { getByName: () => nodeType, getByNameAndVersion: () => nodeType, getKnownTypes: () => ({}) }
    const workflow = new Workflow({ id: '1', nodes: [node], connections: {}, active: true, nodeTypes })
    // With the usual values of what was left out.
    return { workflow, node: workflow.getNode(name) }
  }
  return { nodeType, additionalData, open }
}

/** Runs an operation of the node with one item, and answers the items that come out. */
async function run(parameters: object, binary: object = {}): Promise<Any[]> {
  const { ExecuteContext, RoutingNode } = load('n8n-core')
  const { nodeType, additionalData, open } = workflowWith('Almanac')
  const { workflow, node } = open(parameters)
  const items = [{ json: {}, binary }]
  const data = { main: [items] }
  const context = new ExecuteContext(
    ...[workflow, node, additionalData, 'trigger', { resultData: { runData: {} } }, 0, items, data],
    ...[{ node, data, source: null }, []],
  )
  const [out] = await new RoutingNode(context, nodeType).runNode()
  return out.map(({ json }: Any) => json)
}

/** Where n8n hears of webhooks: what the trigger node makes of each. */
async function receiver(trigger: ReturnType<typeof workflowWith>, opened: Any) {
  const { WebhookContext } = load('n8n-core')
  const items: Any[] = []
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const rawBody = Buffer.concat(await request.toArray())
    const httpRequest = Object.assign(request, { rawBody, body: JSON.parse(rawBody.toString()) })
    const httpResponse = Object.assign(response, {
      status: (code: number) => Object.assign(response, { statusCode: code }),
      send: (text: string) => response.end(text),
    })
    const data = { ...trigger.additionalData, httpRequest, httpResponse }
    const context = new WebhookContext(opened.workflow, opened.node, data, 'webhook', {}, [])
    const { workflowData } = await trigger.nodeType.webhook.call(context)
    if (workflowData) items.push(...workflowData[0])
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  trigger.additionalData.webhookBaseUrl = `http://127.0.0.1:${port}/webhook`
  return items
}

test('a workflow brings files, posts them, and another one starts when they are live', async () => {
  const { HookContext, LoadOptionsContext } = load('n8n-core')
  const trigger = workflowWith('AlmanacTrigger')
  const watching = trigger.open({})
  const items = await receiver(trigger, watching)
  const hooks = trigger.nodeType.webhookMethods.default
  const hook = (name: string) =>
    hooks[name].call(
      new HookContext(watching.workflow, watching.node, trigger.additionalData, 'trigger', 'activate', {}),
    )
  expect([await hook('checkExists'), await hook('create'), await hook('checkExists')]).toEqual([false, true, true])

  const [brand] = await run({ resource: 'brand', operation: 'getAll' })
  const socialSetId = brand.id
  const choosing = workflowWith('Almanac')
  const { workflow, node } = choosing.open({})
  const choices = new LoadOptionsContext(workflow, node, choosing.additionalData, '')
  const { brandsOf, accountTypesOf } = choosing.nodeType.methods.loadOptions
  expect(await brandsOf.call(choices)).toEqual([{ name: brand.name, value: socialSetId }])
  expect(await accountTypesOf.call(choices)).toContainEqual({ name: 'BLUESKY', value: 'BLUESKY' })

  const media = { resource: 'media', socialSetId }
  const fileUrl = `${almanac.url}/sandbox/samples/photo.jpg`
  const [imported] = await run({ ...media, operation: 'import', fileUrl })
  const photo = (await readFile(join(root, 'test/_fixtures/photo.jpg'))).toString('base64')
  const binary = { data: { data: photo, mimeType: 'image/jpeg', fileName: 'a "loaf".jpg' } }
  const [uploaded] = await run({ ...media, operation: 'upload' }, binary)
  const ids = await Promise.all(
    [imported, uploaded].map((upload) =>
      vi.waitFor(async () => {
        const [read] = await run({ ...media, operation: 'get', id: upload.id })
        expect(read.status).toBe('READY')
        return read.mediaLibraryId as string
      }, wait),
    ),
  )
  const [{ nextAfter }] = await run({ resource: 'event', operation: 'getAll', limit: 200 })
  expect(nextAfter).toBeGreaterThan(0)

  const words = { accountTypes: ['BLUESKY'], caption: 'Fresh bread', mediaIds: ids.join(', ') }
  const time = { scheduledAt: '2030-06-01T09:00:00' }
  const [draft] = await run({ resource: 'postSet', operation: 'create', socialSetId, ...time, ...words })
  // By the clocks of the brand.
  expect(draft).toMatchObject({
    status: 'DRAFT',
    scheduledAt: '2030-06-01T13:00:00.000Z',
    posts: [{ media: [{}, {}] }],
  })
  const posts = JSON.stringify([{ ...draft.posts[0], caption: 'Fresher bread' }])
  const [changed] = await run({ resource: 'postSet', operation: 'update', id: draft.id, postsJson: posts })
  expect(changed.posts).toMatchObject([{ id: draft.posts[0].id, caption: 'Fresher bread' }])
  const [asked] = await run({ resource: 'postSet', operation: 'ask', id: draft.id })
  expect(asked).toMatchObject({ status: 'DRAFT', approval: 'PENDING', scheduledAt: draft.scheduledAt })
  const now = { newTime: '2026-01-01T09:00:00Z' }
  const [scheduled] = await run({ resource: 'postSet', operation: 'schedule', id: draft.id, ...now })
  expect(scheduled.status).toBe('SCHEDULED')
  await vi.waitFor(() => expect(items).toHaveLength(1), wait)
  expect(items[0].json).toMatchObject({ type: 'post.posted', socialSetId, data: { postSetId: draft.id } })
  await vi.waitFor(async () => {
    const [read] = await run({ resource: 'postSet', operation: 'get', id: draft.id })
    expect(read.posts[0].result).toMatchObject({ status: 'POSTED' })
  }, wait)
  const all = await run({ resource: 'postSet', operation: 'getAll', socialSetId })
  expect(all.map(({ id }) => id)).toContain(draft.id)

  const note = { resource: 'note', operation: 'create', socialSetId, content: 'Flour', ...time }
  expect(await run(note)).toMatchObject([{ content: 'Flour', scheduledAt: '2030-06-01T13:00:00.000Z' }])
  const [other] = await run({ resource: 'postSet', operation: 'create', socialSetId, ...time, ...words })
  expect(await run({ resource: 'postSet', operation: 'delete', id: other.id })).toEqual([{ deleted: true }])
  // What the service refuses, n8n shows as an error of the node.
  await expect(run({ resource: 'postSet', operation: 'get', id: other.id })).rejects.toMatchObject({ httpCode: '404' })

  expect([await hook('delete'), await hook('checkExists')]).toEqual([true, false])
  const listed = await fetch(`${almanac.url}/v1/webhooks`, { headers: { authorization: `Bearer ${key}` } })
  expect(await listed.json()).toMatchObject({ openCount: 0 })
})
