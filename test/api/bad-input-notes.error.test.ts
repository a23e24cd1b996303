import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { ABSENT, type BadInput, INVALID, QUERY, refusesAll } from '../_util/api/bad-input.ts'

let api: Api
const ids = { note: '', recurring: '', imported: '' }

beforeAll(async () => {
  api = await startApi()
  ids.note = (await note()).id
  ids.recurring = (await note({ repeat: { interval: 'DAY', occurrences: 2 } })).id
  ids.imported = (await note()).id
  await sql`update notes set source = 'GOOGLE_IMPORT' where id = ${ids.imported}`.execute(api.db)
})
afterAll(() => api.close())

const noteBody = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  content: 'hello',
  hexColor: '#faf785',
  scheduledAt: '2030-06-01T10:00:00Z',
  ...more,
})
const note = async (more: object = {}): Promise<Body> =>
  (await api.request('POST', '/v1/notes', { body: noteBody(more) })).body

const addNote = (what: string, more: () => object, expected = INVALID): BadInput => [
  what,
  expected,
  'POST',
  () => '/v1/notes',
  () => ({ body: noteBody(more()) }),
]
const changeNote = (what: string, id: () => string, body: object, expected = INVALID): BadInput => [
  what,
  expected,
  'PATCH',
  () => `/v1/notes/${id()}`,
  () => ({ body }),
]
const listNotes = (what: string, query: string, expected = QUERY): BadInput => [
  what,
  expected,
  'GET',
  () => `/v1/notes?socialSetId=${api.socialSetId}&${query}`,
]
const upload = (what: string, more: object, expected = INVALID): BadInput => [
  what,
  expected,
  'POST',
  () => '/v1/media-upload',
  () => ({ body: { socialSetId: api.socialSetId, url: 'https://files.example/a.jpg', ...more } }),
]

refusesAll(() => api, {
  notes: [
    addNote('no content', () => ({ content: '' })),
    addNote('1025 characters', () => ({ content: '😀'.repeat(1025) })),
    addNote('another colour', () => ({ hexColor: '#ffffff' })),
    addNote('101 occurrences', () => ({ repeat: { interval: 'DAY', occurrences: 101 } })),
    addNote('an impossible date', () => ({ scheduledAt: '2030-02-30' })),
    addNote('a social set that is absent', () => ({ socialSetId: ABSENT }), [404, 'social-set:not_found']),
    changeNote('a repeat rule on a note', () => ids.note, { repeat: { interval: 'DAY', occurrences: 2 } }),
    changeNote('another time of a recurring note', () => ids.recurring, { scheduledAt: '2031-01-01' }, [
      400,
      'note:scheduled_at_not_updatable',
    ]),
    changeNote('another time of an imported note', () => ids.imported, { scheduledAt: '2031-01-01' }, [
      400,
      'note:scheduled_at_not_updatable',
    ]),
    changeNote('a note that is absent', () => ABSENT, { content: 'x' }, [404, 'note:not_found']),
    listNotes('no range', ''),
    listNotes('a reversed range', 'filters[startDate]=2030-01-02&filters[endDate]=2030-01-01', [
      400,
      'note:invalid_range',
    ]),
    listNotes('a range of 367 days', 'filters[startDate]=2030-01-01&filters[endDate]=2031-01-03', [
      400,
      'note:invalid_range',
    ]),
  ],
  uploads: [
    upload('another scheme', { url: 'ftp://files.example/a.jpg' }),
    upload('credentials in the address', { url: 'https://me:pw@files.example/a.jpg' }),
    upload('no address', { url: 'files' }),
    upload('an unknown field', { size: 1 }),
    upload('a social set that is absent', { socialSetId: ABSENT }, [404, 'social-set:not_found']),
    ['an upload that is absent', [404, 'media-upload:not_found'], 'GET', () => `/v1/media-upload/${ABSENT}`],
  ],
})
