import type { FastifyInstance } from 'fastify'
import { MEDIA_ENDPOINTS, MEDIA_UPLOAD_ENDPOINTS } from '#contract'
import { receiveDefaults } from '#importing'
import {
  createMediaUpload,
  endUpload,
  getMediaItem,
  getMediaUpload,
  listMediaLibrary,
  listUnfinished,
  type OpenPublicMediaDeps,
} from '#operations'
import type { AdmitAgain } from '../admit-again.ts'
import { type Guard, serveRaw } from '../route.ts'
import { mediaFileRoutes } from './media-files.ts'
import { mediaUploadFileRoutes } from './media-upload-files.ts'
import { takeUploadForms } from './media-upload-form.ts'

export interface MediaRouteDeps extends OpenPublicMediaDeps {
  /** Without a slash at the end. */
  publicUrl: string
  log: { warn(fields: object, message: string): void }
  /** Where it differs from the usual. */
  receiving?: Partial<typeof receiveDefaults> | undefined
  admitAgain: AdmitAgain
}

export function mediaRoutes(server: FastifyInstance, guard: Guard, deps: MediaRouteDeps): void {
  const ending = new AbortController()
  // Clients go on where they were, with another process or with this one after its restart.
  server.addHook('preClose', async () => ending.abort())
  const receiving = { ...deps, ending: ending.signal, settings: { ...receiveDefaults, ...deps.receiving } }
  // Contexts of their own: each takes bodies of a form that no other route does.
  server.register(async (files) => mediaUploadFileRoutes(files, receiving))
  server.register(async (uploads) => {
    takeUploadForms(uploads, receiving)
    serveRaw(uploads, guard, MEDIA_UPLOAD_ENDPOINTS, {
      'POST /media-upload': (caller, request) => createMediaUpload(request.within(deps), caller, request),
      'GET /media-upload/:id': (caller, { params }) => getMediaUpload(deps, caller, params.id),
      'GET /media-upload': (caller, { query }) => listUnfinished(deps, caller, query),
      'DELETE /media-upload/:id': (caller, { params, query }) => endUpload(deps, caller, params.id, query),
    })
  })
  serveRaw(server, guard, MEDIA_ENDPOINTS, {
    'GET /media-library': (caller, { query }) => listMediaLibrary(deps, caller, query),
    'GET /media-library/:id': (caller, { params }) => getMediaItem(deps, caller, params.id),
  })
  mediaFileRoutes(server, deps)
}
