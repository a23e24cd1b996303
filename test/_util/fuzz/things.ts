import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { OpenApi } from '../api/openapi.ts'
import type { FuzzTarget } from './fuzz.ts'
import { nothingKnown } from './known.ts'

/** What the server of things does with one: its answer, or something that no server should do. */
export type Answering = (size: number) => { status: number; body: object } | 'refused and kept' | 'hang up'

/**
 * A server of one operation, `POST /v1/things`, for tests of the fuzz itself. It takes a size from 0 to 100 and may
 * answer 201 or 400, says its description.
 */
export async function startThings(answering: Answering): Promise<FuzzTarget & { close(): Promise<void> }> {
  let kept = 0
  const server = createServer(async (request, response) => {
    const { size } = readThing(await text(request))
    const fits = Number.isInteger(size) && Number(size) >= 0 && Number(size) <= 100
    const isThings = request.method === 'POST' && request.url?.split('?')[0] === '/v1/things'
    const answer = fits && isThings ? answering(Number(size)) : REFUSED
    if (answer === 'hang up') {
      request.socket.destroy()
      return
    }
    if (answer === 'refused and kept') kept += 1
    const { status, body } = answer === 'refused and kept' ? REFUSED : answer
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    response.writeHead(status, { ...rate(), 'content-type': type }).end(JSON.stringify(body))
  })
  server.on('clientError', (_, socket) => {
    const body = JSON.stringify(REFUSED.body)
    const head = `HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/problem+json\r\n`
    socket.end(`${head}content-length: ${body.length}\r\n\r\n${body}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const may = { shut: false, writes: true, whole: true, sees: new Set<string>() }
  const main = { name: 'main', authorization: null, home: '', media: [], ...may }
  return {
    url,
    openApi: DESCRIPTION,
    callers: [main],
    known: nothingKnown(),
    rows: async () => String(kept),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

function readThing(body: string): { size?: unknown } {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}

const rate = () => ({
  'x-ratelimit-limit': '5',
  'x-ratelimit-remaining': '4',
  'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000)),
})
const REFUSED = {
  status: 400,
  body: {
    type: '/docs/errors/request:invalid_json',
    title: 'The body is not valid JSON',
    status: 400,
    detail: 'No.',
    code: 'request:invalid_json',
    message: 'No.',
    requestId: '1',
    errors: [],
  },
}
const size = { type: 'integer', minimum: 0, maximum: 100 }
const thing = { type: 'object', properties: { size }, required: ['size'], additionalProperties: false }
const created = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const operation = {
  requestBody: { content: { 'application/json': { schema: thing } } },
  responses: {
    201: { content: { 'application/json': { schema: created } } },
    400: { content: { 'application/problem+json': { schema: { type: 'object' } } } },
  },
}
const DESCRIPTION: OpenApi = {
  openapi: '3.1.0',
  paths: { '/v1/things': { post: operation } },
  components: { schemas: { Problem: { type: 'object' } } },
}
