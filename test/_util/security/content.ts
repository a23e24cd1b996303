import { expect } from 'vitest'
import { newId } from '#domain'
import { BLUESKY_POST } from '../api/api.ts'
import { endedSet, REFUSED } from '../api/results.ts'
import { metadataOf, tusClient } from '../api/tus-client.ts'
import { blankPng } from '../files/blank-png.ts'
import type { Fixture } from './fixture.ts'
import type { Given, Row, Table } from './row.ts'

const AT = '2030-06-01T10:00:00Z'
const inSet = ({ api }: Fixture) => ({ socialSetId: api.socialSetId })
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

function hashtagGroup(given: object = {}): Row {
  return {
    given: async ({ make }) => ({ params: { id: await make.hashtagGroup() }, ...given }),
    outside: 'hashtag-group:not_found',
  }
}

function mediaItem(given: object = {}): Row {
  return {
    given: async ({ make }) => ({ params: { id: await make.media() }, ...given }),
    outside: 'media-library:not_found',
  }
}

/** Of the caller; for callers who are refused, of an owner. */
function comment(given: object = {}): Row {
  return {
    given: async ({ make }, { person }) => ({ params: { id: await make.comment(person.userId) }, ...given }),
    outside: 'comment:not_found',
    rights: [],
  }
}

/** The same. */
function keptDraft(more: Partial<Row> = {}): Row {
  return {
    given: async ({ make }, { person }) => ({ params: { id: await make.keptDraft(person.userId) } }),
    outside: 'kept-draft:not_found',
    ...more,
  }
}

/** Routes about notes, post sets, what helps to write them, the calendar and media. */
export const CONTENT: Table = {
  'GET /notes': {
    given: ({ api }) => ({
      query: { socialSetId: api.socialSetId, 'filters[startDate]': '2030-06-01', 'filters[endDate]': '2030-07-01' },
    }),
    outside: NO_SET,
  },
  'POST /notes': {
    given: (fixture) => ({ body: { ...inSet(fixture), content: 'A note', hexColor: '#faf785', scheduledAt: AT } }),
    outside: NO_SET,
  },
  'GET /notes/:id': note(),
  'PATCH /notes/:id': note({ body: { content: 'Another text' } }),
  'DELETE /notes/:id': note(),
  'GET /notes/:id/agent': note(),
  'GET /post-sets/:id/presence': postSet(),
  'PUT /presence/:stream': {
    rights: [],
    given: async ({ make }) => ({ params: { stream: newId() }, body: { postSetId: await make.postSet() } }),
    outside: 'post-set:not_found',
  },
  'POST /notes/:id/restore': {
    given: async ({ make }) => ({ params: { id: await make.deletedNote() } }),
    outside: 'note:not_found',
  },

  'GET /post-sets': { given: (fixture) => ({ query: inSet(fixture) }), outside: NO_SET },
  'POST /post-sets': [
    { given: ({ api }) => ({ body: api.draft() }), outside: NO_SET },
    { name: 'scheduled', given: ({ api }) => ({ body: api.draft(SCHEDULED) }), outside: NO_SET, ...PUBLISH },
  ],
  'POST /post-sets/bulk': [
    { given: ({ api }) => ({ body: { postSets: [api.draft()] } }), outside: NO_SET },
    {
      name: 'scheduled',
      given: ({ api }) => ({ body: { postSets: [api.draft(), api.draft(SCHEDULED)] } }),
      outside: NO_SET,
      ...PUBLISH,
    },
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

  'GET /hashtag-groups': { given: (fixture) => ({ query: inSet(fixture) }), outside: NO_SET },
  'POST /hashtag-groups': {
    given: async ({ make }) => ({
      body: { socialSetId: await make.emptySocialSet(), name: 'Autumn', tags: ['autumn'] },
    }),
    outside: NO_SET,
  },
  'PATCH /hashtag-groups/:id': hashtagGroup({ body: { tags: ['winter'] } }),
  'DELETE /hashtag-groups/:id': hashtagGroup(),

  'GET /kept-drafts': [
    { given: (fixture) => ({ query: inSet(fixture) }), outside: NO_SET },
    { name: 'over all brands', given: () => ({}), outside: 'own' },
  ],
  'GET /kept-drafts/:id': keptDraft(),
  'PUT /kept-drafts/:id': {
    given: (fixture) => ({
      params: { id: newId() },
      body: { ...inSet(fixture), postSetId: null, sequence: 1, basedOnVersion: null, excerpt: 'Half a', content: {} },
    }),
    outside: NO_SET,
  },
  'DELETE /kept-drafts/:id': keptDraft({ rights: [] }),

  'GET /calendar': [
    {
      given: (fixture) => ({ query: { ...inSet(fixture), from: '2030-06-01', to: '2030-07-01' } }),
      outside: NO_SET,
    },
    {
      name: 'over all brands',
      given: async ({ make }) => {
        await make.postSet()
        return { query: { from: '2030-06-01', to: '2030-07-01' } }
      },
      // What was made belongs to a brand that they do not see.
      outside: ({ cards }) => expect(cards).toEqual([]),
    },
  ],
  'GET /drafts': {
    given: async ({ make }) => {
      await make.postSet()
      return {}
    },
    outside: ({ data }) => expect(data).toEqual([]),
  },
  'GET /calendar/elsewhere': {
    given: (fixture) => ({ query: { ...inSet(fixture), from: '2030-06-01', to: '2030-07-01' } }),
    outside: NO_SET,
  },
  'GET /calendar/found': {
    given: async ({ make }) => {
      await make.postSet()
      return { query: { 'filters[search]': 'hello' } }
    },
    outside: ({ data }) => expect(data).toEqual([]),
  },
  'GET /calendar/free-slots': {
    given: () => ({ query: { from: '2030-06-01', to: '2030-06-08' } }),
    outside: ({ slots }) => expect(slots).toEqual([]),
  },
  'GET /calendar/authors': { given: (fixture) => ({ query: inSet(fixture) }), outside: NO_SET },
  'GET /events': {
    given: () => ({ query: { after: '0' } }),
    outside: 'own',
  },
  'GET /live': { given: (fixture) => ({ query: inSet(fixture) }), outside: NO_SET, done: 200, endless: true },
  'GET /post-sets/:id/history': postSet(),
  'GET /post-sets/:id/history/:entryId': {
    given: async ({ api, make }) => {
      const id = await make.postSet()
      const entry = api.db.selectFrom('history').select('id').where('post_set_id', '=', id)
      return { params: { id, entryId: (await entry.executeTakeFirstOrThrow()).id } }
    },
    outside: 'post-set:not_found',
  },
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
      headers: { 'if-match': '"1"' },
    }),
    outside: 'post-set:not_found',
  },
  'GET /post-sets/:id/review': postSet(),
  'GET /post-sets/:id/changes': postSet({ query: { since: '1' } }),
  'GET /post-sets/:id/changes/:postId': {
    given: async ({ make }) => ({ params: { id: await make.postSet(), postId: newId() }, query: { since: '1' } }),
    outside: 'post-set:not_found',
  },
  'GET /social-sets/:id/approval-rule': { given: ({ api }) => ({ params: { id: api.socialSetId } }), outside: NO_SET },
  'PUT /social-sets/:id/approval-rule': {
    given: ({ api }) => ({
      params: { id: api.socialSetId },
      body: { rule: 'OPTIONAL', reviewers: 1 },
    }),
    outside: NO_SET,
  },
  'GET /approvals': { given: (fixture) => ({ query: { ...inSet(fixture), tab: 'waiting' } }), outside: NO_SET },
  'GET /approvals/counts': { outside: 'own' },
  'GET /post-sets/:id/comments': postSet(),
  'POST /post-sets/:id/comments': postSet({ body: { text: 'Hello', audience: 'INNER' } }, { rights: [] }),
  'PATCH /comments/:id': comment({ body: { text: 'Another text' } }),
  'DELETE /comments/:id': comment(),
  'PUT /comments/:id/resolved': comment({ body: { resolved: true } }),
  'POST /post-sets/:id/duplicate': postSet({ body: {} }),
  'POST /post-sets/:id/restore': {
    given: async ({ make }) => ({ params: { id: await make.deletedPostSet() } }),
    outside: 'post-set:not_found',
  },
  'POST /post-sets/:id/move': postSet({ body: { scheduledAt: '2030-06-03T10:00:00Z', scope: 'this' } }),
  'POST /post-sets/:id/remove': postSet({ body: { scope: 'this' } }),
  'POST /post-sets/series-dates': {
    rights: [],
    given: (fixture) => ({
      body: { ...inSet(fixture), scheduledAt: AT, repeat: { interval: 'DAY', occurrences: 3 } },
    }),
    outside: NO_SET,
  },
  'POST /post-sets/change': [
    bulk({ lock: true }, 'post-sets:lock'),
    bulk({ delete: true }, 'post-sets:write'),
    bulk({ copyTo: { socialSetId: newId(), move: true } }, 'post-sets:write'),
    bulk({ addLabel: newId() }, 'labels:apply'),
    bulk({ approve: true }, 'post-sets:review'),
  ],

  'GET /results': { given: (fixture) => ({ query: inSet(fixture) }), outside: NO_SET },
  'GET /results/unseen': { outside: 'own' },
  'PUT /results/seen': {
    rights: [],
    given: (fixture) => ({ body: { ...inSet(fixture), until: AT } }),
    outside: NO_SET,
  },
  'POST /post-sets/:id/retry': {
    given: async ({ api }) => ({ params: { id: await endedSet(api, [{ result: REFUSED }]) }, body: {} }),
    outside: 'post-set:not_found',
  },
  'POST /post-sets/retry': {
    given: async ({ api }) => ({ body: { ids: [await endedSet(api, [{ result: REFUSED }])] } }),
    outside: ({ done, refused }) => {
      expect([done, refused]).toMatchObject([[], [{ code: 'post-set:not_found' }]])
    },
  },
  'PUT /post-sets/:id/done': {
    given: async ({ api }) => ({ params: { id: await endedSet(api, [{ result: REFUSED }]) }, body: { done: true } }),
    outside: 'post-set:not_found',
  },
  'POST /post-sets/:id/look': {
    given: async ({ api }) => ({ params: { id: await endedSet(api, [null]) }, body: {} }),
    outside: 'post-set:not_found',
  },

  'GET /media-library': { given: (fixture) => ({ query: inSet(fixture) }), outside: NO_SET },
  'GET /media-library/:id': {
    given: async ({ make }) => ({ params: { id: await make.media() } }),
    outside: 'media-library:not_found',
  },
  'POST /media-upload': [
    {
      given: async (fixture) => {
        await fixture.make.roomForUpload()
        return { body: { ...inSet(fixture), url: 'https://example.com/photo.jpg' } }
      },
      outside: NO_SET,
    },
    {
      name: 'a form',
      given: async (fixture) => {
        await fixture.make.roomForUpload()
        return { ...formOf({ ...inSet(fixture), file: 'Not a picture' }) }
      },
      outside: NO_SET,
    },
  ],
  'GET /media-upload': { given: (fixture) => ({ query: inSet(fixture) }), outside: NO_SET },
  'DELETE /media-upload/:id': {
    given: async ({ make }) => ({ params: { id: await make.uploadOfBytes() } }),
    outside: 'media-upload:not_found',
  },
  'POST /media-upload/:id/poster': {
    given: async ({ api, make }, { person }) => {
      await make.roomForUpload()
      const from = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin', cookie: person.cookie }
      const { id } = await tusClient(api.url, from, 'internal').begun({ socialSetId: api.socialSetId }, 2)
      return { params: { id }, raw: POSTER, headers: { 'content-type': 'image/png' } }
    },
    outside: 'media-upload:not_found',
  },
  'POST /media-upload/files': {
    given: async (fixture) => {
      await fixture.make.roomForUpload()
      return { headers: { ...TUS, 'upload-length': '2', 'upload-metadata': metadataOf(inSet(fixture)) } }
    },
    outside: NO_SET,
  },
  'OPTIONS /media-upload/files': { outside: 'own', rights: [] },
  'PATCH /media-upload/files/:id': {
    given: async ({ make }) => ({
      params: { id: await make.uploadOfBytes() },
      headers: { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      raw: 'x',
    }),
    outside: 'media-upload:not_found',
  },
  'DELETE /media-upload/files/:id': {
    given: async ({ make }) => ({ params: { id: await make.uploadOfBytes() }, headers: TUS }),
    outside: 'media-upload:not_found',
  },
  'GET /media-library/browse': { given: (fixture) => ({ query: inSet(fixture) }), outside: NO_SET },
  'GET /media-library/:id/uses': mediaItem(),
  'GET /media-library/:id/pages': mediaItem(),
  'GET /media-library/:id/labels': mediaItem(),
  'PUT /media-library/:id/labels': {
    given: async ({ make }) => ({ params: { id: await make.media() }, body: { labelsId: [await make.label()] } }),
    outside: 'media-library:not_found',
  },
  'POST /media-library/labels': {
    given: async ({ make }) => ({ body: { mediaIds: [await make.media()], labelId: await make.label(), has: true } }),
    outside: 'media-library:not_found',
  },
  'GET /media-library/:id/replacement': {
    given: async ({ make }) => ({ params: { id: await make.media() }, query: { with: await make.media() } }),
    outside: 'media-library:not_found',
  },
  'PATCH /media-library/:id': mediaItem({ body: { altText: 'A loaf' } }),
  'DELETE /media-library/:id': mediaItem(),
  'POST /media-library/:id/restore': {
    given: async ({ make }) => ({ params: { id: await make.deletedMedia() } }),
    outside: 'media-library:not_found',
  },
  'GET /media-upload/:id': {
    given: async ({ make }) => ({ params: { id: await make.upload() } }),
    outside: 'media-upload:not_found',
  },
}

const POSTER = blankPng({ width: 16, height: 9, bits: 8, interlaced: false })
const TUS = { 'tus-resumable': '1.0.0' }

/** A form of these fields, the last of which is a file. */
function formOf(fields: Record<string, string>): Pick<Given, 'raw' | 'headers'> {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"${name === 'file' ? '; filename="a.png"' : ''}\r\n\r\n${value}\r\n`,
  )
  return { raw: `${parts.join('')}--b--\r\n`, headers: { 'content-type': 'multipart/form-data; boundary=b' } }
}

/** Each set is checked by itself: one that the caller cannot see is refused as not found. */
function bulk(action: object, right: NonNullable<Row['rights']>[number]): Row {
  return {
    name: Object.keys(action).join(),
    given: async ({ make }) => ({ body: { ids: [{ id: await make.postSet(), version: 1 }], action } }),
    rights: [right],
    outside: ({ done, refused }) => {
      expect(done).toEqual([])
      expect(refused).toEqual([expect.objectContaining({ code: 'post-set:not_found' })])
    },
  }
}
