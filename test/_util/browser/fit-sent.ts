import sharp from 'sharp'
import { expect } from 'vitest'
import type { AccountType, Fit } from '#contract'
import { CLOSE, difference, drawn, picture, seenOf, uploadPicture } from '../files/fitted-pictures.ts'
import type { Dashboard } from './dashboard.ts'
import { calendarPath } from './dashboard-calendar.ts'
import { expectNoAxeViolations } from './dashboard-checks.ts'
import { composer, saveDraft } from './dashboard-composer.ts'

/** A post with pictures of which the network takes none as it is. */
export interface FitCase {
  title: string
  /** Of its simulator. */
  network: string
  accountType: AccountType
  fields: object
  /** Begins with what the tab of the network says. */
  tab: RegExp
  /** Width and height of each picture; the last one is brought into another shape. */
  sizes: readonly (readonly [number, number])[]
}

export const FIT_CASES: readonly [FitCase, ...FitCase[]] = [
  {
    ...{ title: 'a photo of Google', network: 'google-business', accountType: 'GMB', tab: /^Google/ },
    fields: { caption: 'Eight', ctaType: 'LEARN_MORE', ctaUrl: 'https://example.com/bread' },
    sizes: [[1600, 400]],
  },
  {
    ...{ title: 'a story of Facebook', network: 'facebook', accountType: 'FACEBOOK', tab: /^Facebook/ },
    fields: { caption: '', type: 'STORY', richCaption: [''] },
    sizes: [[800, 800]],
  },
  {
    ...{ title: 'a picture of Threads', network: 'threads', accountType: 'THREADS', tab: /^Threads/ },
    fields: { caption: 'Eight' },
    sizes: [[2400, 160]],
  },
  {
    ...{ title: 'a carousel of Pinterest', network: 'pinterest', accountType: 'PINTEREST', tab: /^Pinterest/ },
    fields: { caption: 'Eight', title: 'Bread', website: 'https://example.com/bread' },
    sizes: [
      [800, 1200],
      [1000, 600],
    ],
  },
]

interface Held {
  id: string
  permalink: string
}

/** Chooses the fit in the composer, publishes the post, and compares what was shown with what the network has got. */
export async function expectSentAsShown(dashboard: Dashboard, of: FitCase, fit: Fit): Promise<void> {
  const { seed, url } = dashboard
  const files = await Promise.all(of.sizes.map(([width, height]) => picture(width, height)))
  const ids: string[] = []
  for (const file of files) ids.push(await uploadPicture(dashboard, file))
  const media = ids.map((mediaLibraryId) => ({ mediaLibraryId }))
  const { id } = await seed.postSet({ posts: [{ accountType: of.accountType, ...of.fields, media }] })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), { signedIn: true })
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('tab', { name: of.tab }).click()
  await dialog.getByLabel('Pictures of another shape').selectOption(fit)
  const seen = await seenOf(await drawn(page.locator('[data-preview]'), fit, -1))
  if (files.length > 1) {
    await page.getByRole('region', { name: `Pictures and videos, ${files.length} in all` }).focus()
    await expectNoAxeViolations(page, 'a carousel in the preview')
  }
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  await seed.call('PATCH', `/v1/post-sets/${id}`, { scheduledAt: new Date().toISOString(), status: 'SCHEDULED' })
  const { posts } = await seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  const { result } = posts[0]
  expect(result, JSON.stringify(result)).toMatchObject({ status: 'POSTED' })
  const held = (await (await fetch(`${url}/sandbox/${of.network}/posts`)).json()) as Held[]
  const post = held.find((each) => each.id === result.providerId || each.permalink === result.permalink)
  // Its page shows all that came.
  const shown = await (await fetch(post?.permalink ?? '')).text()
  const addresses = [...shown.matchAll(/<figure><img src="([^"]+)"/g)].map(([, address = '']) => unescaped(address))
  const sent = await Promise.all(
    addresses.map(async (address) => new Uint8Array(await (await fetch(new URL(address, url))).arrayBuffer())),
  )
  expect(sent).toHaveLength(files.length)
  const last = sent.at(-1) ?? new Uint8Array()
  expect(await difference(seen, last)).toBeLessThan(2 * CLOSE)
  // Another picture of that shape would not pass for it.
  expect(await difference(seen, await sharp(last).flop().toBuffer())).toBeGreaterThan(2 * CLOSE)
  const original = await page.request.get((await seed.call('GET', `/v1/media-library/${ids.at(-1)}`)).url)
  // What is in the library is what was put there.
  expect(Buffer.from(await original.body()).equals(files.at(-1) ?? Buffer.alloc(0))).toBe(true)
}

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
