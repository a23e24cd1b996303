import type { FastifyInstance, FastifyReply } from 'fastify'
import { ProblemError } from '#contract'
import type { Docs } from '../docs/pages.ts'

/** Nothing runs, and nothing but the stylesheet is loaded. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The documentation: pages to read, the same as markdown with `.md` at the end of the address, and a list of them. */
export function docsRoutes(server: FastifyInstance, docs: Docs): void {
  const route = (url: string, answer: (reply: FastifyReply, named: string) => Promise<FastifyReply>) =>
    server.get(url, { schema: { hide: true } }, async (request, reply) => {
      const { name = '' } = request.params as { name?: string }
      return answer(reply.header('content-security-policy', POLICY), name)
    })

  async function sendPage(reply: FastifyReply, named: string): Promise<FastifyReply> {
    const name = named.replace(/\.md$/, '')
    const page = await docs.page(name)
    if (!page) throw new ProblemError('route:not_found', 'The documentation has no such page.')
    return named === name ? send(reply, 'text/html', page.html) : send(reply, 'text/markdown', page.markdown)
  }

  route('/docs', (reply) => sendPage(reply, 'index'))
  route('/docs/', (reply) => sendPage(reply, 'index'))
  route('/docs.md', (reply) => sendPage(reply, 'index.md'))
  route('/docs/:name', sendPage)
  route('/docs/errors/:name', (reply, name) => sendPage(reply, `errors/${name}`))
  route('/docs/networks/:name', (reply, name) => sendPage(reply, `networks/${name}`))
  route('/docs/screens/:name', async (reply, name) => {
    const picture = await docs.screen(name)
    if (!picture) throw new ProblemError('route:not_found', 'The documentation has no such picture.')
    return reply.header('content-type', 'image/png').header('cache-control', 'public, max-age=3600').send(picture)
  })
  route('/docs/style.css', async (reply) => send(reply, 'text/css', await docs.stylesheet()))
  route('/llms.txt', async (reply) => send(reply, 'text/plain', docs.llms()))
}

function send(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header('content-type', `${type}; charset=utf-8`).send(text)
}
