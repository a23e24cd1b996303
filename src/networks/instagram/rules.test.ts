import { describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, reported as findingsOf } from '../kit/testing.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { checkPost } from './rules.ts'

type Facts = Partial<MediaFacts>
const image = (facts: Facts = {}, more: Partial<CheckedMedia> = {}) => checked(facts, more)
const video = (facts: Facts = {}, more: Partial<CheckedMedia> = {}) => checked({ type: 'VIDEO', ...facts }, more)
const square = (facts: Facts = {}) => video({ height: 1080, ...facts })
const users = (count: number) => Array.from({ length: count }, (_, i) => `user${i}`)

function post(type: string, media: CheckedMedia[], fields: object = {}, caption = 'Bread'): PostToCheck {
  return {
    accountType: 'INSTAGRAM',
    caption: type === 'STORY' && caption === 'Bread' ? '' : caption,
    fields: { type, collaborators: [], ...fields },
    media,
  }
}
const reported = (given: PostToCheck) => findingsOf(checkPost(given))

const captioned = (caption: string) => post('IMAGE', [image()], {}, caption)
const onImage = (fields: object) => post('IMAGE', [image()], fields)
const onReel = (fields: object) => post('REEL', [video()], fields)
const onStory = (fields: object) => post('STORY', [image()], fields)
const picture = (facts: Facts) => post('IMAGE', [image(facts)])
const carousel = (...media: CheckedMedia[]) => post('CAROUSEL', media)
const described = (type: string, altText: string) => post(type, [image({}, { altText })])
const tagged = (...handles: string[]) =>
  post('IMAGE', [image({}, { tags: handles.map((text) => ({ text, x: 0.5, y: 0.5 })) })])

describe('each limit at, within and behind its edge', () => {
  test.each<[string, Facts, Facts, string]>([
    ['IMAGE', { width: 1080, height: 1350 }, { width: 900, height: 1200 }, 'media_ratio?'],
    ['IMAGE', { width: 1910, height: 1000 }, { width: 2000, height: 1000 }, 'media_ratio'],
    ['IMAGE', { width: 320, height: 320 }, { width: 319, height: 319 }, 'media_dimensions?'],
    ['REEL', { bytes: 300_000_000, durationMs: 600_000 }, { bytes: 300_000_001, durationMs: 600_000 }, 'media_size'],
    ['REEL', { durationMs: 3_000, bytes: 1_000 }, { durationMs: 2_999, bytes: 1_000 }, 'media_duration'],
    ['REEL', { durationMs: 900_000 }, { durationMs: 900_001 }, 'media_duration'],
    ['REEL', { width: 1900, height: 190 }, { width: 1900, height: 189 }, 'media_ratio'],
    ['REEL', { width: 10, height: 1000 }, { width: 10, height: 1020 }, 'media_ratio'],
    ['REEL', { width: 1920 }, { width: 1921 }, 'media_dimensions'],
    ['REEL', { frameRate: 23 }, { frameRate: 22.9 }, 'media_codec?'],
    ['REEL', { frameRate: 60 }, { frameRate: 61 }, 'media_codec?'],
    ['REEL', { bytes: 93_750_000 }, { bytes: 97_500_000 }, 'media_codec?'],
    ['REEL', { mimeType: 'video/quicktime' }, { mimeType: 'video/webm' }, 'media_codec'],
    ['REEL', { videoCodec: 'hevc' }, { videoCodec: 'vp9' }, 'media_codec'],
    ['REEL', { audioCodec: null }, { audioCodec: 'opus' }, 'media_codec'],
    ['STORY', { bytes: 100_000_000, durationMs: 60_000 }, { bytes: 100_000_001, durationMs: 60_000 }, 'media_size'],
    ['STORY', { durationMs: 3_000, bytes: 1_000 }, { durationMs: 2_999, bytes: 1_000 }, 'media_duration'],
    ['STORY', { durationMs: 60_000 }, { durationMs: 60_001 }, 'media_duration'],
    ['STORY', { width: 1900, height: 190 }, { width: 1900, height: 189 }, 'media_ratio'],
    ['STORY', { width: 100, height: 1000 }, { width: 100, height: 1020 }, 'media_ratio'],
    ['STORY', { videoCodec: 'avc' }, { videoCodec: 'vp9' }, 'media_codec'],
    ['CAROUSEL', { durationMs: 60_000 }, { durationMs: 61_000 }, 'media_duration?'],
    ['CAROUSEL', { durationMs: 3_000, bytes: 1_000 }, { durationMs: 2_999, bytes: 1_000 }, 'media_duration'],
  ])('%s with %j, and with %j: %s', (type, within, behind, finding) => {
    const others = type === 'CAROUSEL' ? [video()] : []
    const measured = (facts: Facts) => post(type, [type === 'IMAGE' ? image(facts) : video(facts), ...others])
    expect([reported(measured(within)), reported(measured(behind))]).toEqual([[], [`media.0 ${finding}`]])
  })

  test.each<[string, PostToCheck, string[]]>([
    ['2200 characters', captioned('x'.repeat(2200)), []],
    ['2201 characters', captioned('x'.repeat(2201)), ['caption caption_too_long']],
    ['1101 pairs of code units', captioned('🍞'.repeat(1101)), ['caption caption_too_long']],
    ['5 hashtags and 3 mentions', captioned(`${'#a '.repeat(5)}${'@a '.repeat(3)}`), []],
    ['6 hashtags', captioned('#日本 '.repeat(6)), ['caption hashtags_count?']],
    ['4 mentions', captioned('@a '.repeat(4)), ['caption mentions_count?']],
    ['6 hashtags of emoji', captioned('#💈 #💀 #❤️ #👩‍🍳 #🇩🇪 #👍🏽'), ['caption hashtags_count?']],
    ['31 hashtags of emoji', captioned('#🥖 '.repeat(31)), ['caption hashtags_count']],
    ['31 of them without spaces', captioned('#🥖'.repeat(31)), ['caption hashtags_count']],
    ['31 flags', captioned('#🇩🇪 '.repeat(31)), ['caption hashtags_count']],
    ['31 families', captioned('#👨‍👩‍👧‍👦 '.repeat(31)), ['caption hashtags_count']],
    ['31 digits with frames', captioned('#1️⃣ '.repeat(31)), ['caption hashtags_count']],
    ['31 with wide signs', captioned('＃全角 '.repeat(31)), ['caption hashtags_count']],
    ['31 with wide signs and emoji', captioned('＃🍣 '.repeat(31)), ['caption hashtags_count']],
    ['31 of letters and emoji', captioned('#pizza🍕 '.repeat(31)), ['caption hashtags_count']],
    ['15 of letters and 16 of emoji', captioned('#a '.repeat(15) + '#🍕 '.repeat(16)), ['caption hashtags_count']],
    ['31 keycaps', captioned('#️⃣ '.repeat(31)), []],
    ['31 signs with nothing behind', captioned('# ## #- #… '.repeat(8)), []],
    ['30 hashtags', captioned('#a '.repeat(30)), ['caption hashtags_count?']],
    ['31 hashtags', captioned('#a '.repeat(31)), ['caption hashtags_count']],
    ['20 mentions', captioned('@a '.repeat(20)), ['caption mentions_count?']],
    ['21 mentions', captioned('@a '.repeat(21)), ['caption mentions_count']],
    ['a carousel of 1', carousel(image()), ['media media_count']],
    ['a carousel of 10', carousel(image(), ...Array(9).fill(square())), []],
    ['a carousel of 11', carousel(...Array(11).fill(image())), ['media media_count']],
    ['items of two shapes', carousel(image(), video()), ['media media_ratio?']],
    ['an image narrower than 3:4', picture({ width: 880, height: 1200 }), ['media.0 media_ratio']],
    ['a large PNG', picture({ mimeType: 'image/png', bytes: 50_000_000, width: 8000, height: 8000 }), []],
    ['a story image of any ratio', post('STORY', [image({ width: 1000, height: 100 })]), []],
    ['an alternative text of 1000', described('IMAGE', '🍞'.repeat(1000)), []],
    ['an alternative text of 1001', described('IMAGE', 'x'.repeat(1001)), ['media.0.altText field_too_long']],
    ['an alternative text of 1001 on a story', described('STORY', 'x'.repeat(1001)), []],
    ['a video as image', post('IMAGE', [video()]), ['media.0 media_type']],
    ['3 collaborators and one of them twice', onReel({ collaborators: ['a', 'b', 'c', '@a'] }), []],
    ['4 collaborators', onImage({ collaborators: ['a', 'b', 'c', 'd'] }), ['collaborators field_invalid']],
    ['a collaborator that is none', onReel({ collaborators: ['a', 'a', 'b c'] }), ['collaborators.2 field_invalid']],
    ['collaborators on a story', onStory({ collaborators: ['a'] }), ['collaborators field_invalid']],
    ['20 tags and one of them twice', tagged(...users(20), '@user1'), []],
    ['21 tags', tagged(...users(21)), ['media.0.tags field_invalid']],
    ['a handle of 30', tagged(`@user.name_${'1'.repeat(20)}`), []],
    ['a handle of 31', tagged('a', 'x'.repeat(31)), ['media.0.tags.1.text field_invalid']],
    ['a first comment', onImage({ firstComment: 'x'.repeat(2200) }), []],
    ['a long first comment', onImage({ firstComment: 'x'.repeat(2201) }), ['firstComment field_too_long?']],
    ['a first comment on a story', onStory({ firstComment: 'x' }), ['firstComment field_invalid']],
    ['an empty first comment on a story', onStory({ firstComment: ' ' }), []],
    ['a named sound and a track on a reel', onReel({ audioName: 'Oven', audio: '258421' }), []],
    ['a named sound on an image', onImage({ audioName: 'Oven' }), ['audioName field_invalid']],
    ['a track on an image', onImage({ audio: '258421' }), ['audio field_invalid']],
    ['a track without its id', onReel({ audio: 'Bread song' }), ['audio field_invalid']],
    ['a track without a Page', { ...onReel({ audio: '258421' }), signIn: 'instagram' }, ['audio field_invalid']],
    ['a named sound without a Page', { ...onReel({ audioName: 'Oven' }), signIn: 'instagram' }, []],
    ['a cover at the last millisecond', onReel({ videoCoverImage: 29.999 }), []],
    ['a cover at the end', onReel({ videoCoverImage: 30 }), ['videoCoverImage field_invalid']],
    ['a cover without a video', onImage({ videoCoverImage: 1 }), ['videoCoverImage field_invalid?']],
    ['a cover of nothing at 0', onImage({ videoCoverImage: 0 }), []],
    ['a cover of a story', post('STORY', [video()], { videoCoverImage: 1 }), ['videoCoverImage field_invalid?']],
    [
      'a cover of the first video of a carousel',
      post('CAROUSEL', [image(), square({ durationMs: 5_000, bytes: 1 }), square()], { videoCoverImage: 5 }),
      ['videoCoverImage field_invalid'],
    ],
    ['a caption on a story', post('STORY', [image()], {}, 'x'.repeat(3000)), ['caption field_invalid?']],
    ['a type of another network', post('TEXT', []), ['type field_invalid']],
  ])('resources-31, shape-63, problem-40: %s', (_, given, expected) => {
    expect(reported(given)).toEqual(expected)
  })
})
