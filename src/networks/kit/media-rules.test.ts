import { describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import type { Limit } from '../network.ts'
import { checkFile, type FileRules } from './media-rules.ts'

const limit = (value: number): Limit => ({ value, unit: '', source: 'https://a.example', read: '2026-11-21' })
const video: MediaFacts = {
  type: 'VIDEO',
  mimeType: 'video/mp4',
  bytes: 1_000_000,
  width: 1080,
  height: 1920,
  durationMs: 10_000,
  videoCodec: 'avc',
  audioCodec: 'aac',
  frameRate: 30,
  animated: false,
}
const check = (facts: Partial<MediaFacts>, rules: Partial<FileRules>) =>
  checkFile({ ...video, ...facts }, ['media', 0], { network: 'Demo', what: 'A video', ...rules }).map(
    ({ code, limit, actual, warning }) => [warning ? `${code}?` : code, limit, actual],
  )

test('what becomes of a file by its pixels is not said of its shape', () => {
  const advised = { minWidth: limit(2_000), minRatio: limit(0.8), says: 'looks coarse' }
  expect(
    checkFile(video, ['media', 0], { network: 'Demo', what: 'An image', advised }).map(({ message }) => message),
  ).toEqual([
    'An image on Demo should have at least 2000 pixels in width; this one has 1080 and looks coarse.',
    'An image on Demo should be at least 0.8:1; this one has 1080x1920 (0.56:1) and may be refused.',
  ])
})

test('a file without a rule may be anything', () => {
  expect(check({}, {})).toEqual([])
})

describe.each<[string, Partial<FileRules>, Partial<MediaFacts>, Partial<MediaFacts>, unknown[]]>([
  ['bytes', { maxBytes: limit(10) }, { bytes: 10 }, { bytes: 11 }, ['post:media_size', 10, 11]],
  ['least width', { minWidth: limit(10) }, { width: 10 }, { width: 9 }, ['post:media_dimensions', 10, 9]],
  ['most width', { maxWidth: limit(10) }, { width: 10 }, { width: 11 }, ['post:media_dimensions', 10, 11]],
  ['least height', { minHeight: limit(10) }, { height: 10 }, { height: 9 }, ['post:media_dimensions', 10, 9]],
  ['most height', { maxHeight: limit(10) }, { height: 10 }, { height: 11 }, ['post:media_dimensions', 10, 11]],
  [
    'narrowest shape',
    { minRatio: limit(0.5625) },
    { width: 1080, height: 1920 },
    { width: 1000, height: 1920 },
    ['post:media_ratio', 0.5625, 0.52],
  ],
  [
    'widest shape',
    { maxRatio: limit(1.91) },
    { width: 1200, height: 628 },
    { width: 1200, height: 600 },
    ['post:media_ratio', 1.91, 2],
  ],
  ['shortest', { minSeconds: limit(3) }, { durationMs: 3000 }, { durationMs: 2999 }, ['post:media_duration', 3, 2.999]],
  ['longest', { maxSeconds: limit(3) }, { durationMs: 3000 }, { durationMs: 3001 }, ['post:media_duration', 3, 3.001]],
  ['type', { mimeTypes: ['video/mp4'] }, {}, { mimeType: 'video/webm' }, ['post:media_codec', undefined, undefined]],
  ['codec', { videoCodecs: ['avc'] }, {}, { videoCodec: 'vp9' }, ['post:media_codec', undefined, undefined]],
  [
    'sound',
    { audioCodecs: ['aac'] },
    { audioCodec: null },
    { audioCodec: 'opus' },
    ['post:media_codec', undefined, undefined],
  ],
  ['slowest', { minFrameRate: limit(24) }, { frameRate: 24 }, { frameRate: 23.976 }, ['post:media_codec?', 24, 23.98]],
  ['far too slow', { minFrameRate: limit(24) }, { frameRate: 24 }, { frameRate: 15 }, ['post:media_codec', 24, 15]],
  ['fastest', { maxFrameRate: limit(60) }, { frameRate: 60 }, { frameRate: 61 }, ['post:media_codec?', 60, 61]],
  ['bit rate', { maxBitRate: limit(8) }, { bytes: 10 }, { bytes: 11 }, ['post:media_codec', 8, 9]],
  ['fewest bytes', { minBytes: limit(10) }, { bytes: 10 }, { bytes: 9 }, ['post:media_size', 10, 9]],
  [
    'what is advised',
    { minWidth: limit(5), advised: { minWidth: limit(10), minHeight: limit(10) } },
    { width: 10, height: 10 },
    { width: 9, height: 9 },
    ['post:media_dimensions?', 10, 9],
  ],
  [
    'what is advised, beside what is refused',
    { minWidth: limit(5), advised: { minWidth: limit(10) } },
    { width: 10 },
    { width: 4 },
    ['post:media_dimensions', 5, 4],
  ],
  ['far too fast', { maxFrameRate: limit(60) }, { frameRate: 60 }, { frameRate: 70 }, ['post:media_codec', 60, 70]],
])('%s', (_, rules, within, beyond, finding) => {
  test('within and behind its edge', () => {
    expect(check(within, rules)).toEqual([])
    expect(check(beyond, rules)).toEqual([finding])
  })
})

test('words name the network, both numbers and what to do', () => {
  const [finding] = checkFile({ ...video, width: 1000 }, ['media', 0], {
    network: 'Demo',
    what: 'A reel',
    minRatio: limit(9 / 16),
    maxRatio: limit(9 / 16),
  })
  expect(finding?.message).toBe('A reel on Demo must be at least 0.56:1; this one has 1000x1920 (0.52:1). Crop it.')
})
