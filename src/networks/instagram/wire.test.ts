import { expect, test } from 'vitest'
import { parseComment, parseContainer, parseMedia, parseProfile } from './wire.ts'

test.each<[string, unknown, unknown]>([
  ['finished', { status_code: 'FINISHED', id: '1' }, { status: 'FINISHED', failure: null }],
  ['error with a sentence', { status_code: 'ERROR', status: 'code 2207026' }, { status: 'ERROR', failure: 2207026 }],
  ['error with a bare number', { status_code: 'ERROR', status: 2207053 }, { status: 'ERROR', failure: 2207053 }],
  ['error without a number', { status_code: 'ERROR' }, { status: 'ERROR', failure: null }],
  ['a word that we do not know', { status_code: 'DANCING' }, undefined],
])('a container: %s', (_, body, container) => {
  expect(parseContainer(body)).toEqual(container)
})

test('posts and comments, as much of them as there is', () => {
  const post = { id: '1', caption: 'Bread', permalink: 'https://www.instagram.com/p/Cxyz/' }
  const kind = { media_type: 'IMAGE', media_product_type: 'FEED' }
  const timestamp = '2026-11-21T10:00:00+0000'
  const at = new Date(timestamp.replace('+0000', 'Z'))
  const { permalink } = post
  const read = { id: '1', text: 'Bread', permalink, mediaType: 'IMAGE', productType: 'FEED', at }
  expect(parseMedia({ ...post, ...kind, timestamp, more: true })).toEqual(read)
  const bare = { id: '1', text: '', permalink: null, mediaType: null, productType: null, at: null }
  expect(parseMedia({ id: '1', permalink: 'javascript:alert(1)', timestamp: 'soon' })).toEqual(bare)
  expect(parseMedia({})).toBeUndefined()
  expect(parseComment({ id: '1', text: 'Yes' })).toEqual({ id: '1', text: 'Yes', username: null, at: null })
  expect(parseComment({ text: 'Yes' })).toBeUndefined()
})

test('the account of a token, by the id that is not of the app alone', () => {
  const profile = (body: unknown, text = JSON.stringify(body)) => parseProfile(body, { text })
  const bare = { id: '27', user_id: '17841499999900011', username: 'bakery' }
  const read = { externalId: '17841499999900011', username: 'bakery', name: null, avatarUrl: null }
  expect(profile(bare)).toEqual(read)
  expect(profile({ data: [{ ...bare, name: 'Bakery' }] })).toEqual({ ...read, name: 'Bakery' })
  expect(profile(bare, '{"user_id":17841499999900013}')?.externalId).toBe('17841499999900013')
  expect(profile({ id: '27', username: 'bakery' })).toBeUndefined()
  expect(profile({ user_id: '1' })).toBeUndefined()
})
