import Type from 'typebox'
import type { EndpointTable } from '../endpoint.ts'
import * as LIMITS from '../limits.ts'
import {
  MediaLibraryItem,
  MediaUpload,
  MediaUploadCreate,
  MediaUploadFields,
  POSTER_TYPES,
  UnfinishedUpload,
} from '../media.ts'
import {
  FilesLabel,
  FilesLabelled,
  LibraryPage,
  MediaBrowseQuery,
  MediaItemUpdate,
  MediaLabels,
  MediaPages,
  MediaReplacementQuery,
  MediaReplacements,
  MediaUses,
} from '../media-library.ts'
import { pageOf } from '../pages.ts'
import { MediaListQuery, SocialSetQuery } from '../queries.ts'
import { closed } from '../schema.ts'

const tag = 'Media'

/** A form of the API: its fields, and the file as its last part. */
const MediaUploadForm = closed({
  ...MediaUploadFields.properties,
  file: Type.String({ format: 'binary', description: 'The file itself, as the last part of the form.' }),
})

/** Uploads into the media library. */
export const MEDIA_UPLOAD_ENDPOINTS = {
  'POST /media-upload': {
    api: {
      tag,
      summary: 'Import or upload an image, video or PDF',
      description:
        'Adds a file from a public address, or from a form, to the media library of a social set, in the background: read the upload until its status is READY, then use its mediaLibraryId. An import is refused while 5 uploads of the social set are pending.',
    },
    right: 'media:write',
    body: MediaUploadCreate,
    form: MediaUploadForm,
    touches: ['media-library', 'uploads'],
    status: 201,
    answer: MediaUpload,
    problems: [
      'request:invalid_body',
      'social-set:not_found',
      'media-upload:too_many_pending',
      'media-upload:too_many_open',
      'media-upload:taken_over',
      'plan:upload_allowance_exceeded',
      'plan:storage_exceeded',
      'api-key:budget_exceeded',
      'request:timeout',
    ],
  },
  'GET /media-upload/:id': {
    api: {
      tag,
      summary: 'Read an upload',
      description: 'FAILED uploads give the reason in error. Everyone who may read an upload sees its source address.',
    },
    status: 200,
    answer: MediaUpload,
    problems: ['media-upload:not_found'],
  },
  'GET /media-upload': {
    right: 'media:write',
    query: SocialSetQuery,
    status: 200,
    answer: closed({ data: Type.Array(UnfinishedUpload, { description: 'Newest byte first.' }) }),
    problems: ['social-set:not_found'],
  },
  'DELETE /media-upload/:id': {
    right: 'media:write',
    touches: ['uploads'],
    status: 204,
    problems: ['media-upload:not_found', 'media-upload:taken_over'],
  },
} as const satisfies EndpointTable

/** The picture of a video, drawn by the browser that uploads it. */
export const POSTER_ENDPOINTS = {
  'POST /media-upload/:id/poster': {
    right: 'media:write',
    bytes: POSTER_TYPES,
    bodyBytes: LIMITS.poster.bytes,
    touches: [],
    status: 204,
    problems: ['media-upload:not_found', 'request:invalid_body'],
  },
} as const satisfies EndpointTable

/** The media library. */
export const MEDIA_ENDPOINTS = {
  'GET /media-library': {
    api: {
      tag,
      summary: 'List the media library',
      description:
        'A page of the images, videos and documents of the social set socialSetId, newest first. Its addresses are signed and valid for at least 48 hours.',
    },
    query: MediaListQuery,
    status: 200,
    answer: pageOf(MediaLibraryItem),
    problems: ['social-set:not_found'],
  },
  'GET /media-library/:id': {
    api: { tag, summary: 'Read an item of the media library' },
    status: 200,
    answer: MediaLibraryItem,
    problems: ['media-library:not_found'],
  },
  'GET /media-library/browse': {
    query: MediaBrowseQuery,
    status: 200,
    answer: LibraryPage,
    problems: ['social-set:not_found'],
  },
  'GET /media-library/:id/uses': {
    status: 200,
    answer: MediaUses,
    problems: ['media-library:not_found'],
  },
  'GET /media-library/:id/pages': {
    status: 200,
    answer: MediaPages,
    problems: ['media-library:not_found'],
  },
  'GET /media-library/:id/replacement': {
    right: 'post-sets:write',
    query: MediaReplacementQuery,
    status: 200,
    answer: MediaReplacements,
    problems: ['media-library:not_found'],
  },
  'GET /media-library/:id/labels': {
    status: 200,
    answer: MediaLabels,
    problems: ['media-library:not_found'],
  },
  'PUT /media-library/:id/labels': {
    right: 'labels:apply',
    body: MediaLabels,
    touches: ['media-library'],
    status: 200,
    answer: MediaLabels,
    problems: ['media-library:not_found', 'request:invalid_body', 'label:not_found'],
  },
  'POST /media-library/labels': {
    right: 'labels:apply',
    body: FilesLabel,
    touches: ['media-library'],
    status: 200,
    answer: FilesLabelled,
    problems: ['media-library:not_found', 'request:invalid_body', 'label:not_found'],
  },
  'PATCH /media-library/:id': {
    right: 'media:write',
    body: MediaItemUpdate,
    touches: ['media-library'],
    status: 200,
    answer: MediaLibraryItem,
    problems: ['media-library:not_found', 'request:invalid_body'],
  },
  'DELETE /media-library/:id': {
    right: 'media:write',
    touches: ['media-library', 'plan'],
    status: 204,
    problems: ['media-library:not_found', 'media-library:in_use'],
  },
  'POST /media-library/:id/restore': {
    right: 'media:write',
    touches: ['media-library', 'plan'],
    status: 200,
    answer: MediaLibraryItem,
    problems: ['media-library:not_found'],
  },
} as const satisfies EndpointTable
