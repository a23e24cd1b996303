import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '#contract'
import type { AgentDeps } from '#mcp'
import { noteToolCall } from '#operations'
import type { Docs } from '../docs/pages.ts'
import { headersOf } from '../members.ts'
import { internalProblem, problemOf } from '../problems.ts'
import { goneSignal } from '../register-route.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Where agents send their messages, with a slash at the end or without: a redirect would make a GET of a POST. */
export function mcpRoutes(server: FastifyInstance, deps: ServerDeps & { docs: Docs }): void {
  // The library of the protocol is loaded by the first message.
  let handler: Promise<ReturnType<typeof import('#mcp')['createAgentHandler']>> | null = null
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller, body } = request
    if (!caller) throw new Error('A message of an agent was let in without a key.')
    handler ??= import('#mcp').then(({ createAgentHandler }) => createAgentHandler(agentDeps(deps)))
    const message = new Request(`${deps.publicUrl}/mcp`, {
      method: 'POST',
      headers: headersOf(request),
      signal: goneSignal(reply),
    })
    const response = await (await handler)(message, body, caller)
    const text = await response.text()
    const type = response.headers.get('content-type')
    reply.code(response.status)
    return text === '' ? reply.send() : reply.header('content-type', type ?? 'application/json').send(text)
  }
  for (const url of ['/mcp', '/mcp/']) server.post(url, { schema: { hide: true } }, answer)
}

function agentDeps(deps: ServerDeps & { docs: Docs }): AgentDeps {
  const { docs, log, publicUrl, rate } = deps
  const addressOfPage = (name: string) => `${publicUrl}/docs/${name}.md`
  return {
    deps,
    log,
    note: (caller, call) => noteToolCall(deps, caller, call),
    take: ({ accountId, plan }) => rate.take(`account:${accountId}`, plan.requestsPerSecond),
    problemOf(error) {
      const problem = problemOf(error, LIMITS.bodyBytes)
      if (!problem) log.error({ error }, 'A call of an agent failed by an error of ours')
      return problem ?? internalProblem()
    },
    docs: {
      list: () =>
        docs
          .list()
          .map(({ name, title, summary }) => ({ uri: addressOfPage(name), name, title, description: summary })),
      async read(uri) {
        const name = docs.list().find((page) => addressOfPage(page.name) === uri)?.name
        return name === undefined ? null : ((await docs.page(name))?.markdown ?? null)
      },
    },
  }
}
