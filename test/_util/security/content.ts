import { expect } from 'vitest'
import { newId } from '#domain'
import { BLUESKY_POST } from '../api.ts'
import type { Row, Table } from './row.ts'
import type { Scene } from './scene.ts'

const AT = '2030-06-01T10:00:00Z'
const inSet = ({ api }: Scene) => ({ socialSetId: api.socialSetId })
const NO_SET = 'social-set:not_found'

const note = (given: object = {}): Row => ({
  given: async ({ make }) => ({ params: { id: await make.note() }, ...given }),
  outside: 'note:not_found',
})
const postSet = (given: object = {}, more: Partial<Row> = {}): Row => ({
  given: async ({ make }) => ({ params: { id: await make.postSet() }, ...given }),
  outside: 'post-set:not_found',
  ...more,
})
const SCHEDULED = { status: 'SCHEDULED', posts: [BLUESKY_POST] }
const PUBLISH = { rights: ['post-sets:publish'] } as const

/** Routes about notes, post sets, the calendar and media. */
export const CONTENT: Table = {
  'GET /notes': {
    given: ({ api }) => ({
      query: { socialSetId: api.socialSetId, 'filters[startDate]': '2030-06-01', 'filters[endDate]': '2030-07-01' },
    }),
    outside: NO_SET,
  },
  'POST /notes': {
    given: (scene) => ({ body: { ...inSet(scene), content: 'A note', hexColor: '#faf785', scheduledAt: AT } }),
    outside: NO_SET,
  },
  'GET /notes/:id': note(),
  'PATCH /notes/:id': note({ body: { content: 'Another text' } }),
  'DELETE /notes/:id': note(),
  'POST /notes/:id/restore': {
    given: async ({ make }) => ({ params: { id: await make.deletedNote() } }),
    outside: 'note:not_found',
  },

  'GET /post-sets': { given: (scene) => ({ query: inSet(scene) }), outside: NO_SET },
  'POST /post-sets': [
    { given: ({ api }) => ({ body: api.draft() }), outside: NO_SET },
    { name: 'scheduled', given: ({ api }) => ({ body: api.draft(SCHEDULED) }), outside: NO_SET, ...PUBLISH },
  ],
  'POST /post-sets/validate': { rights: [], given: ({ api }) => ({ body: api.draft() }), outside: NO_SET },
  'GET /post-sets/:id': postSet(),
  'PATCH /post-sets/:id': [
    postSet({ body: { scheduledAt: '2030-06-02T10:00:00Z' } }),
    postSet({ body: { status: 'SCHEDULED' } }, { name: 'schedules', ...PUBLISH }),
    {
      name: 'a scheduled one',
      given: async ({ make }) => ({
        params: { id: await make.postSet(SCHEDULED) },
        body: { scheduledAt: '2030-06-02T10:00:00Z' },
      }),
      outside: 'post-set:not_found',
      ...PUBLISH,
    },
  ],
  'DELETE /post-sets/:id': [
    postSet(),
    {
      name: 'a scheduled one',
      given: async ({ make }) => ({ params: { id: await make.postSet(SCHEDULED) } }),
      outside: 'post-set:not_found',
      ...PUBLISH,
    },
  ],

  'GET /calendar': {
    given: (scene) => ({ query: { ...inSet(scene), from: '2030-06-01', to: '2030-07-01' } }),
    outside: NO_SET,
  },
  'GET /calendar/authors': { given: (scene) => ({ query: inSet(scene) }), outside: NO_SET },
  'GET /events': { given: (scene) => ({ query: inSet(scene) }), outside: NO_SET, done: 200, endless: true },
  'GET /post-sets/:id/history': postSet(),
  'GET /post-sets/:id/deliveries': postSet(),
  'PUT /post-sets/:id/lock': postSet({ body: { locked: true } }),
  'PUT /post-sets/:id/labels': {
    given: async ({ make }) => ({
      params: { id: await make.postSet() },
      body: { labelsId: [await make.label()] },
    }),
    outside: 'post-set:not_found',
  },
  'POST /post-sets/:id/review': {
    given: async ({ make }) => ({
      params: { id: await make.postSet({ approval: 'PENDING' }) },
      body: { decision: 'approve' },
    }),
    outside: 'post-set:not_found',
  },
  'POST /post-sets/:id/duplicate': postSet({ body: {} }),
  'POST /post-sets/:id/restore': {
    given: async ({ make }) => ({ params: { id: await make.deletedPostSet() } }),
    outside: 'post-set:not_found',
  },
  'POST /post-sets/:id/move': postSet({ body: { scheduledAt: '2030-06-03T10:00:00Z', scope: 'this' } }),
  'POST /post-sets/:id/remove': postSet({ body: { scope: 'this' } }),
  'POST /post-sets/series-dates': {
    rights: [],
    given: (scene) => ({
      body: { ...inSet(scene), scheduledAt: AT, repeat: { interval: 'DAY', occurrences: 3 } },
    }),
    outside: NO_SET,
  },
  'POST /post-sets/bulk': [
    bulk({ lock: true }, 'post-sets:lock'),
    bulk({ delete: true }, 'post-sets:write'),
    bulk({ addLabel: newId() }, 'labels:apply'),
  ],

  'GET /media-library': { given: (scene) => ({ query: inSet(scene) }), outside: NO_SET },
  'GET /media-library/:id': {
    given: async ({ make }) => ({ params: { id: await make.media() } }),
    outside: 'media-library:not_found',
  },
  'POST /media-upload': {
    given: async (scene) => {
      await scene.make.roomForUpload()
      return { body: { ...inSet(scene), url: 'https://example.com/photo.jpg' } }
    },
    outside: NO_SET,
  },
  'GET /media-upload/:id': {
    given: async ({ make }) => ({ params: { id: await make.upload() } }),
    outside: 'media-upload:not_found',
  },
}

/** Each set is checked by itself: one that the caller cannot see is refused as not found. */
function bulk(action: object, right: NonNullable<Row['rights']>[number]): Row {
  return {
    name: Object.keys(action).join(),
    given: async ({ make }) => ({ body: { ids: [{ id: await make.postSet() }], action } }),
    rights: [right],
    outside: ({ done, refused }) => {
      expect(done).toEqual([])
      expect(refused).toEqual([expect.objectContaining({ code: 'post-set:not_found' })])
    },
  }
}
