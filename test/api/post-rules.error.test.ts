import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, BLUESKY_POST, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const REQUIRED: Record<string, Record<string, unknown>> = {
  FACEBOOK: { type: 'TEXT', richCaption: [] },
  INSTAGRAM: { type: 'IMAGE', collaborators: [] },
  LINKEDIN_PAGE: { richCaption: [] },
  LINKEDIN_PERSONAL: { richCaption: [] },
  GMB: { ctaType: 'NONE' },
  PINTEREST: { title: '', website: '' },
  YOUTUBE: { title: '', privacy: 'PUBLIC' },
}
const post = (accountType: string, more: object = {}) => ({
  accountType,
  caption: '',
  media: [],
  ...REQUIRED[accountType],
  ...more,
})

/** The places that a create, as a draft and scheduled, calls wrong in shape. */
async function wrongIn(given: object): Promise<string[]> {
  const answers = []
  for (const status of ['DRAFT', 'SCHEDULED']) {
    answers.push(await api.request('POST', '/v1/post-sets', { body: api.draft({ status, posts: [given] }) }))
  }
  const [draft, scheduled] = answers.map(({ status, body }) => [
    status,
    body.code,
    ...body.errors.map(({ path }: Body) => path),
  ])
  expect(scheduled).toEqual(draft)
  const [status, code, ...paths] = draft ?? []
  expect([status, code]).toEqual([400, 'request:invalid_body'])
  return paths
}

describe('a post of another shape, as a draft and scheduled', () => {
  test.each(
    Object.entries(REQUIRED).flatMap(([accountType, fields]) =>
      Object.keys(fields).map((field) => [accountType, field]),
    ),
  )(
    'resources-34, resources-35, resources-37, resources-38, resources-40, resources-41, resources-43, resources-45, shape-65: %s without %s, or with null there',
    async (accountType = '', field = '') => {
      const { [field]: _, ...without } = post(accountType) as Record<string, unknown>
      expect(await wrongIn(without)).toEqual([`posts[0].${field}`])
      expect(await wrongIn({ ...without, [field]: null })).toEqual([`posts[0].${field}`])
    },
  )

  test.each(['caption', 'media', 'accountType'])(
    'resources-28, resources-30, resources-32, shape-65: without %s, or with null there',
    async (field) => {
      const { [field]: _, ...without } = post('TWITTER') as Record<string, unknown>
      expect(await wrongIn(without)).toEqual([`posts[0].${field}`])
      expect(await wrongIn({ ...without, [field]: null })).toEqual([`posts[0].${field}`])
    },
  )

  test.each<[string, object, string]>([
    ['FACEBOOK', { type: 'POST' }, 'type'],
    ['FACEBOOK', { type: 'text' }, 'type'],
    ['FACEBOOK', { richCaption: 'Bread' }, 'richCaption'],
    ['FACEBOOK', { videoCoverImageSeconds: -0.1 }, 'videoCoverImageSeconds'],
    ['FACEBOOK', { videoCoverImageSeconds: '1' }, 'videoCoverImageSeconds'],
    ['INSTAGRAM', { type: 'VIDEO' }, 'type'],
    ['INSTAGRAM', { collaborators: 'ann' }, 'collaborators'],
    ['INSTAGRAM', { collaborators: [7] }, 'collaborators[0]'],
    ['INSTAGRAM', { firstComment: 7 }, 'firstComment'],
    ['INSTAGRAM', { audio: {} }, 'audio'],
    ['INSTAGRAM', { audioName: [] }, 'audioName'],
    ['INSTAGRAM', { videoCoverImage: -1 }, 'videoCoverImage'],
    ['GMB', { ctaType: 'BUY' }, 'ctaType'],
    ['GMB', { ctaUrl: 7 }, 'ctaUrl'],
    ['PINTEREST', { board: 'Bread' }, 'board'],
    ['PINTEREST', { board: { id: '1' } }, 'board.name'],
    ['PINTEREST', { board: { name: 'Bread' } }, 'board.id'],
    ['YOUTUBE', { privacy: 'SECRET' }, 'privacy'],
  ])(
    'resources-34, resources-36, resources-37, resources-39, resources-41, resources-42, resources-44, resources-45, shape-64: %s with %j',
    async (accountType, fields, path) => {
      expect(await wrongIn(post(accountType, fields))).toEqual([`posts[0].${path}`])
    },
  )

  test.each(['TWITTER', 'TIKTOK', 'THREADS', 'BLUESKY'])(
    'resources-46: %s has no field of its own',
    async (accountType) => {
      const fields = {
        type: 'TEXT',
        richCaption: ['x'],
        title: 'x',
        privacy: 'PUBLIC',
        ctaType: 'NONE',
        firstComment: 'x',
      }
      for (const [field, value] of Object.entries(fields)) {
        expect(await wrongIn(post(accountType, { [field]: value }))).toEqual([`posts[0].${field}`])
      }
    },
  )
})

test.each<[object, string]>([
  [{ y: 0, text: 'ann' }, 'x'],
  [{ x: 0, text: 'ann' }, 'y'],
  [{ x: 0, y: 0 }, 'text'],
  [{ x: -0.001, y: 0, text: 'ann' }, 'x'],
  [{ x: 1.001, y: 0, text: 'ann' }, 'x'],
  [{ x: 0, y: -0.001, text: 'ann' }, 'y'],
  [{ x: 0, y: 1.001, text: 'ann' }, 'y'],
  [{ x: '0', y: 0, text: 'ann' }, 'x'],
  [{ x: 0, y: null, text: 'ann' }, 'y'],
  [{ x: 0, y: 0, text: 7 }, 'text'],
  [{ x: 0, y: 0, text: '' }, 'text'],
  [{ x: 0, y: 0, text: 'ann', size: 1 }, 'size'],
])('resources-52, resources-53, resources-54, limits-12: the tag %j is of another shape', async (tag, field) => {
  const mediaLibraryId = await api.newMedia()
  const media = [{ mediaLibraryId, tags: [{ x: 0, y: 0, text: 'ann' }, tag] }]
  expect(await wrongIn({ ...BLUESKY_POST, media })).toEqual([`posts[0].media[0].tags[1].${field}`])
})
