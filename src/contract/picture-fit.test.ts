import { describe, expect, test } from 'vitest'
import { type FittedItem, fitPictures, type PictureShape } from './picture-fit.ts'

const picture = (width: number, height: number): FittedItem => ({ width, height, fits: true, isVideo: false })
const fixed = (width: number, height: number): FittedItem => ({ ...picture(width, height), fits: false })
const video = (width: number, height: number): FittedItem => ({ ...fixed(width, height), isVideo: true })
const feed: PictureShape = { minRatio: 3 / 4, maxRatio: 1.91, tallRatio: 4 / 5, alike: null }
const screen: PictureShape = { minRatio: 9 / 16, maxRatio: 9 / 16, tallRatio: null, alike: null }
const carousel: PictureShape = { ...feed, alike: 'shape' }
const pages: PictureShape = { minRatio: null, maxRatio: null, tallRatio: null, alike: 'pixels' }
const size = (fits: ReturnType<typeof fitPictures>) => fits.map((fit) => fit && [fit.width, fit.height])

test('what is taken stays, also at an edge that was rounded', () => {
  for (const [width, height] of [
    [1000, 1000],
    [1200, 628],
    [1080, 1440],
    [3000, 4001],
  ] as const) {
    expect(fitPictures([picture(width, height)], feed, 'CROP')).toEqual([null])
    expect(fitPictures([picture(width, height)], feed, 'PAD')).toEqual([null])
  }
})

test('nothing is done where nothing is asked for, or every shape is taken', () => {
  expect(fitPictures([picture(100, 1000)], feed, 'REFUSE')).toEqual([null])
  expect(fitPictures([picture(100, 1000)], feed, null)).toEqual([null])
  expect(fitPictures([picture(100, 1000)], null, 'CROP')).toEqual([null])
})

test('a crop is the largest part, a ground the smallest that holds all', () => {
  expect(size(fitPictures([picture(1000, 2000), picture(3000, 1000)], feed, 'CROP'))).toEqual([
    [1000, 1250],
    [1910, 1000],
  ])
  expect(size(fitPictures([picture(1000, 2000), picture(3000, 1000)], feed, 'PAD'))).toEqual([
    [1600, 2000],
    [3000, 1571],
  ])
  expect(size(fitPictures([picture(1080, 1080)], screen, 'PAD'))).toEqual([[1080, 1920]])
  expect(size(fitPictures([picture(1080, 1080)], screen, 'CROP'))).toEqual([[607, 1080]])
})

test('videos, animations and what a person has cropped stay', () => {
  expect(fitPictures([fixed(100, 1000), video(100, 1000)], feed, 'PAD')).toEqual([null, null])
})

test('a carousel has the shape of its first item, which is fitted first', () => {
  expect(size(fitPictures([picture(1000, 1000), picture(1600, 900)], carousel, 'CROP'))).toEqual([null, [900, 900]])
  expect(size(fitPictures([picture(500, 2000), picture(1000, 1000)], carousel, 'CROP'))).toEqual([
    [500, 625],
    [800, 1000],
  ])
  expect(size(fitPictures([video(1080, 1350), picture(1000, 1000)], carousel, 'PAD'))).toEqual([null, [1000, 1250]])
  expect(size(fitPictures([picture(1600, 900)], carousel, 'CROP'))).toEqual([null])
})

test('pages have the pixels of all, none is enlarged, and a cover beside a video is no page', () => {
  expect(size(fitPictures([picture(1000, 1500), picture(800, 800)], pages, 'CROP'))).toEqual([
    [533, 800],
    [533, 800],
  ])
  expect(size(fitPictures([picture(1000, 1500), picture(500, 750)], pages, 'PAD'))).toEqual([[500, 750], null])
  expect(size(fitPictures([picture(1000, 1500), picture(1000, 1500)], pages, 'PAD'))).toEqual([null, null])
  expect(size(fitPictures([fixed(600, 900), picture(1000, 1000)], pages, 'CROP'))).toEqual([null, [600, 900]])
  expect(fitPictures([video(600, 900), picture(1000, 1000)], pages, 'CROP')).toEqual([null, null])
})

describe('in all sizes', () => {
  const sides = [1, 2, 3, 7, 50, 333, 1080, 1919, 4000, 12_000, 60_000]
  const cases = sides.flatMap((width) => sides.map((height) => [width, height] as const))
  test.each(['CROP', 'PAD'] as const)(
    '%s gives a picture of a shape that is taken, of at most 4,096 pixels a side',
    (fit) => {
      for (const shape of [feed, screen]) {
        for (const [width, height] of cases) {
          const [made] = fitPictures([picture(width, height)], shape, fit)
          if (!made) continue
          expect(Math.max(made.width, made.height)).toBeLessThanOrEqual(4096)
          expect(Math.min(made.width, made.height)).toBeGreaterThanOrEqual(1)
          const [again] = fitPictures([picture(made.width, made.height)], shape, fit)
          // A few pixels cannot have every shape.
          if (Math.min(made.width, made.height) > 200) expect(again, `${width}x${height}`).toBeNull()
          if (fit === 'CROP') expect([made.width <= width, made.height <= height]).toEqual([true, true])
        }
      }
    },
  )
})
