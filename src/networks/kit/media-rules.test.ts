import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import type { Limit } from '../network.ts'
import { checkFile, type FileRules } from './media-rules.ts'
import { checked } from './testing.ts'

const limit = (value: number): Limit => ({ value, unit: '', source: 'https://a.example', read: '2026-11-21' })
const video = checked({ type: 'VIDEO', bytes: 1_000_000, durationMs: 10_000 }).facts
const check = (facts: Partial<MediaFacts>, rules: Partial<FileRules>) =>
  checkFile({ ...video, ...facts }, ['media', 0], { network: 'Demo', what: 'A video', ...rules }).map(
    ({ code, limit, actual, warning }) => [code.replace('post:media_', '') + (warning ? '?' : ''), limit, actual],
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

const [three, ten] = [limit(3), limit(10)]
const narrow = { width: 1000, height: 1920 }
test.each<[string, Partial<FileRules>, Partial<MediaFacts>, Partial<MediaFacts>, unknown[]]>([
  ['bytes', { maxBytes: ten }, { bytes: 10 }, { bytes: 11 }, ['size', 10, 11]],
  ['fewest bytes', { minBytes: ten }, { bytes: 10 }, { bytes: 9 }, ['size', 10, 9]],
  ['least width', { minWidth: ten }, { width: 10 }, { width: 9 }, ['dimensions', 10, 9]],
  ['most width', { maxWidth: ten }, { width: 10 }, { width: 11 }, ['dimensions', 10, 11]],
  ['least height', { minHeight: ten }, { height: 10 }, { height: 9 }, ['dimensions', 10, 9]],
  ['most height', { maxHeight: ten }, { height: 10 }, { height: 11 }, ['dimensions', 10, 11]],
  ['narrowest shape', { minRatio: limit(0.5625) }, { width: 1080 }, narrow, ['ratio', 0.5625, 0.52]],
  ['widest shape', { maxRatio: limit(1.91) }, { width: 1200, height: 628 }, { height: 540 }, ['ratio', 1.91, 2]],
  ['shortest', { minSeconds: three }, { durationMs: 3000 }, { durationMs: 2999 }, ['duration', 3, 2.999]],
  ['longest', { maxSeconds: three }, { durationMs: 3000 }, { durationMs: 3001 }, ['duration', 3, 3.001]],
  ['type', { mimeTypes: ['video/mp4'] }, {}, { mimeType: 'video/webm' }, ['codec', undefined, undefined]],
  ['codec', { videoCodecs: ['avc'] }, {}, { videoCodec: 'vp9' }, ['codec', undefined, undefined]],
  ['sound', { audioCodecs: ['aac'] }, { audioCodec: null }, { audioCodec: 'opus' }, ['codec', undefined, undefined]],
  ['slowest', { minFrameRate: limit(24) }, { frameRate: 24 }, { frameRate: 23.976 }, ['codec?', 24, 23.98]],
  ['far too slow', { minFrameRate: limit(24) }, { frameRate: 24 }, { frameRate: 15 }, ['codec', 24, 15]],
  ['fastest', { maxFrameRate: limit(60) }, { frameRate: 60 }, { frameRate: 61 }, ['codec?', 60, 61]],
  ['far too fast', { maxFrameRate: limit(60) }, { frameRate: 60 }, { frameRate: 70 }, ['codec', 60, 70]],
  ['bit rate', { maxBitRate: limit(8) }, { bytes: 10 }, { bytes: 11 }, ['codec', 8, 9]],
  [
    'what is advised',
    { advised: { minWidth: ten, minHeight: ten } },
    {},
    { width: 9, height: 9 },
    ['dimensions?', 10, 9],
  ],
  [
    'what is advised beside a refusal',
    { minWidth: three, advised: { minWidth: ten } },
    {},
    { width: 2 },
    ['dimensions', 3, 2],
  ],
])('%s: within and behind its edge', (_, rules, within, beyond, finding) => {
  expect(check(within, rules)).toEqual([])
  expect(check(beyond, rules)).toEqual([finding])
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
