import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseRange } from '#media'
import { type OperationDeps, openDocumentPages, openPublicMedia, type PublicMedia } from '#operations'
import { isKnown } from '../etags.ts'

/** Files of the media library at their signed addresses, for networks and browsers: no key is needed. */
export function mediaFileRoutes(server: FastifyInstance, deps: OperationDeps): void {
  const pages = openDocumentPages(deps)
  server.route({
    method: ['GET', 'HEAD'],
    url: '/media/:id/:variant',
    schema: { hide: true },
    config: { addressRate: 'unlimited' },
    async handler(request, reply) {
      const { id, variant } = request.params as { id: string; variant: string }
      const { text } = request.query as { text: string }
      const query = Object.fromEntries(new URLSearchParams(text))
      const file = await openPublicMedia({ ...deps, pages }, { id, variant, query })
      return sendFile(request, reply, file)
    },
  })
}

/** @param more headers that are different from those at signed addresses */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PublicMedia,
  more: Readonly<Record<string, string>> = {},
): Promise<FastifyReply> {
  reply.headers({
    etag: file.etag,
    'accept-ranges': 'bytes',
    // The bytes at an address never change, but the address is a secret of those who have it.
    'cache-control': 'private, max-age=86400',
    // What a user has uploaded stays a picture, a video or a document: nothing in it runs, loads or frames anything.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    ...more,
  })
  if (isKnown(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  const range = rangeOf(request, file)
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${file.bytes}`).send()
  reply.headers({
    'content-type': file.mimeType,
    'content-disposition': contentDisposition(file.name, file.mimeType),
    'content-length': range ? range.end - range.start : file.bytes,
  })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${file.bytes}`)
  return reply.send(request.method === 'HEAD' ? undefined : await file.open(range ?? undefined))
}

/** RFC 9110, 14.2 and 13.1.5: of GET alone, and not when the client holds a part of something else. */
function rangeOf(request: FastifyRequest, file: PublicMedia): ReturnType<typeof parseRange> {
  const ifRange = request.headers['if-range']
  if (request.method !== 'GET' || (ifRange !== undefined && ifRange !== file.etag)) return null
  return parseRange(request.headers.range, file.bytes)
}

/** What files of a type may end in; the first one is added to a name that ends otherwise. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
  'video/mp4': ['.mp4', '.m4v'],
  'video/quicktime': ['.mov'],
  'video/webm': ['.webm'],
  'application/pdf': ['.pdf'],
}

/** `Content-Disposition` with a name that was given by a user (RFC 6266), whose ending is made to fit the bytes. */
function contentDisposition(name: string, mimeType: string): string {
  const endings = ENDINGS[mimeType] ?? []
  const fits = endings.some((ending) => name.toLowerCase().endsWith(ending))
  const full = `${name.toWellFormed()}${fits ? '' : (endings[0] ?? '')}`
  const plain = full.replace(/[^\x20-\x7e]|["\\/%]/g, '_')
  const exact = encodeURIComponent(full).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  // Programs that show a PDF may run what is in it: it is saved, and only its pages are shown.
  const shown = mimeType === 'application/pdf' ? 'attachment' : 'inline'
  return `${shown}; filename="${plain}"; filename*=UTF-8''${exact}`
}
