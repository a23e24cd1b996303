import type { Rule } from '../conformance.ts'

export const endpointsMediaRules: readonly Rule[] = [
  {
    id: 'social-sets-01',
    rule: 'GET /v1/social-sets gives the social sets that the key may see, with accounts, timezone and id.',
  },
  {
    id: 'media-01',
    rule: 'POST /v1/media-upload imports an image from a public URL into the library of a social set.',
  },
  {
    id: 'media-02',
    rule: 'POST /v1/media-upload imports a video likewise.',
  },
  {
    id: 'media-03',
    rule: 'The import is made in the background: the answer does not wait for it.',
  },
  {
    id: 'media-04',
    rule: 'GET /v1/media-upload/{id} gives the upload until its status is READY, then with the id of the library item.',
  },
  {
    id: 'media-05',
    rule: 'The library item of an import can be used in posts.',
  },
  {
    id: 'media-06',
    rule: 'The media library is browsed by its social set.',
  },
]
