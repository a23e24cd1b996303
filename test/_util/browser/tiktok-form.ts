import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { readFixture } from '../networks/file-server.ts'
import type { PageOptions } from './browser.ts'
import type { Dashboard } from './dashboard.ts'
import { calendarPath } from './dashboard-calendar.ts'
import { chooseAccounts, composer } from './dashboard-composer.ts'

/** A brand whose demo account on TikTok is set up by words in its name. */
export async function tiktokBrand(dashboard: Dashboard, name: string, accountTypes = ['TIKTOK']): Promise<string> {
  const { id } = await dashboard.member('POST', '/internal/social-sets', { name, timezone: 'Europe/Berlin' })
  await dashboard.member('POST', '/internal/connections/sandbox', { socialSetId: id, accountTypes })
  return id
}

export const film = async () => ({
  name: 'film.mp4',
  mimeType: 'video/mp4',
  buffer: await readFixture('video-h264-aac.mp4'),
})
export const photo = async () => ({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await readFixture('photo.jpg') })

interface FormOptions extends PageOptions {
  file?: 'film' | 'photo'
  at?: string
}

/** The composer over a brand, with a post for TikTok in its own tab. */
export async function openTikTok(
  dashboard: Dashboard,
  set: string,
  { file = 'film', at = '2030-06-12T10:00:00.000Z', ...options }: FormOptions = {},
): Promise<{ page: Page; dialog: Locator }> {
  const path = calendarPath('month', { set, date: at.slice(0, 10), post: 'new', at })
  const page = await dashboard.open(path, { signedIn: true, ...options })
  const dialog = composer(page)
  await chooseAccounts(dialog, 'TikTok')
  await dialog.getByRole('tab', { name: /^TikTok/ }).click()
  await dialog.getByLabel('Caption on TikTok').fill('How we bake')
  await dialog
    .locator('input[type="file"]')
    .first()
    .setInputFiles(await (file === 'film' ? film() : photo()))
  await dialog.getByRole('button', { name: /^(Picture|Video) 1 of 1/ }).waitFor()
  return { page, dialog }
}

/** The audiences that are offered, each with whether it can be chosen. Closes the list again. */
export async function audiences(page: Page, dialog: Locator): Promise<[string, boolean][]> {
  const audience = dialog.getByRole('combobox', { name: 'Who can see the posts' })
  await audience.click()
  const options = page.getByRole('listbox').getByRole('option')
  await options.first().waitFor()
  const found: [string, boolean][] = []
  for (const option of await options.all()) {
    found.push([(await option.innerText()).trim(), (await option.getAttribute('data-combobox-disabled')) === null])
  }
  await page.keyboard.press('Escape')
  await expect.poll(() => options.count()).toBe(0)
  return found
}

export async function chooseAudience(page: Page, dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Who can see the posts' }).click()
  await page.getByRole('option', { name, exact: true }).click()
}
