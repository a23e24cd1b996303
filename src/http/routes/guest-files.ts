import type { FastifyInstance } from 'fastify'
import { type OperationDeps, openGuestMedia, openGuestPictures } from '#operations'
import { VIEW } from '../guests.ts'
import { sendFile } from './media-files.ts'

/** The files of posts that a shared calendar shows. */
export function guestFileRoutes(server: FastifyInstance, deps: OperationDeps): void {
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
