import { expect, test } from 'vitest'
import { describeGraphContract } from '../meta/testing.ts'
import { COMMENT_FIELDS as COMMENT_SHOWN, MEDIA_FIELDS as MEDIA_SHOWN } from './simulator.ts'
import { PARAMS } from './simulator-media.ts'
import { COMMENT_FIELDS, MEDIA_FIELDS } from './wire.ts'

describeGraphContract(({ fieldsOf, paramsOf }) => {
  test('know every parameter of a container that the simulator takes, which refuses all others', () => {
    const known = paramsOf('IGUser', 'POST media')
    const taken = Object.values(PARAMS).flatMap((each) => each.split(' '))
    // Documented on 1 June 2026, for accounts of Facebook login.
    expect([...new Set(taken)].filter((name) => !known.includes(name))).toEqual(['audio_configuration'])
  })

  test.each([
    ['IGUser', 'POST media_publish', ['creation_id!']],
    ['IGMedia', 'POST comments', expect.arrayContaining(['message'])],
    ['IGUser', 'GET media', expect.arrayContaining(['since'])],
    ['IGUser', 'GET stories', []],
    ['IGMedia', 'GET comments', []],
    ['IGUser', 'GET content_publishing_limit', ['since']],
  ])('of %s know %s and what is sent with it', (node, call, names) => expect(paramsOf(node, call)).toEqual(names))

  // The contract of a comment is that of Facebook, without these names of Instagram's own.
  const own = ['text', 'timestamp', 'username']
  test.each([
    ['IGMedia', [...MEDIA_FIELDS.split(','), ...MEDIA_SHOWN]],
    ['Comment', [...COMMENT_FIELDS.split(','), ...COMMENT_SHOWN].filter((name) => !own.includes(name))],
    ['ContentPublishingLimitResponse', ['quota_usage', 'config']],
    ['IGUser', ['username', 'name']],
  ])('know every field of %s that is asked for or answered', (node, asked) =>
    expect(fieldsOf(node)).toEqual(expect.arrayContaining(asked)),
  )
})
