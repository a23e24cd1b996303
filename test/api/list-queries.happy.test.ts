import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { createLabel } from '#operations'
import { insertNotes } from '#persistence'
import { type Api, BLUESKY_POST, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

/** More than a page of 100 holds of everything that has pages. */
const ROWS = 101
/** Besides those of key and rate. */
const AT_MOST = 3

let api: Api
let ids: { postSet: string; note: string; media: string }
/** Queries of key and rate: those of a request that is refused before it reads anything. */
let overhead: number

beforeAll(async () => {
  api = await startApi()
  const media = await Promise.all(Array.from({ length: ROWS }, () => api.newMedia()))
  const used = media.slice(0, 2).map((mediaLibraryId) => ({ mediaLibraryId }))
  const labels = []
  for (let at = 0; at < ROWS; at++) {
    const { id } = await createLabel(api, { accountId: api.accountId, name: `Label ${at}`, color: null })
    labels.push(id)
  }
  const posts = [
    { ...BLUESKY_POST, caption: 'said twice', media: used },
    { ...INSTAGRAM_POST, caption: 'said twice', media: used },
  ]
  const repeat = { interval: 'DAY', occurrences: 50 }
  const { id: postSet } = await api.create({ scheduledAt: '2030-01-01T00:00:00Z', posts })
  await api.create({ scheduledAt: '2030-01-02T00:00:00Z', posts, repeat })
  await api.create({ scheduledAt: '2030-04-02T00:00:00Z', posts, repeat })
  for (const { id } of await api.db.selectFrom('post_sets').select('id').execute()) {
    const values = labels.slice(0, 3).map((label_id) => ({ post_set_id: id, label_id }))
    await api.db.insertInto('post_set_labels').values(values).execute()
  }
  for (let at = 1; at < ROWS; at++) await api.newSocialSet({ connected: ['BLUESKY', 'INSTAGRAM'] })
  const occurrences = Array.from({ length: ROWS }, (_, at) => ({
    id: newId(),
    scheduledAt: new Date(Date.UTC(2030, 0, 1 + at)),
  }))
  const { accountId, socialSetId } = api
  const actor = { type: 'OPERATOR', id: null, name: 'operator' } as const
  const note = { source: 'APP', content: 'note', hexColor: '#f2edff', seriesId: null, actor } as const
  await insertNotes(api.db, { accountId, socialSetId, ...note, occurrences })
  ids = { postSet, note: occurrences[0]?.id ?? '', media: media[0] ?? '' }
  overhead = (await queriesOf('/v1/social-sets?page=0')).queries
})
afterAll(() => api.close())

async function queriesOf(path: string): Promise<{ status: number; queries: number; rows: number }> {
  const before = api.queries()
  const { status, body } = await api.request('GET', path)
  return { status, queries: api.queries() - before, rows: (body.data ?? body).length }
}

const ofSet = () => `socialSetId=${api.socialSetId}`

test('what is refused at once takes no more than the queries of key and rate', () => {
  expect(overhead).toBeLessThanOrEqual(2)
})

test.each<[name: string, path: () => string]>([
  ['post sets', () => `/v1/post-sets?${ofSet()}`],
  ['post sets of a search', () => `/v1/post-sets?${ofSet()}&filters[search]=twice`],
  [
    'post sets of all filters',
    () =>
      `/v1/post-sets?${ofSet()}&filters[search]=said&filters[status]=DRAFT&filters[socialNetworks][]=BLUESKY` +
      '&filters[approval]=NONE&filters[startDate]=2029-01-01&sort[createdAt]=DESC&sort[scheduledAt]=ASC',
  ],
  ['social sets', () => '/v1/social-sets?'],
  ['the media library', () => `/v1/media-library?${ofSet()}`],
  ['labels', () => '/v1/labels?'],
])('%s: as many queries for a row as for a hundred', async (_, path) => {
  const [few, many] = [await queriesOf(`${path()}&size=1`), await queriesOf(`${path()}&size=100`)]
  expect(few).toMatchObject({ status: 200, rows: 1 })
  expect(many).toMatchObject({ status: 200, rows: 100 })
  expect(many.queries).toBe(few.queries)
  expect(many.queries - overhead).toBeLessThanOrEqual(AT_MOST)
})

test('notes: as many queries for a day as for a hundred', async () => {
  const range = (end: string) =>
    `/v1/notes?${ofSet()}&filters[startDate]=2030-01-01T00:00:00Z&filters[endDate]=${end}T00:00:00Z`
  const [few, many] = [await queriesOf(range('2030-01-02')), await queriesOf(range('2030-05-01'))]
  expect(few).toMatchObject({ status: 200, rows: 1 })
  expect(many).toMatchObject({ status: 200, rows: ROWS })
  expect(many.queries).toBe(few.queries)
  expect(many.queries - overhead).toBeLessThanOrEqual(AT_MOST)
})

test('a single thing takes one query', async () => {
  for (const path of [`/v1/post-sets/${ids.postSet}`, `/v1/notes/${ids.note}`, `/v1/media-library/${ids.media}`]) {
    const { status, queries } = await queriesOf(path)
    expect({ path, status, queries: queries - overhead }).toEqual({ path, status: 200, queries: 1 })
  }
})
