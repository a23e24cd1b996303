import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadNetworks } from '#networks'
import { type Api, startApi } from '../_util/api/api.ts'
import { anyRate } from '../_util/api/connections.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

/** What networks want people to choose for each post: a default of the connection counts for programs alone. */

let api: Api
let editor: Person
let socialSetId: string
let mediaLibraryId: string

beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  editor = await signInAs(api, 'editor')
  // Its defaults are those of the sandbox: an audience among them.
  socialSetId = await api.newSocialSet({ connected: ['TIKTOK', 'BLUESKY'] })
  mediaLibraryId = await api.newMedia({ socialSetId })
})
afterAll(() => api.close())

const AT = '2030-06-12T10:00:00.000Z'
const body = (status: string, options: object | null, more: object = {}) => ({
  ...{ socialSetId, scheduledAt: AT, status, approval: 'NONE' },
  posts: [{ accountType: 'TIKTOK', caption: 'Rye', media: [{ mediaLibraryId }], options }],
  ...more,
})
const MISSING = expect.objectContaining({
  path: 'posts[0].options.privacy',
  code: 'post:field_required',
  accountType: 'TIKTOK',
  message: expect.stringContaining('"Who can see the posts" to be chosen for each post'),
})
const refused = { status: 422, body: { code: 'post-set:invalid_posts', errors: [MISSING] } }

test('a person schedules no post without its own choice, a program by the default of the connection', async () => {
  expect(await editor.request('POST', '/post-sets', { body: body('SCHEDULED', null) })).toMatchObject(refused)
  expect(await editor.request('POST', '/post-sets', { body: body('SCHEDULED', { allowDuet: true }) })).toMatchObject(
    refused,
  )
  const chosen = await editor.request('POST', '/post-sets', { body: body('SCHEDULED', { privacy: 'SELF_ONLY' }) })
  expect(chosen.status, JSON.stringify(chosen.body)).toBe(201)
  const program = await api.request('POST', '/v1/post-sets', { body: body('SCHEDULED', null) })
  expect([program.status, program.body.status]).toEqual([201, 'SCHEDULED'])
})

test('the check of what is written says so, of a draft as a warning, and to people alone', async () => {
  const validate = async (person: Person | null, status: string) => {
    const asked = { body: body(status, null) }
    const answer = person
      ? await person.request('POST', '/post-sets/validate', asked)
      : await api.request('POST', '/v1/post-sets/validate', asked)
    return answer.body
  }
  expect(await validate(editor, 'SCHEDULED')).toMatchObject({ valid: false, problems: [MISSING] })
  expect(await validate(editor, 'DRAFT')).toMatchObject({ valid: true, warnings: [MISSING] })
  expect(await validate(null, 'SCHEDULED')).toMatchObject({ valid: true, problems: [] })
})

test('who schedules a draft is asked for it; what is scheduled already is moved and mended as it is', async () => {
  const draft = (await editor.request('POST', '/post-sets', { body: body('DRAFT', null) })).body
  const schedule = { body: { status: 'SCHEDULED' } }
  expect(await editor.request('PATCH', `/post-sets/${draft.id}`, schedule)).toMatchObject(refused)
  const program = await api.request('PATCH', `/v1/post-sets/${draft.id}`, schedule)
  expect([program.status, program.body.status]).toEqual([200, 'SCHEDULED'])
  const moved = await editor.request('PATCH', `/post-sets/${draft.id}`, {
    body: { scheduledAt: '2030-06-13T10:00:00.000Z' },
  })
  expect([moved.status, moved.body.status]).toEqual([200, 'SCHEDULED'])
  const [post] = moved.body.posts
  const mended = { ...post, caption: 'Rye bread', result: undefined }
  const answer = await editor.request('PATCH', `/post-sets/${draft.id}`, { body: { posts: [mended] } })
  expect([answer.status, answer.body.status]).toEqual([200, 'SCHEDULED'])
})

test('a copy carries no choice of that kind, and all others', async () => {
  const options = { privacy: 'SELF_ONLY', allowComments: true, brandOrganic: true, aiGenerated: true }
  const { id } = (await editor.request('POST', '/post-sets', { body: body('DRAFT', options) })).body
  const copyOf = async (answer: Promise<{ status: number; body: { posts: { options: object | null }[] } }>) => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body)).toBe(201)
    return body.posts[0]?.options
  }
  expect(await copyOf(editor.request('POST', `/post-sets/${id}/duplicate`, { body: {} }))).toEqual({
    aiGenerated: true,
  })
  const only = (await editor.request('POST', '/post-sets', { body: body('DRAFT', { privacy: 'SELF_ONLY' }) })).body
  expect(await copyOf(editor.request('POST', `/post-sets/${only.id}/duplicate`, { body: {} }))).toBeNull()
})

test('networks that have people agree to something can be asked what an account may do', async () => {
  const networks = await loadNetworks()
  const agreeing = networks.all.filter(({ manifest }) => manifest.agreement)
  expect(agreeing.map(({ manifest }) => manifest.name)).toEqual(['tiktok'])
  for (const { manifest, connect } of agreeing) {
    expect(connect.capabilities, manifest.name).toBeDefined()
    const { disclosure, exclusions, declarations } = manifest.agreement as NonNullable<typeof manifest.agreement>
    const names = manifest.defaults.filter(({ perPost }) => perPost).map(({ name }) => name)
    for (const { option } of [...disclosure.options, ...disclosure.labels, ...exclusions])
      expect(names).toContain(option)
    expect(declarations.at(-1)?.option).toBeNull()
    for (const { text, links } of declarations) for (const link of links) expect(text).toContain(link.text)
  }
})
