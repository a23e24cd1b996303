import { expect, test } from 'vitest'
import { idIn } from '../kit/read-json.ts'
import { parseContainer, parsePost, parseProfile } from './wire.ts'

test('ids keep all of their digits', () => {
  expect(idIn('{"access_token":"THQ","user_id":17841405793187218}', 'user_id')).toBe('17841405793187218')
  expect(idIn('{ "user_id" : "17841405793187218" , "x": 1 }', 'user_id')).toBe('17841405793187218')
  expect(idIn('{"id":12,"user_id":3}', 'id')).toBe('12')
  expect(idIn('{"user_id":1.7e16}', 'user_id')).toBeUndefined()
  expect(idIn('<html>', 'user_id')).toBeUndefined()
})

test('containers', () => {
  expect(parseContainer({ id: '1', status: 'FINISHED' })).toEqual({ status: 'FINISHED', failure: null })
  expect(parseContainer({ id: '1', status: 'ERROR', error_message: 'INVALID_DURATION' })).toEqual({
    status: 'ERROR',
    failure: 'INVALID_DURATION',
  })
  for (const body of [null, 'FINISHED', [], {}, { status: 'DONE' }, { status: 1 }]) {
    expect(parseContainer(body)).toBeUndefined()
  }
})

test('posts, of which much may be missing', () => {
  expect(
    parsePost({
      id: '180',
      text: 'Bread',
      permalink: 'https://www.threads.com/@a/post/B',
      media_type: 'TEXT_POST',
      timestamp: '2026-11-21T10:00:00+0000',
    }),
  ).toEqual({
    id: '180',
    text: 'Bread',
    permalink: 'https://www.threads.com/@a/post/B',
    mediaType: 'TEXT_POST',
    at: new Date('2026-11-21T10:00:00Z'),
  })
  expect(parsePost({ id: '180', permalink: 'javascript:alert(1)', timestamp: 'soon' })).toEqual({
    id: '180',
    text: '',
    permalink: null,
    mediaType: null,
    at: null,
  })
  for (const body of [null, {}, { id: '../me' }, { id: 2 ** 60 }]) expect(parsePost(body)).toBeUndefined()
})

test('profiles', () => {
  const text = '{"id":12345678901234567,"username":"baker"}'
  const answer = { kind: 'answer', status: 200, headers: {}, text, json: null } as const
  const body = { username: 'baker', threads_profile_picture_url: 'https://a.example/b.jpg' }
  expect(parseProfile(body, answer)).toEqual({
    id: '12345678901234567',
    username: 'baker',
    name: null,
    avatarUrl: 'https://a.example/b.jpg',
  })
  for (const bad of [null, {}, { username: '' }]) expect(parseProfile(bad, answer)).toBeUndefined()
})
