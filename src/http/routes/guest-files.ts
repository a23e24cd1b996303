import type { FastifyInstance } from 'fastify'
import type { UrlSigner } from '#media'
import { type OpenPublicMediaDeps, openGuestMedia, openGuestPictures } from '#operations'
import { VIEW } from '../guests.ts'
import { sendFile } from './media-files.ts'

interface GuestFileDeps extends OpenPublicMediaDeps {
  urls: UrlSigner
}

/** The files of posts that a shared calendar shows. */
export function guestFileRoutes(server: FastifyInstance, deps: GuestFileDeps): void {
  const pictures = openGuestPictures(deps)
  server.route({
    method: ['GET', 'HEAD'],
    url: `${VIEW}/media/:id/:variant`,
    schema: { hide: true },
    config: { forGuests: true, isGuestMedia: true },
    async handler(request, reply) {
      if (!request.guest) throw new Error('A file for guests was reached without one.')
      const { id, variant } = request.params as { id: string; variant: string }
      const file = await openGuestMedia({ ...deps, pictures }, request.guest, { id, variant })
      return sendFile(request, reply, file, { 'cache-control': 'no-store' })
    },
  })
}
