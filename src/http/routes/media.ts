import type { FastifyInstance } from 'fastify'
import { MediaLibraryItem, MediaUpload, MediaUploadCreate, pageOf } from '#contract'
import {
  createMediaUpload,
  getMediaItem,
  getMediaUpload,
  listMediaLibrary,
  type OpenPublicMediaDeps,
} from '#operations'
import { MediaListQuery } from '../queries.ts'
import { type Guard, interfaceRoute } from '../route.ts'
import { mediaFileRoutes } from './media-files.ts'

export type MediaRouteDeps = OpenPublicMediaDeps

const tag = 'Media'

export function mediaRoutes(server: FastifyInstance, guard: Guard, deps: MediaRouteDeps): void {
  interfaceRoute(server, guard, {
    method: 'POST',
    url: '/v1/media-upload',
    summary: 'Import an image or video',
    description:
      'From a public address into the media library of a social set, in the background: read the upload until its status is READY, then use its mediaLibraryId. At most 5 uploads of a social set may be pending at once.',
    tag,
    scope: 'media:write',
    body: MediaUploadCreate,
    status: 201,
    answer: MediaUpload,
    problems: ['request:invalid_body', 'social-set:not_found', 'media-upload:too_many_pending'],
    handle: (caller, request) => createMediaUpload(request.within(deps), caller, request),
  })
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/media-upload/:id',
    summary: 'Read an upload',
    description: 'FAILED uploads say why in error. Whoever may read an upload sees the address it was made with.',
    tag,
    status: 200,
    answer: MediaUpload,
    problems: ['media-upload:not_found'],
    handle: (caller, { params }) => getMediaUpload(deps, caller, params.id ?? ''),
  })
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/media-library',
    summary: 'List the media library',
    description:
      'A page of the images and videos of the social set that socialSetId names, newest first. Addresses in it are signed and good for 48 hours at least.',
    tag,
    query: MediaListQuery,
    status: 200,
    answer: pageOf(MediaLibraryItem),
    problems: ['social-set:not_found'],
    handle: (caller, { query }) => listMediaLibrary(deps, caller, query),
  })
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/media-library/:id',
    summary: 'Read an item of the media library',
    tag,
    status: 200,
    answer: MediaLibraryItem,
    problems: ['media-library:not_found'],
    handle: (caller, { params }) => getMediaItem(deps, caller, params.id ?? ''),
  })
  mediaFileRoutes(server, deps)
}
