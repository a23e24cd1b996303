import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** An answer of the API, the test file and the titles of the test that got it: `scripts/asserted.mjs` reads these as JSON. */
export type RecordedAnswer = [route: string, status: number, code: string | null, file: string | null, title: string[]]

const ROOMS = ['v1', 'internal', 'shared']

/**
 * From now on, each answer that a server of the API in this process gives below `/v1`, `/internal` and `/shared` becomes a
 * line of a file in this folder, once for each test.
 *
 * @param running the test that runs now; absent in processes that run no tests
 * @returns stops that, for servers that are made later
 */
export function recordAnswers(folder: string, running?: () => { file: string; title: string[] }): () => void {
  const write = recorder(folder, 'answers')
  const onServer = (message: unknown) => {
    const { fastify: server } = message as { fastify: FastifyInstance }
    const codes = new WeakMap<FastifyRequest, string>()
    server.addHook('onSend', async (request, reply, payload) => {
      const code = reply.statusCode >= 400 && typeof payload === 'string' ? codeOf(payload) : null
      if (code !== null) codes.set(request, code)
    })
    server.addHook('onResponse', async (request, reply) => {
      const route = routeOf(request)
      if (route === null || !reply.raw.headersSent) return
      const { file, title } = running?.() ?? { file: null, title: [] }
      const answer: RecordedAnswer = [route, reply.statusCode, codes.get(request) ?? null, file, title]
      write(answer)
    })
  }
  subscribe('fastify.initialization', onServer)
  return () => void unsubscribe('fastify.initialization', onServer)
}

/** Writes values as lines of JSON, each of them once, into a file of this process. */
export function recorder(folder: string, kind: 'answers' | 'tests'): (value: unknown) => void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${kind}-${process.pid}.jsonl`)
  const known = new Set<string>()
  return (value) => {
    const line = `${JSON.stringify(value)}\n`
    if (known.has(line)) return
    known.add(line)
    // At once: processes of tests are killed.
    appendFileSync(path, line)
  }
}

/** Options of Node for a process that shall record what it answers while this one does; none while it does not. */
export function recordingOptions(): string[] {
  const folder = process.env.ALMANAC_ASSERTED
  if (!folder) return []
  const program = `import(${JSON.stringify(pathToFileURL(import.meta.filename).href)}).then((it) => it.recordAnswers(${JSON.stringify(folder)}))`
  return [`--import=data:text/javascript,${encodeURIComponent(`await ${program}`)}`]
}

/** `PATCH /v1/notes/:id`, and `PUT /v1/notes (no route)` for what there is not; null for what is no part of the API. */
function routeOf({ method, url, is404, routeOptions }: FastifyRequest): string | null {
  const path = is404 ? url : (routeOptions.url ?? url)
  const [, room = '', noun = ''] = path.split(/[/?]/, 3)
  if (!ROOMS.includes(room)) return null
  return `${method} ${is404 ? `/${room}/${noun} (no route)` : path}`
}

function codeOf(payload: string): string | null {
  try {
    const { code } = JSON.parse(payload)
    return typeof code === 'string' ? code : null
  } catch {
    return null
  }
}
