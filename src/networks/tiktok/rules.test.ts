import { describe, expect, test } from 'vitest'
import { checked, told as toldOf } from '../kit/testing.ts'
import type { Defaults, PostToCheck } from '../network.ts'
import { checkPost } from './rules.ts'
import { post } from './testing-posts.ts'

const [photo, video] = [checked({}), checked({ type: 'VIDEO' })]
const photos = (count: number) => Array.from({ length: count }, () => photo)
const told = (given: PostToCheck, defaults: Defaults = {}) => toldOf(checkPost(given, defaults))

test.each([
  ['a caption of 1100 emoji of two units each', post('👍'.repeat(1100), video), []],
  ['a caption of 1101 emoji of two units each', post('👍'.repeat(1101), video), ['caption caption_too_long']],
  ['a caption of 4000 units with photos', post('x'.repeat(4000), photo), []],
  ['35 photos', post('', ...photos(35)), []],
  ['36 photos', post('', ...photos(36)), ['media media_count']],
  ['a photo of any format and size', post('', checked({ mimeType: 'image/png', bytes: 6e7, width: 9000 })), []],
  ['a photo that moves', post('', checked({ mimeType: 'image/gif', animated: true })), ['media.0 media_type?']],
  ['a link', post('', photo, checked({}, { link: 'https://example.com' })), ['media.1 field_invalid?']],
])('%s', (_, given, findings) => expect(told(given)).toEqual(findings))

describe('a video', () => {
  test.each([
    [{ mimeType: 'video/quicktime', videoCodec: 'hevc', audioCodec: null }, []],
    [{ mimeType: 'video/webm', videoCodec: 'vp8', audioCodec: 'opus' }, []],
    [{ mimeType: 'video/webm', videoCodec: 'vp9' }, []],
    [{ mimeType: 'video/x-matroska' }, ['media.0 media_codec']],
    [{ bytes: 4_000_000_000 }, []],
    [{ bytes: 4_000_000_001 }, ['media.0 media_size']],
    [{ width: 360, height: 360 }, []],
    [{ width: 359 }, ['media.0 media_dimensions']],
    [{ height: 359 }, ['media.0 media_dimensions']],
    [{ width: 4096, height: 4096 }, []],
    [{ width: 4097 }, ['media.0 media_dimensions']],
    [{ height: 4097 }, ['media.0 media_dimensions']],
    [{ durationMs: 600_000 }, []],
    [{ durationMs: 600_001 }, ['media.0 media_duration']],
    [{ durationMs: 500, frameRate: 23 }, []],
    [{ frameRate: 22.9 }, ['media.0 media_codec?']],
    [{ frameRate: 60 }, []],
    [{ frameRate: 60.1 }, ['media.0 media_codec?']],
  ])('with %j', (facts, findings) => {
    expect(told(post('', checked({ type: 'VIDEO', ...facts })))).toEqual(findings)
  })
})

test.each<[Defaults, string[]]>([
  [{ privacy: 'SELF_ONLY', brandContent: true }, ['accountType field_invalid']],
  [{ privacy: 'SELF_ONLY', brandContent: false, brandOrganic: true }, []],
  [{ privacy: 'MUTUAL_FOLLOW_FRIENDS', brandContent: true }, []],
  [{ brandContent: true }, []],
])('the choices %j', (defaults, findings) => expect(told(post('', video), defaults)).toEqual(findings))

test.each([
  ['a video', video, []],
  ['photos', photo, ['options.aiGenerated field_invalid?']],
])('%s made with AI: a warning where TikTok has no label', (_, item, findings) => {
  expect(told(post('', item), { aiGenerated: true })).toEqual(findings)
})
