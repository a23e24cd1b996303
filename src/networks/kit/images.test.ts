import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import type { MediaSource } from '../network.ts'
import { fittedImage } from './images.ts'
import { checked } from './testing.ts'

const form = { mimeTypes: ['image/jpeg', 'image/gif'], maxBytes: 1_000, maxWidth: 100 }

function sourceOf(facts: Partial<MediaFacts>, stripped: MediaSource['stripped']): MediaSource {
  const named = (name: string): MediaSource => ({
    facts: checked({ mimeType: 'image/jpeg', bytes: 500, width: 8, height: 8, ...facts }).facts,
    open: async () => Readable.from([Buffer.from(name)]),
    url: async () => '',
    rendition: async (spec) => {
      expect(spec).toEqual({ format: 'jpeg', maxBytes: 1_000, maxWidth: 100 })
      return named('a fresh JPEG')
    },
    stripped: async (asked) => (await stripped(asked)) && named('stripped'),
  })
  return named('as it was uploaded')
}
const sent = async (source: MediaSource) => String(await buffer(await (await fittedImage(source, form)).open()))
const found = (): MediaSource => sourceOf({}, async () => null)

test.each<[string, Partial<MediaFacts>, string]>([
  ['of a type that the network takes', {}, 'stripped'],
  ['that is too large as it was uploaded, which is found out by stripping it', { bytes: 2_000 }, 'stripped'],
  ['that moves as a GIF', { mimeType: 'image/gif', animated: true }, 'stripped'],
  ['that moves in another form', { animated: true }, 'a fresh JPEG'],
  ['of another type', { mimeType: 'image/png' }, 'a fresh JPEG'],
  ['that is too wide', { width: 101 }, 'a fresh JPEG'],
])('an image %s goes out %j: %s', async (_, facts, form) => {
  const stripped: MediaSource['stripped'] = async (asked) => {
    expect(asked).toEqual({ maxBytes: 1_000, upright: facts.mimeType === 'image/gif' })
    return found()
  }
  expect(await sent(sourceOf(facts, stripped))).toBe(form)
})

test('what cannot be stripped, or is too large then, goes out as a fresh JPEG', async () => {
  expect(await sent(sourceOf({}, async () => null))).toBe('a fresh JPEG')
})
