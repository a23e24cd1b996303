import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { cropPixels, croppedFacts } from './crops.ts'

const facts: MediaFacts = {
  type: 'IMAGE',
  mimeType: 'image/png',
  bytes: 1000,
  width: 1000,
  height: 500,
  durationMs: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  animated: false,
}

test.each([
  [
    { x: 0, y: 0, width: 1, height: 1 },
    { left: 0, top: 0, width: 1000, height: 500 },
  ],
  [
    { x: 0.25, y: 0.1, width: 0.5, height: 0.5 },
    { left: 250, top: 50, width: 500, height: 250 },
  ],
  [
    { x: 1 / 3, y: 0, width: 2 / 3, height: 1 },
    { left: 333, top: 0, width: 667, height: 500 },
  ],
  [
    { x: 0.9996, y: 0.999, width: 0.0004, height: 0.001 },
    { left: 999, top: 499, width: 1, height: 1 },
  ],
])('%j', (crop, pixels) => {
  expect(cropPixels(facts, crop)).toEqual(pixels)
})

test('what is cropped is a smaller JPEG; without a crop, and of a video, nothing changes', () => {
  const crop = { x: 0, y: 0, width: 0.5, height: 1 }
  expect(croppedFacts(facts, crop)).toEqual({ ...facts, mimeType: 'image/jpeg', bytes: 500, width: 500 })
  expect(croppedFacts(facts, null)).toBe(facts)
  const video = { ...facts, type: 'VIDEO' as const }
  expect(croppedFacts(video, crop)).toBe(video)
})
