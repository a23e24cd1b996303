import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Fit } from '#contract'
import type { Dashboard } from '../browser/dashboard.ts'

/** Eight fields of other colors, so that no part looks like another. */
export function picture(width: number, height: number): Promise<Buffer> {
  const colors = ['#d02020', '#20a040', '#2040d0', '#d0c020', '#20c0c0', '#a020b0', '#ffffff', '#303030']
  const fields = colors.map((background, index) => ({
    input: {
      create: { width: Math.floor(width / 4), height: Math.floor(height / 2), channels: 3 as const, background },
    },
    left: (index % 4) * Math.floor(width / 4),
    top: Math.floor(index / 4) * Math.floor(height / 2),
  }))
  // With grain: a network refuses what is of few bytes.
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const grain = { create: { width, height, channels: 3 as const, background: '#808080', noise } }
  return sharp({ create: { width, height, channels: 3, background: '#303030' } })
    .composite([...fields, { input: grain, blend: 'soft-light' as const }])
    .png()
    .toBuffer()
}

/** Of the middle difference of all pixels, of 255, what is the same picture. */
export const CLOSE = 12

/** What is seen of an element, and its shape. */
export async function seenOf(shown: Locator): Promise<{ image: Uint8Array; ratio: number }> {
  const box = await shown.boundingBox()
  return { image: await shown.screenshot(), ratio: (box?.width ?? 0) / (box?.height ?? 1) }
}

/** How far what is seen is from a file: the middle of the differences of all pixels, of 255. Their shapes are the same. */
export async function difference(
  { image, ratio }: Awaited<ReturnType<typeof seenOf>>,
  file: Uint8Array,
): Promise<number> {
  const { width, height } = await sharp(file).metadata()
  expect(Math.abs(ratio / (width / height) - 1)).toBeLessThan(0.03)
  // A little of the frame is rounded or lies under what the network draws.
  const size = { width: 120, height: Math.max(1, Math.round((120 * height) / width)), fit: 'fill' as const }
  const raw = (image: Uint8Array) => sharp(image).resize(size).removeAlpha().raw().toBuffer()
  const [one, other] = [await raw(image), await raw(file)]
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length
}

/** The first picture, or another one, that is shown as its network gets it by this fit, once it is drawn. */
export async function drawn(place: Page | Locator, fit: Fit, nth = 0): Promise<Locator> {
  const shown = place.locator(`[data-fit="${fit}"]`).nth(nth)
  await shown.waitFor()
  await shown.scrollIntoViewIfNeeded()
  await expect
    .poll(() => shown.locator('img').evaluateAll((all) => all.every((img) => (img as unknown as Image).complete)))
    .toBe(true)
  return shown
}
interface Image {
  complete: boolean
}

export async function uploadPicture({ url, key, socialSetId, seed }: Dashboard, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.set('socialSetId', socialSetId)
  form.set('file', new File([new Uint8Array(bytes)], 'eight.png', { type: 'image/png' }))
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/v1/media-upload`, { method: 'POST', headers, body: form })
  const { id } = (await answer.json()) as { id: string }
  return (await seed.until(`/v1/media-upload/${id}`, ({ status }) => status === 'READY')).mediaLibraryId
}
