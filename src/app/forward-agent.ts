import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** A message of the protocol (JSON-RPC 2.0), as far as it is read on its way. */
interface Message {
  jsonrpc?: unknown
  id?: string | number | null
  method?: string
  params?: { name?: unknown; uri?: unknown; requestId?: string | number; _meta?: Record<string, unknown> }
  result?: { protocolVersion?: unknown }
}

interface Forwarding {
  /** Address of the installation, without a slash at the end. */
  url: string
  key: string
  input: Readable
  output: Writable
  /** Ends it: what is under way is not waited for. */
  stop: AbortSignal
}

/** Where a message of the stateless era names its version; over HTTP it stands in a header as well. */
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const UNREADABLE = -32_700
/** From here on codes are free for what is between the two. */
const NOT_ANSWERED = -32_000

/**
 * Forwards the messages of an agent, one a line, to `/mcp` of an installation, and the answers back: what may be done is decided
 * there. Ends with the input, once all is answered.
 */
export async function forwardAgent({ url, key, input, output, stop }: Forwarding): Promise<void> {
  const underWay = new Map<string | number, AbortController>()
  const answers = new Set<Promise<void>>()
  /** With an agent of the older era: the version that was agreed on. */
  let agreed: unknown = null

  const write = (message: object) => void output.write(`${JSON.stringify(message)}\n`)
  const fail = (id: Message['id'], code: number, message: string) => {
    if (id !== undefined) write({ jsonrpc: '2.0', id, error: { code, message } })
  }

  async function forward(message: Message, gone: AbortSignal): Promise<void> {
    const { id, method } = message
    try {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { ...headersOf(message, agreed), authorization: `Bearer ${key}` },
        body: JSON.stringify(message),
        signal: gone,
      })
      const answered = messagesIn(await response.text(), response.headers.get('content-type') ?? '')
      const own = answered.filter(({ jsonrpc }) => jsonrpc !== undefined)
      if (method === 'initialize') agreed = own[0]?.result?.protocolVersion ?? null
      for (const one of own) write(one)
      if (own.length === 0) fail(id, NOT_ANSWERED, detailOf(answered[0]) ?? `${url} has answered ${response.status}.`)
    } catch (error) {
      if (!gone.aborted) fail(id, NOT_ANSWERED, `${url} could not be reached: ${reasonOf(error)}.`)
    }
  }

  function take(line: string): void {
    const message = messagesIn(line, 'json')[0]
    if (message) begin(message)
    else fail(null, UNREADABLE, 'A line is not JSON.')
  }

  function begin(message: Message): void {
    const { id, method, params } = message
    // Over HTTP a request is cancelled by leaving.
    if (method === 'notifications/cancelled' && params?.requestId !== undefined) underWay.get(params.requestId)?.abort()
    const ending = new AbortController()
    const asked = typeof id === 'string' || typeof id === 'number' ? id : null
    if (asked !== null) underWay.set(asked, ending)
    const answer = forward(message, AbortSignal.any([stop, ending.signal])).finally(() => {
      answers.delete(answer)
      if (asked !== null) underWay.delete(asked)
    })
    answers.add(answer)
  }

  const lines = createInterface({ input, signal: stop })
  lines.on('line', (line) => {
    if (line.trim() !== '') take(line)
  })
  await new Promise<void>((resolve) => lines.once('close', resolve))
  await Promise.all(answers)
}

/** What the transport over HTTP says of a message in its headers. */
function headersOf({ method, params }: Message, agreed: unknown): Record<string, string> {
  const version = params?._meta?.[VERSION] ?? (method === 'initialize' ? null : agreed)
  const named = params?.name ?? params?.uri
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    ...(typeof method === 'string' ? { 'mcp-method': method } : {}),
    ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
  }
}

/** The messages in an answer: one, or those of a stream of events, which has ended. */
function messagesIn(text: string, type: string): Message[] {
  const parts = type.includes('event-stream')
    ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data)
    : [text]
  return parts.flatMap((part) => {
    try {
      const message: unknown = JSON.parse(part)
      return typeof message === 'object' && message !== null ? [message] : []
    } catch {
      return []
    }
  })
}

/** The words of a problem. */
function detailOf(answer: object | undefined): string | null {
  return answer && 'detail' in answer && typeof answer.detail === 'string' ? answer.detail : null
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}
