import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forwardAgent } from './forward-agent.ts'

/** What comes between an agent on standard input and an installation. */

const asked: { headers: Record<string, unknown>; body: string }[] = []
let left: () => void = () => {}
const server = createServer(async (request, response) => {
  const body = await text(request)
  asked.push({ headers: request.headers, body })
  const { id, method } = JSON.parse(body)
  // It answers no more, and hears that its client has left.
  if (method === 'wait') return void response.once('close', () => left())
  if (id === undefined) return void response.writeHead(202).end()
  if (method === 'refused') return void response.writeHead(401).end(JSON.stringify({ detail: 'The key is wrong.' }))
  const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18' } })
  if (method === 'json') return void response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`: beat\n\nevent: message\ndata: ${answer}\n\n`)
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => void server.close(resolve)))

/** Forwards these lines, and gives the answers by their ids. */
async function forwarded(lines: readonly (object | string)[], to = url) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  for (const line of lines) input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  input.end()
  await forwardAgent({ url: to, key: 'alm_key', input, output, stop: new AbortController().signal })
  output.end()
  const answers = (await text(output)).split('\n').filter((line) => line !== '')
  return answers.map((line) => JSON.parse(line)).toSorted((a, b) => Number(a.id) - Number(b.id))
}
const message = (id: number, method: string, params = {}) => ({ jsonrpc: '2.0', id, method, params })

test('answers come back whether they are JSON or a stream, and messages without one are silent', async () => {
  const result = { protocolVersion: '2025-06-18' }
  expect(
    await forwarded([message(1, 'json'), message(2, 'stream'), { jsonrpc: '2.0', method: 'notifications/x' }, '']),
  ).toEqual([
    { jsonrpc: '2.0', id: 1, result },
    { jsonrpc: '2.0', id: 2, result },
  ])
})

test('headers have the key, and what the transport wants to know of a message', async () => {
  asked.length = 0
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  await forwarded([message(1, 'tools/call', { name: 'list_brands', _meta })])
  expect(asked[0]?.headers).toMatchObject({
    authorization: 'Bearer alm_key',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'list_brands',
  })
})

test('what goes wrong between the two is an answer in words', async () => {
  const refused = await forwarded([message(1, 'refused'), 'no JSON'])
  expect(refused).toEqual([
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'A line is not JSON.' } },
    { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'The key is wrong.' } },
  ])
  const [away] = await forwarded([message(1, 'json')], 'http://127.0.0.1:1')
  expect(away.error.message).toContain('http://127.0.0.1:1 could not be reached')
})

test('a request that its agent cancels is left', async () => {
  const heard = new Promise<void>((resolve) => {
    left = resolve
  })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const ends = forwardAgent({ url, key: 'alm_key', input, output, stop: new AbortController().signal })
  input.write(`${JSON.stringify(message(7, 'wait'))}\n`)
  await expect.poll(() => asked.at(-1)?.body ?? '').toContain('"wait"')
  input.end(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })}\n`)
  await ends
  await heard
  output.end()
  expect(await text(output)).toBe('')
})
