import type { Rule } from '../conformance.ts'

export const endpointsMediaRules: readonly Rule[] = [
  {
    id: 'social-sets-01',
    rule: 'GET /v1/social-sets gives the social sets that the key may see, with accounts, timezone and id.',
    proof: [
      'test/api/social-sets.happy.test.ts › social sets by name, with their open connections and nothing secret',
      'test/api/social-sets.security.test.ts › a key sees the social sets of its account, a restricted one only its own',
    ],
  },
  {
    id: 'media-01',
    rule: 'POST /v1/media-upload imports an image from a public URL into the library of a social set.',
    proof: [
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'media-02',
    rule: 'POST /v1/media-upload imports a video likewise.',
    proof: ['test/api/media.happy.test.ts › a video has a length and no thumbnail, and is named by its address'],
  },
  {
    id: 'media-03',
    rule: 'The import is made in the background: the answer does not wait for it.',
    proof: ['test/api/media.happy.test.ts › progress is seen while the file comes'],
  },
  {
    id: 'media-04',
    rule: 'GET /v1/media-upload/{id} gives the upload until its status is READY, then with the id of the library item.',
    proof: [
      'test/api/media.happy.test.ts › an image: from its address through PENDING to READY, into the library, and back as the same bytes',
    ],
  },
  {
    id: 'media-05',
    rule: 'The library item of an import can be used in posts.',
    proof: ['test/e2e/bluesky-server.test.ts › from a key to a post on a real server, and back'],
  },
  {
    id: 'media-06',
    rule: 'The media library is browsed by its social set.',
    proof: ['test/api/media.happy.test.ts › the library in pages, newest first; nothing overlaps, nothing is left out'],
  },
]
