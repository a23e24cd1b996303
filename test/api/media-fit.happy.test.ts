import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

/** What files of the library are for: their labels, and the kinds of posts that they are right for. */

let api: Api
let author: Person
let socialSetId: string
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  author = await signInAs(api, 'author')
})
beforeEach(async () => {
  socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
})
afterAll(() => api.close())

async function file(name: string, facts: Partial<MediaFacts> = {}): Promise<string> {
  const id = await api.newMedia({ socialSetId, facts })
  await done(author.request('PATCH', `/media-library/${id}`, { body: { name } }))
  return id
}
const browse = (query: Record<string, string> = {}): Promise<Body> =>
  done(author.request('GET', `/media-library/browse?${new URLSearchParams({ socialSetId, ...query })}`))
const named = async (query: Record<string, string> = {}) => (await browse(query)).data.map(({ name }: Body) => name)
const VIDEO = { type: 'VIDEO', mimeType: 'video/mp4', width: 1080, height: 1920, durationMs: 12_000 } as const

test('has labels, by which files are found, and follows those that are merged or removed', async () => {
  const [loaf, oven] = [await file('Loaf'), await file('Oven')]
  const editor = await signInAs(api, 'editor')
  const label = async (name: string): Promise<string> =>
    (await done(editor.request('POST', '/labels', { body: { name: `${name} ${socialSetId}` } }), 201)).id
  const [summer, winter] = [await label('Summer'), await label('Winter')]
  const put = (id: string, labelsId: string[]) =>
    author.request('PUT', `/media-library/${id}/labels`, { body: { labelsId } })
  expect(await done(put(loaf, [summer.toUpperCase(), winter]))).toEqual({ labelsId: [summer, winter].sort() })
  await done(put(oven, [winter]))
  expect(await named({ labelId: summer })).toEqual(['Loaf'])
  expect(await done(author.request('GET', `/media-library/${oven}/labels`))).toEqual({ labelsId: [winter] })
  expect((await put(oven, [loaf])).body.code).toBe('label:not_found')
  await done(editor.request('POST', `/labels/${winter}/merge`, { body: { into: summer } }))
  expect((await browse({ labelId: summer, sort: 'NAME' })).data.map(({ labelsId }: Body) => labelsId)).toEqual([
    [summer],
    [summer],
  ])
  await done(put(loaf, []))
  expect(await named({ labelId: summer })).toEqual(['Oven'])
  await done(editor.request('DELETE', `/labels/${summer}`), 204)
  expect((await browse({ sort: 'NAME' })).data.map(({ labelsId }: Body) => labelsId)).toEqual([[], []])
})

test('says which kinds of posts a file is right for, by the accounts that are connected', async () => {
  socialSetId = await api.newSocialSet({ connected: ['BLUESKY', 'INSTAGRAM', 'YOUTUBE'] })
  await file('reel', VIDEO)
  await file('long', { ...VIDEO, durationMs: 4_000_000 })
  await file('still', { width: 1080, height: 1920 })
  await file('square')
  const { data } = await browse({ sort: 'NAME' })
  expect(data.map(({ name, fills }: Body) => [name, fills])).toEqual([
    ['long', []],
    ['reel', ['STORY', 'REEL', 'SHORT']],
    ['square', []],
    ['still', ['STORY']],
  ])
})
