import type { FastifyInstance } from 'fastify'
import { ProblemError, refuseLargeBody } from '#contract'

/**
 * Bodies are JSON in UTF-8, or they are refused: 415 for another form, 400 for what cannot be read or holds too much to be
 * read cheaply.
 */
export function readBodiesAsJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i,
    { parseAs: 'buffer' },
    (request, body, done) => {
      const encoding = request.headers['content-encoding']
      if (encoding !== undefined && encoding !== 'identity') {
        done(new ProblemError('request:unsupported_media_type', 'Send the body as it is, without a content-encoding.'))
        return
      }
      try {
        refuseLargeBody(body as Buffer, request.routeOptions.config.bodyElements)
      } catch (error) {
        done(error as Error)
        return
      }
      try {
        done(null, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer)))
      } catch {
        // What the parser says holds a piece of the body: it is neither answered nor logged.
        const detail = 'The body cannot be read as JSON in UTF-8. Check quotes, commas and brackets.'
        done(new ProblemError('request:invalid_json', detail))
      }
    },
  )
}

/** Lets routes of this context take a body of these types as it comes, and no other. */
export function takeBytes(server: FastifyInstance, types: readonly string[]): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser([...types], { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  server.addHook('onRequest', async ({ headers }) => {
    if (types.includes(headers['content-type'] ?? '')) return
    const detail = `Send the body with one of these in the header content-type: ${types.join(', ')}.`
    throw new ProblemError('request:unsupported_media_type', detail)
  })
}
