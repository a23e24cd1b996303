import { expect, test } from 'vitest'
import { parseComment, parseContainer, parseMedia, parseProfile } from './wire.ts'

test.each<[string, unknown, unknown]>([
  ['finished', { status_code: 'FINISHED', id: '1' }, { status: 'FINISHED', failure: null }],
  [
    'error with a sentence',
    { status_code: 'ERROR', status: 'Error: Media upload has failed with error code 2207026' },
    { status: 'ERROR', failure: 2207026 },
  ],
  ['error with a bare number', { status_code: 'ERROR', status: 2207053 }, { status: 'ERROR', failure: 2207053 }],
  ['error without a number', { status_code: 'ERROR' }, { status: 'ERROR', failure: null }],
  ['a word that we do not know', { status_code: 'DANCING' }, undefined],
  ['no status', { id: '1' }, undefined],
])('a container: %s', (_, body, container) => {
  expect(parseContainer(body)).toEqual(container)
})

test('a post, as much of it as there is', () => {
  const whole = {
    id: '1',
    caption: 'Bread',
    permalink: 'https://www.instagram.com/p/Cxyz/',
    media_type: 'IMAGE',
    media_product_type: 'FEED',
    timestamp: '2026-11-21T10:00:00+0000',
    more: true,
  }
  const at = new Date('2026-11-21T10:00:00.000Z')
  const { permalink } = whole
  expect(parseMedia(whole)).toEqual({
    id: '1',
    text: 'Bread',
    permalink,
    mediaType: 'IMAGE',
    productType: 'FEED',
    at,
  })
  const bare = { id: '1', text: '', permalink: null, mediaType: null, productType: null, at: null }
  expect(parseMedia({ id: '1' })).toEqual(bare)
  expect(parseMedia({ id: '1', permalink: 'javascript:alert(1)', timestamp: 'soon' })).toEqual(bare)
  expect(parseMedia({ ...whole, timestamp: '2026-11-21T12:30:00+0230' })?.at).toEqual(at)
  expect(parseMedia({})).toBeUndefined()
})

test('comments', () => {
  expect(parseComment({ id: '1', text: 'Yes' })).toEqual({ id: '1', text: 'Yes', username: null, at: null })
  expect(parseComment({ text: 'Yes' })).toBeUndefined()
})

test('the account of a token, by the id that is not of the app alone', () => {
  const profile = (json: object) => parseProfile(json, { text: JSON.stringify(json) })
  const bare = { id: '27', user_id: '17841499999900011', username: 'bakery' }
  expect(profile(bare)).toEqual({ externalId: '17841499999900011', username: 'bakery', name: null, avatarUrl: null })
  expect(profile({ data: [{ ...bare, name: 'Bakery' }] })).toMatchObject({ name: 'Bakery' })
  expect(profile({ id: '27', username: 'bakery' })).toBeUndefined()
  expect(profile({ user_id: '1' })).toBeUndefined()
})
