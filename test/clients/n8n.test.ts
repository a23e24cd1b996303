import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Webhook as Signer } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS, EVENT_TYPES } from '#contract'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { NODES, type Unpacked, unpackClients } from './unpacked.ts'

/** The nodes for n8n as the service offers them, beside what stands for n8n; `n8n.long.test.ts` runs them in n8n's own code. */

let api: Api
let unpacked: Unpacked
let load: (path: string) => Body
beforeAll(async () => {
  unpacked = await unpackClients()
  const n8n = join(unpacked.path, 'node_modules/n8n-workflow')
  await mkdir(n8n)
  await writeFile(
    join(n8n, 'index.js'),
    `exports.NodeConnectionTypes = { Main: 'main' }
     exports.NodeApiError = class NodeApiError extends Error { constructor(node, body) { super(body.detail) } }`,
  )
  const require = createRequire(join(unpacked.path, 'x.js'))
  load = (path) => require(join(unpacked.path, 'node_modules', NODES, path))
  api = await startApi()
})
afterAll(async () => {
  await api.close()
  await unpacked.remove()
})

test('n8n finds a class by the name of each file that the package names', () => {
  const { n8n } = load('package.json')
  for (const path of [...n8n.nodes, ...n8n.credentials]) {
    const name = path.split('/').at(-1).split('.')[0]
    expect(new (load(path)[name])()).toMatchObject({})
  }
  expect(n8n.nodes).toHaveLength(2)
})

test('each operation is a request of the API', () => {
  const { Almanac } = load('dist/nodes/Almanac/Almanac.node.js')
  const { properties } = new Almanac().description
  const requests = properties
    .filter(({ name }: Body) => name === 'operation')
    .flatMap(({ options }: Body) => options.map(({ routing }: Body) => routing.request))
    .map(({ method, url }: Body) => `${method} ${url.replace(/^=?\/v1/, '').replace(/\{\{.*\}\}/, ':id')}`)
  expect(requests).toHaveLength(13)
  const api = Object.entries(ENDPOINTS).flatMap(([name, row]) => ('api' in row ? [name] : []))
  expect(requests.filter((each: string) => !api.includes(each))).toEqual([])
})

describe('the trigger', () => {
  const URL_OF_N8N = 'https://n8n.example.com/webhook/1'
  const open = async (parameters: Record<string, unknown> = {}) => {
    const { AlmanacTrigger } = load('dist/nodes/AlmanacTrigger/AlmanacTrigger.node.js')
    const node = new AlmanacTrigger()
    const kept: Body = {}
    const key = await api.newKey()
    const context = {
      getWorkflowStaticData: () => kept,
      getNodeWebhookUrl: () => URL_OF_N8N,
      getNodeParameter: (name: string, usual: unknown) => parameters[name] ?? usual,
      getCredentials: async () => ({ url: api.url, apiKey: key }),
      getNode: () => ({}),
      helpers: {
        async httpRequestWithAuthentication(_: string, { method, url, body }: Body) {
          const answer = await api.request(method, url, { key, ...(body ? { body } : {}) })
          return { statusCode: answer.status, body: answer.body }
        },
        returnJsonArray: (json: object) => [{ json }],
      },
    }
    const { default: methods } = node.webhookMethods
    const listed = async () => (await api.request('GET', '/v1/webhooks', { key })).body.data
    const call = (name: string) => methods[name].call(context)
    const receive = async (rawBody: string, headers: Record<string, string>) => {
      const answers: number[] = []
      const response = {
        status(code: number) {
          answers.push(code)
          return this
        },
        send() {
          return this
        },
        end() {},
      }
      const result = await node.webhook.call({
        ...context,
        getRequestObject: () => ({ rawBody: Buffer.from(rawBody), headers }),
        getResponseObject: () => response,
        getBodyData: () => JSON.parse(rawBody),
      })
      return { result, answers }
    }
    return { kept, call, listed, receive }
  }

  test('registers a webhook, knows it again, and removes it', async () => {
    const { kept, call, listed } = await open({ types: ['post.failed'], socialSetIds: ` ${api.socialSetId}, ` })
    expect(await call('checkExists')).toBe(false)
    expect(await call('create')).toBe(true)
    const [made] = await listed()
    expect(made).toMatchObject({
      id: kept.webhookId,
      url: URL_OF_N8N,
      types: ['post.failed'],
      socialSetIds: [api.socialSetId],
      ignoreOwn: true,
    })
    expect(kept.secret).toMatch(/^whsec_/)
    expect(await call('checkExists')).toBe(true)
    expect(await call('delete')).toBe(true)
    expect([await listed(), kept]).toEqual([[], {}])
    expect(await call('delete')).toBe(true)
  })

  test('says what the service says when it refuses a webhook', async () => {
    const { kept, call } = await open({ types: ['no.such'] })
    await expect(call('create')).rejects.toThrow(/types/)
    expect(kept).toEqual({})
  })

  test('starts a workflow with what is signed by its secret alone', async () => {
    const { kept, call, receive } = await open()
    await call('create')
    const event = JSON.stringify({ id: '1', type: 'post.posted', data: {} })
    const signed = (secret: string, body = event, at = new Date()) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Signer(secret).sign('msg_1', at, body),
    })
    const good = await receive(event, signed(kept.secret))
    expect(good).toEqual({ result: { workflowData: [[{ json: JSON.parse(event) }]] }, answers: [] })
    const refused = { result: { noWebhookResponse: true }, answers: [401] }
    expect(await receive(event, signed(`whsec_${Buffer.alloc(32, 1).toString('base64')}`))).toEqual(refused)
    expect(await receive(`${event} `, signed(kept.secret))).toEqual(refused)
    expect(await receive(event, signed(kept.secret, event, new Date(Date.now() - 301_000)))).toEqual(refused)
    expect(await receive(event, {})).toEqual(refused)
    // While one secret replaces another, both sign.
    const both = signed(kept.secret)
    both['webhook-signature'] = `v1,AAAA ${both['webhook-signature']}`
    expect((await receive(event, both)).answers).toEqual([])
    const tried = JSON.stringify({ type: 'webhook.test' })
    expect((await receive(tried, signed(kept.secret, tried))).result).toEqual({ webhookResponse: 'OK' })
  })

  test('offers all events that there are', () => {
    const { AlmanacTrigger } = load('dist/nodes/AlmanacTrigger/AlmanacTrigger.node.js')
    const types = new AlmanacTrigger().description.properties.find(({ name }: Body) => name === 'types')
    expect(types.options.map(({ value }: Body) => value)).toEqual([...EVENT_TYPES])
  })
})
