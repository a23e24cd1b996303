import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ProblemError } from '#contract'
import { isKnown } from '../etags.ts'
import { FILES } from '../rate-limit.ts'

/** Written by `scripts/build-clients.mjs`. */
const FOLDER = join(import.meta.dirname, '../../../clients/dist')
const TARBALLS = ['almanac-client.tgz', 'almanac-post.tgz', 'n8n-nodes-almanac.tgz']

/** The client for programs, the command for writers and the nodes for n8n, as packages that npm installs from here. */
export function clientRoutes(server: FastifyInstance): void {
  for (const name of TARBALLS) {
    server.get(
      `/clients/${name}`,
      { schema: { hide: true }, config: { addressRate: FILES } },
      async (request, reply) => {
        const bytes = await read(name)
        const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
        reply.headers({ etag, 'cache-control': 'no-cache' })
        if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
        return reply.header('content-type', 'application/gzip').send(bytes)
      },
    )
  }
}

/** @throws ProblemError `route:not_found` where it was not built */
async function read(name: string): Promise<Buffer> {
  try {
    return await readFile(join(FOLDER, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new ProblemError('route:not_found', 'The clients are not built here: node scripts/build-clients.mjs')
  }
}
