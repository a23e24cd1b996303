import { expect, test } from 'vitest'
import { checked, reported } from '../kit/testing.ts'
import type { CheckedMedia, Defaults, PostToCheck } from '../network.ts'
import { checkPost } from './rules.ts'
import { post } from './testing-posts.ts'

const [photo, video] = [checked({}), checked({ type: 'VIDEO' })]
const forNobody = { privacy: 'SELF_ONLY' }
const clip = (facts: Partial<CheckedMedia['facts']>) => post('', checked({ type: 'VIDEO', ...facts }))

test.each<[string, PostToCheck, string[], Defaults?]>([
  ['a caption of 1100 emoji of two units each', post('👍'.repeat(1100), video), []],
  ['a caption of 1101 emoji of two units each', post('👍'.repeat(1101), video), ['caption caption_too_long']],
  ['a caption of 4000 units with photos', post('x'.repeat(4000), photo), []],
  ['35 photos', post('', ...Array(35).fill(photo)), []],
  ['36 photos', post('', ...Array(36).fill(photo)), ['media media_count']],
  ['a photo of any format and size', post('', checked({ mimeType: 'image/png', bytes: 6e7, width: 9000 })), []],
  ['a photo that moves', post('', checked({ mimeType: 'image/gif', animated: true })), ['media.0 media_type?']],
  ['a link', post('', photo, checked({}, { link: 'https://example.com' })), ['media.1 field_invalid?']],

  ['HEVC', clip({ mimeType: 'video/quicktime', videoCodec: 'hevc', audioCodec: null }), []],
  ['VP8', clip({ mimeType: 'video/webm', videoCodec: 'vp8', audioCodec: 'opus' }), []],
  ['VP9', clip({ mimeType: 'video/webm', videoCodec: 'vp9' }), []],
  ['another container', clip({ mimeType: 'video/x-matroska' }), ['media.0 media_codec']],
  ['the least', clip({ width: 360, height: 360, durationMs: 500, frameRate: 23 }), []],
  ['the most', clip({ bytes: 4e9, width: 4096, height: 4096, durationMs: 600_000, frameRate: 60 }), []],
  ['more than 4 GB', clip({ bytes: 4e9 + 1 }), ['media.0 media_size']],
  ['359 wide', clip({ width: 359 }), ['media.0 media_dimensions']],
  ['359 high', clip({ height: 359 }), ['media.0 media_dimensions']],
  ['4097 wide', clip({ width: 4097 }), ['media.0 media_dimensions']],
  ['4097 high', clip({ height: 4097 }), ['media.0 media_dimensions']],
  ['more than ten minutes', clip({ durationMs: 600_001 }), ['media.0 media_duration']],
  ['less than 23 frames', clip({ frameRate: 22.9 }), ['media.0 media_codec?']],
  ['more than 60 frames', clip({ frameRate: 60.1 }), ['media.0 media_codec?']],

  [
    'a paid partnership that only the account sees',
    clip({}),
    ['accountType field_invalid'],
    { ...forNobody, brandContent: true },
  ],
  ['an own brand that only the account sees', clip({}), [], { ...forNobody, brandContent: false, brandOrganic: true }],
  ['a paid partnership for friends', clip({}), [], { privacy: 'MUTUAL_FOLLOW_FRIENDS', brandContent: true }],
])('%s', (_, given, findings, defaults = {}) => expect(reported(checkPost(given, defaults))).toEqual(findings))

test.each([
  ['a video', video, []],
  ['photos', photo, ['options.aiGenerated field_invalid?']],
])('%s made with AI: a warning where TikTok has no label', (_, item, findings) => {
  expect(reported(checkPost(post('', item), { aiGenerated: true }))).toEqual(findings)
})
