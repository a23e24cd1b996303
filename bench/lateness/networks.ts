import { createServer } from 'node:http'

/**
 * The networks of `lateness.ts`: Bluesky, Facebook, LinkedIn, Threads and X, as far as the sending of a text goes, each request answered
 * after NETWORK_CALL_MS. On Threads a text is a container first, which is finished WORK_MS after it was made. A process of its own; prints its address. `GET /report` says how many requests there were since
 * the last report, and how late each post came: of the time that is in its text (`due1764000000000`).
 */
const callMs = Number(process.env.NETWORK_CALL_MS)
const WORK_MS = 1_000
/** By their ids, the texts of containers and when they were made. */
const containers = new Map<string, { text: string; at: number }>()
let calls = 0
let lateness: number[] = []
let made = 0

const server = createServer((request, response) => {
  const at = Date.now()
  const url = new URL(request.url ?? '/', 'http://network')
  if (url.pathname === '/report') {
    response.end(JSON.stringify({ calls, lateness }))
    if (url.searchParams.has('reset')) {
      calls = 0
      lateness = []
    }
    return
  }
  calls++
  const parts: Buffer[] = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts).toString()
    const due = /due(\d{13})/.exec(visible(url.pathname, body))?.[1]
    if (due !== undefined) lateness.push(at - Number(due))
    const { status, headers, json } = answerTo(request.method ?? '', url.pathname, body)
    setTimeout(() => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(json === null ? '' : JSON.stringify(json))
    }, callMs)
  })
})
// A queue of 200 calls at once, and room for more.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})

/** The text that a request makes visible. */
function visible(path: string, body: string): string {
  if (path.endsWith('/me/threads')) return ''
  if (!path.endsWith('/me/threads_publish')) return body
  return containers.get(new URLSearchParams(body).get('creation_id') ?? '')?.text ?? ''
}

function answerTo(
  method: string,
  path: string,
  body: string,
): { status: number; headers?: Record<string, string>; json: object | null } {
  const id = String(1_000_000_000 + ++made)
  const [, network] = path.split('/')
  switch (network) {
    case 'bluesky': {
      const { repo, collection, rkey } = JSON.parse(body)
      return { status: 200, json: { uri: `at://${repo}/${collection}/${rkey}`, cid: id } }
    }
    case 'linkedin':
      return { status: 201, headers: { 'x-restli-id': `urn:li:share:${id}` }, json: null }
    case 'x':
      return method === 'GET'
        ? { status: 200, json: { meta: { result_count: 0 } } }
        : { status: 201, json: { data: { id, text: '' } } }
    case 'facebook':
      return method === 'GET'
        ? { status: 200, json: { data: [] } }
        : { status: 200, json: { id, permalink_url: `https://facebook.example/${id}` } }
    case 'threads':
      return { status: 200, json: threads(method, path, body, id) }
    default:
      return { status: 404, json: {} }
  }
}

function threads(method: string, path: string, body: string, id: string): object {
  if (path.endsWith('/threads_publishing_limit')) {
    return { data: [{ quota_usage: 1, config: { quota_total: 250, quota_duration: 86_400 } }] }
  }
  if (path.endsWith('/me/threads')) {
    if (method === 'GET') return { data: [] }
    containers.set(id, { text: body, at: Date.now() })
    return { id }
  }
  if (path.endsWith('/me/threads_publish')) return { id }
  const asked = path.split('/').at(-1) ?? ''
  const container = containers.get(asked)
  if (container) return { id: asked, status: Date.now() - container.at < WORK_MS ? 'IN_PROGRESS' : 'FINISHED' }
  return { id: asked, permalink: `https://threads.example/${asked}`, media_type: 'TEXT_POST' }
}
