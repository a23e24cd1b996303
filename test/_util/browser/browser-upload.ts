import { createHash } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { peakOf, videoOf } from '../api/upload-walk.ts'
import type { Dashboard } from './dashboard.ts'
import { calendarPath } from './dashboard-calendar.ts'
import { composer, showUploads } from './dashboard-composer.ts'

/** A line that sends and gets so many bytes a second. */
export async function slowLine(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 20,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

/** Takes a file out of what the browser keeps for a page that is loaded again. */
export async function forgetKeptFile(page: Page, name: string): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('almanac-uploads', 1)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const changing = opening.result.transaction('files', 'readwrite')
      changing.objectStore('files').openCursor().onsuccess = ({ target: { result: cursor } }) => {
        if (cursor?.value.name === ${JSON.stringify(name)}) cursor.delete()
        cursor?.continue()
      }
      changing.oncomplete = () => resolve(opening.result.close())
    }
  })`)
}

const VIDEO_NAME = 'long video.mp4'

/** A video of so many bytes on the disk, as a person has it. */
export async function videoFile(bytes: number): Promise<{ path: string; hash: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-upload-'))
  const path = join(folder, VIDEO_NAME)
  const file = await open(path, 'w')
  const hash = createHash('sha256')
  for (const piece of (await videoOf(bytes))(0)) {
    hash.update(piece)
    await file.write(piece)
  }
  await file.close()
  return { path, hash: hash.digest('hex'), remove: () => rm(folder, { recursive: true }) }
}

/**
 * Chooses a video of so many bytes in the composer, over a line on which it takes some seconds, and kills the server twice on
 * the way. The bytes that come back must be the same. Answers the most memory that a process of the server has had.
 */
export async function uploadInBrowser(
  dashboard: Dashboard,
  { bytes, bytesPerSecond, timeout }: { bytes: number; bytesPerSecond: number; timeout: number },
): Promise<{ peakBytes: number }> {
  const video = await videoFile(bytes)
  try {
    const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: 'new' }), { signedIn: true })
    await composer(page).locator('input[type="file"]').waitFor({ state: 'attached' })
    await slowLine(page, bytesPerSecond)
    await composer(page).locator('input[type="file"]').setInputFiles(video.path)
    const tray = await showUploads(page)
    const progress = tray.getByRole('progressbar')
    const sent = async () => Number(await progress.getAttribute('aria-valuenow', { timeout }))
    let peakBytes = 0
    for (const share of [30, 70]) {
      await expect.poll(sent, { timeout, interval: 50 }).toBeGreaterThan(share)
      peakBytes = Math.max(peakBytes, peakOf(dashboard.almanac))
      await dashboard.kill()
      await page.getByText('The server does not answer. What you see may be out of date').first().waitFor()
      // What was confirmed is not sent again.
      const before = await sent()
      await dashboard.startAgain()
      await page.getByText('The server does not answer. What you see').first().waitFor({ state: 'detached' })
      await expect.poll(sent, { timeout, interval: 20 }).toBeGreaterThan(before * 0.5)
    }
    await tray.getByText('1 file is in the library').waitFor({ timeout })
    peakBytes = Math.max(peakBytes, peakOf(dashboard.almanac))
    const { data } = await dashboard.seed.call('GET', `/v1/media-library?socialSetId=${dashboard.socialSetId}`)
    const { url, bytes: kept } = data.find((item: { name: string }) => item.name === VIDEO_NAME)
    expect(kept).toBe(bytes)
    const found = createHash('sha256')
    for await (const piece of (await fetch(url)).body ?? []) found.update(piece)
    expect(found.digest('hex')).toBe(video.hash)
    return { peakBytes }
  } finally {
    await video.remove()
  }
}
