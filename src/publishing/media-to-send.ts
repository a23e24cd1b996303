import type { PictureFit } from '#contract'
import { cropPixels, croppedFacts, fittedFacts, tagsOn } from '#domain'
import type { MediaSource, MediaToSend } from '#networks'
import type { DeliveryMedia } from '#persistence'

/**
 * The media of a post as a connector gets them.
 *
 * @param fits what is done to each, as `fitsOf` gives it
 * @param crops `made`: cropped pictures are made now, so that their facts are those of the file, and what fails does so here.
 *   `on demand`: when their bytes are asked for; until then their facts are those that they will have, but for the bytes.
 */
export function mediaToSend(
  media: readonly DeliveryMedia[],
  sources: ReadonlyMap<string, MediaSource>,
  fits: readonly (PictureFit | null)[],
  crops: 'made' | 'on demand',
): Promise<MediaToSend[]> {
  return Promise.all(
    media.map(async ({ mediaId, ...item }, index) => {
      const whole = sources.get(mediaId)
      if (!whole) throw new Error('A media item of a delivery has no file.')
      const fit = fits[index] ?? null
      if (fit) {
        const make = () => whole.rendition({ format: 'jpeg', fit })
        const source = crops === 'made' ? await make() : onDemand(fittedFacts(item.facts, fit), make)
        return { ...item, tags: tagsOn(item.tags, item.facts, fit), facts: source.facts, source }
      }
      if (item.crop === null) return { ...item, source: whole }
      const crop = cropPixels(item.facts, item.crop)
      const make = () => whole.rendition({ format: 'jpeg', crop })
      const source = crops === 'made' ? await make() : onDemand(croppedFacts(item.facts, item.crop), make)
      return { ...item, facts: source.facts, source }
    }),
  )
}

const onDemand = (facts: MediaSource['facts'], make: () => Promise<MediaSource>): MediaSource => ({
  facts,
  open: async (range) => (await make()).open(range),
  url: async () => (await make()).url(),
  rendition: async (spec) => (await make()).rendition(spec),
  stripped: async (asked) => (await make()).stripped(asked),
})
