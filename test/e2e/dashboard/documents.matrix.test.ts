import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { EVERYTHING } from '../../_util/api/guests.ts'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

/** A PDF is added to a post, leafed through by buttons, keys and swiping, and shown to guests by its pages alone. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)

const DAY = '2030-06-12'
const PATH = calendarPath('month', { date: DAY, post: 'new', at: `${DAY}T10:00:00.000Z` })
const recipes = async (name = 'Recipes.pdf', fixture = 'groff') => ({
  ...{ name, mimeType: 'application/pdf' },
  buffer: await readFixture(`documents/${fixture}.pdf`),
})
const strip = (page: Page) => page.getByRole('region', { name: 'Pages of Recipes' })

async function addFile(page: Page, file: Awaited<ReturnType<typeof recipes>>): Promise<void> {
  await composer(page).locator('input[type="file"]').setInputFiles(file)
}

test('a PDF is a post with pages to leaf through', async () => {
  const page = await dashboard.open(PATH, { signedIn: true })
  await chooseAccounts(composer(page), 'LinkedIn page')
  await composer(page).getByLabel('Caption', { exact: true }).fill('Our recipes')
  await addFile(page, await recipes())
  await composer(page)
    .getByRole('button', { name: /^Document 1 of 1/ })
    .waitFor()
  await strip(page).getByRole('img', { name: 'Page 1 of 2' }).waitFor()
  await page.getByText('1 of 2', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('2 of 2', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
  await strip(page).focus()
  await page.keyboard.press('ArrowLeft')
  await page.getByText('1 of 2', { exact: true }).waitFor()
  await page.keyboard.press('End')
  await page.getByText('2 of 2', { exact: true }).waitFor()
  await expectNoAxeInBothColors(page)
  await saveDraft(page)
  await composer(page).waitFor({ state: 'hidden' })
  expect(await card(page, 'Our recipes').locator('img').count()).toBe(1)
})

test('the library calls a document by its pages, and finds documents alone', async () => {
  await dashboard.open(PATH, { signedIn: true }).then(async (page) => {
    await chooseAccounts(composer(page), 'LinkedIn page')
    await addFile(page, await recipes('Menu.pdf'))
    await composer(page)
      .getByRole('button', { name: /^Document 1 of 1/ })
      .waitFor()
  })
  const page = await dashboard.open('/dashboard/media?kind=document', { signedIn: true })
  await page
    .getByRole('button', { name: /^Menu\.pdf, PDF, 2 pages/ })
    .first()
    .click()
  const view = page.getByRole('dialog', { name: 'Menu.pdf' })
  await view.getByRole('img', { name: 'Page 1 of 2' }).waitFor()
  await view.getByText(/^PDF, 2 pages · 6\.7 kB/).waitFor()
  await expectNoAxeInBothColors(page)
})

test('a protected PDF is refused in words', async () => {
  const page = await dashboard.open(PATH, { signedIn: true })
  await chooseAccounts(composer(page), 'LinkedIn page')
  await addFile(page, await recipes('Secret.pdf', 'qpdf-password'))
  await page.getByText('The PDF is protected. Save it without protection, then add it.').first().waitFor()
})

async function draftWith(caption: string): Promise<void> {
  const making = await dashboard.open(PATH, { signedIn: true })
  await chooseAccounts(composer(making), 'LinkedIn page')
  await composer(making).getByLabel('Caption', { exact: true }).fill(caption)
  await addFile(making, await recipes())
  await strip(making).waitFor()
  await saveDraft(making)
  await composer(making).waitFor({ state: 'hidden' })
}

test('a guest swipes through the pages on a phone, and gets no file', async () => {
  await draftWith('For the client')
  const link = await shareBrand(dashboard)
  const page = await dashboard.open(link.path, { viewport: NARROW, hasTouch: true })
  await goTo(page, `view=week&date=${DAY}`)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByText('For the client').first().click()
  const pages = page.getByRole('region', { name: /^Pages of / })
  await pages.getByRole('img', { name: 'Page 1 of 2' }).waitFor()
  // As a finger does it: the strip comes to rest at a page.
  await pages.evaluate((element: { scrollBy(x: number, y: number): void }) => element.scrollBy(300, 0))
  await page.getByText('2 of 2', { exact: true }).waitFor()
  await expectNoAxeInBothColors(page)
  expect(asked.filter((path) => path.endsWith('/original'))).toEqual([])
  expect(await page.getByRole('link', { name: 'Save the document (PDF)' }).count()).toBe(0)
  expect(asked.some((path) => path.endsWith('/page-2'))).toBe(true)
})

test('a guest of a link that allows files saves the document', async () => {
  await draftWith('For the printer')
  const link = await shareBrand(dashboard, { allows: { ...EVERYTHING.allows, files: true } })
  const page = await dashboard.open(link.path, { viewport: NARROW, hasTouch: true })
  await goTo(page, `view=week&date=${DAY}`)
  await page.getByText('For the printer').first().click()
  const save = page.getByRole('link', { name: 'Save the document (PDF)' })
  await save.waitFor()
  await expectNoAxeInBothColors(page)
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(download.suggestedFilename()).toBe('Recipes.pdf')
  const file = await readFile(await download.path())
  expect(file.equals((await recipes()).buffer)).toBe(true)
})
