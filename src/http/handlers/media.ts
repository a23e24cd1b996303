import type { FastifyInstance } from 'fastify'
import { MEDIA_ENDPOINTS, MEDIA_UPLOAD_ENDPOINTS, POSTER_ENDPOINTS } from '#contract'
import { receiveDefaults } from '#importing'
import {
  addPoster,
  browseMedia,
  createMediaUpload,
  deleteMediaItem,
  endUpload,
  getMediaItem,
  getMediaUpload,
  labelFiles,
  listMediaLibrary,
  listUnfinished,
  type OperationDeps,
  putMediaLabels,
  ReceivedForm,
  readMediaLabels,
  readMediaPages,
  readMediaUses,
  readReplacements,
  restoreMediaItem,
  updateMediaItem,
} from '#operations'
import type { AdmitAgain } from '../admit-again.ts'
import { takeBytes } from '../bodies.ts'
import { type Guard, serve } from '../route.ts'
import { mediaUploadFileRoutes } from '../routes/media-upload-files.ts'
import { takeUploadForms } from '../routes/media-upload-form.ts'
import type { ServerDeps } from '../server-deps.ts'

/** The media library, and the uploads that come into it. */
export function serveMedia(
  server: FastifyInstance,
  guard: Guard,
  deps: OperationDeps & Pick<ServerDeps, 'receiving'> & { admitAgain: AdmitAgain },
): void {
  const ending = new AbortController()
  // Clients go on where they were, with another process or with this one after its restart.
  server.addHook('preClose', async () => ending.abort())
  const receiving = { ...deps, ending: ending.signal, settings: { ...receiveDefaults, ...deps.receiving } }
  // Contexts of their own: each takes bodies of a form that no other route does.
  server.register(async (files) => mediaUploadFileRoutes(files, receiving))
  server.register(async (uploads) => {
    takeUploadForms(uploads, receiving)
    serve(uploads, guard, MEDIA_UPLOAD_ENDPOINTS, {
      'POST /media-upload': (caller, { form, body, query, within }) =>
        createMediaUpload(within(deps), caller, { form: form(ReceivedForm), body, query }),
      'GET /media-upload/:id': (caller, { params }) => getMediaUpload(deps, caller, params.id),
      'GET /media-upload': (caller, { query }) => listUnfinished(deps, caller, query),
      'DELETE /media-upload/:id': (caller, { params, query }) => endUpload(deps, caller, params.id, query),
    })
  })
  const posters = { ...deps, underWay: new Set<string>() }
  server.register(async (bytes) => {
    takeBytes(bytes, POSTER_ENDPOINTS['POST /media-upload/:id/poster'].bytes)
    serve(bytes, guard, POSTER_ENDPOINTS, {
      'POST /media-upload/:id/poster': (caller, { params, query, form }) =>
        addPoster(posters, caller, params.id, { picture: form(Uint8Array), query }),
    })
  })
  serve(server, guard, MEDIA_ENDPOINTS, {
    'GET /media-library': (caller, { query }) => listMediaLibrary(deps, caller, query),
    'GET /media-library/:id': (caller, { params }) => getMediaItem(deps, caller, params.id),
    'GET /media-library/browse': (caller, { query }) => browseMedia(deps, caller, query),
    'GET /media-library/:id/uses': (caller, { params, query }) => readMediaUses(deps, caller, params.id, query),
    'GET /media-library/:id/pages': (caller, { params, query }) => readMediaPages(deps, caller, params.id, query),
    'GET /media-library/:id/replacement': (caller, { params, query, within }) =>
      readReplacements(within(deps), caller, params.id, query),
    'GET /media-library/:id/labels': (caller, { params, query }) => readMediaLabels(deps, caller, params.id, query),
    'PUT /media-library/:id/labels': (caller, { params, body, query }) =>
      putMediaLabels(deps, caller, params.id, { body, query }),
    'POST /media-library/labels': (caller, { body, query }) => labelFiles(deps, caller, { body, query }),
    'PATCH /media-library/:id': (caller, { params, body, query }) =>
      updateMediaItem(deps, caller, params.id, { body, query }),
    'DELETE /media-library/:id': (caller, { params, query }) => deleteMediaItem(deps, caller, params.id, query),
    'POST /media-library/:id/restore': (caller, { params, query }) => restoreMediaItem(deps, caller, params.id, query),
  })
}
