import { describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, told as toldOf } from '../kit/testing.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { limits } from './manifest.ts'
import { checkPost } from './rules.ts'

const video = (facts: Partial<MediaFacts> = {}) => checked({ type: 'VIDEO', ...facts })
const image = (facts: Partial<MediaFacts> = {}) => checked({ width: 1280, height: 720, ...facts })

function post(more: { title?: string; caption?: string; media?: CheckedMedia[] } = {}): PostToCheck {
  const { title = 'Bread', caption = '', media = [video()] } = more
  return { accountType: 'YOUTUBE', caption, fields: { title, privacy: 'PUBLIC' }, media }
}
const told = (given: PostToCheck) => toldOf(checkPost(given))

const titled = (title: string) => post({ title })
const captioned = (caption: string) => post({ caption })
const clip = (facts: Partial<MediaFacts>) => post({ media: [video(facts)] })
const with_ = (...media: CheckedMedia[]) => post({ media })
const tags = (count: number) => Array.from({ length: count }, (_, index) => `#tag${index}`).join(' ')

test.each<[string, PostToCheck, string[]]>([
  ['a title of 1', titled('x'), []],
  ['a title of 100', titled('x'.repeat(100)), []],
  ['a title of 101', titled('x'.repeat(101)), ['title field_too_long']],
  ['a title of 50 pairs of code units', titled('🍞'.repeat(50)), []],
  ['a title of 51 pairs of code units', titled('🍞'.repeat(51)), ['title field_too_long']],
  ['no title', titled(''), ['title field_required']],
  ['a blank title', titled(' \n'), ['title field_required']],
  ['a title with <', titled('a < b'), ['title field_invalid']],
  ['a title with >', titled('a > b'), ['title field_invalid']],
  ['a title with both', titled('<3>'), ['title field_invalid']],

  ['no caption', captioned(''), []],
  ['5000 bytes', captioned('x'.repeat(5000)), []],
  ['5001 bytes', captioned('x'.repeat(5001)), ['caption caption_too_long']],
  ['2500 letters of two bytes', captioned('ü'.repeat(2500)), []],
  ['2501 letters of two bytes', captioned('ü'.repeat(2501)), ['caption caption_too_long']],
  ['1250 emoji', captioned('🍞'.repeat(1250)), []],
  ['1251 emoji', captioned('🍞'.repeat(1251)), ['caption caption_too_long']],
  ['a caption with <', captioned('x < y'), ['caption field_invalid']],
  ['a caption with >', captioned('-> here'), ['caption field_invalid']],
  ['60 hashtags', captioned(tags(60)), []],
  ['61 hashtags', captioned(tags(61)), ['caption hashtags_count?']],
  ['60 hashtags and one in the title', post({ title: '#Bread', caption: tags(60) }), ['caption hashtags_count?']],
  ['links and mentions', captioned('https://example.com @someone'), []],

  ['no media', with_(), ['media media_required']],
  ['an image alone', with_(image()), ['media media_required']],
  ['two images alone', with_(image(), image()), ['media media_required', 'media media_count']],
  ['a video and its thumbnail', with_(video(), image()), []],
  ['a thumbnail in front', with_(image(), video()), []],
  ['two videos', with_(video(), video()), ['media media_count']],
  ['two thumbnails', with_(video(), image(), image()), ['media media_count']],

  ['256 GiB', clip({ bytes: 256 * 1024 ** 3 }), []],
  ['more than 256 GiB', clip({ bytes: 256 * 1024 ** 3 + 1 }), ['media.0 media_size']],
  ['15 minutes', clip({ durationMs: 900_000 }), []],
  ['more than 15 minutes', clip({ durationMs: 900_001 }), ['media.0 media_duration?']],
  ['12 hours', clip({ durationMs: 43_200_000 }), ['media.0 media_duration?']],
  ['more than 12 hours', clip({ durationMs: 43_200_001 }), ['media.0 media_duration']],
  ['WebM with VP9', clip({ mimeType: 'video/webm', videoCodec: 'vp9', audioCodec: 'opus' }), []],
  [
    'MOV, upright, without sound',
    clip({ mimeType: 'video/quicktime', width: 720, height: 1280, audioCodec: null }),
    [],
  ],

  ['a large PNG', with_(video(), image({ mimeType: 'image/png', bytes: 40_000_000, width: 9000, height: 5000 })), []],
  ['a thumbnail 640 wide', with_(video(), image({ width: 640, height: 360 })), []],
  ['a thumbnail 639 wide', with_(video(), image({ width: 639, height: 360 })), ['media.1 media_dimensions?']],
  ['an animation', with_(video(), image({ mimeType: 'image/gif', animated: true })), ['media.1 media_type?']],
  [
    'tags',
    with_(checked({ type: 'VIDEO' }, { tags: [{ text: 'baker', x: 0.5, y: 0.5 }] })),
    ['media.0.tags field_invalid?'],
  ],
])('%s', (_, given, expected) => {
  expect(told(given)).toEqual(expected)
})

describe('what is told', () => {
  const all = checkPost(
    post({
      title: `<${'x'.repeat(100)}`,
      caption: `${tags(61)} ${'ü'.repeat(2500)}<>`,
      media: [
        video({ durationMs: 1_000_000 }),
        video({ bytes: 1e12, durationMs: 1e9 }),
        image({ width: 600 }),
        image(),
      ],
    }),
  )

  test.each(all.map((finding) => [finding.message, finding] as const))('%s', (message, { limit, actual }) => {
    expect(message).toMatch(/^[A-Z].{20,}\.$/s)
    expect(message).toContain('YouTube')
    if (limit === undefined) return
    expect(Object.values(limits).map(({ value }) => value)).toContain(limit)
    expect(actual).toBeGreaterThan(0)
  })

  test('the caption counts bytes and says so', () => {
    expect(checkPost(captioned('ü'.repeat(2501)))[0]).toMatchObject({
      limit: 5000,
      actual: 5002,
      message: expect.stringMatching(/bytes.*5002.*Shorten it by 2\./),
    })
  })
})
