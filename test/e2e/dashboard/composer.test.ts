import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { forgetKeptFile } from '../../_util/browser/browser-upload.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer, give, saveDraft, showUploads } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const AT = '2030-06-12T10:00:00.000Z'
const openNew = (options: Parameters<Dashboard['open']>[1] = {}) =>
  dashboard.open(calendarPath('month', { date: '2030-06-12', post: 'new', at: AT }), { signedIn: true, ...options })
const picture = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await readFixture('photo.jpg') })
const newest = async () => {
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}&size=100`)
  return data.toSorted((a: { createdAt: string }, b: { createdAt: string }) =>
    b.createdAt.localeCompare(a.createdAt),
  )[0]
}
/** What the server keeps of what is not saved. */
const keptTexts = async () =>
  JSON.stringify((await dashboard.member('GET', `/internal/kept-drafts?socialSetId=${dashboard.socialSetId}`)).data)
/** Removes what other tests have written and not saved. */
async function forgetKeptTexts(): Promise<void> {
  for (const { id } of JSON.parse(await keptTexts())) await dashboard.member('DELETE', `/internal/kept-drafts/${id}`)
}
const caption = (page: Page) => composer(page).getByLabel('Caption', { exact: true })

test('pictures of this computer are chosen, dropped and pasted, and a file that no network takes says why', async () => {
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky')
  await caption(page).fill('Three pictures')
  await dialog.locator('input[type="file"]').setInputFiles(await picture('chosen.jpg'))
  await give(caption(page), 'drop', [
    await picture('dropped.jpg'),
    { name: 'window.psd', mimeType: 'image/vnd.adobe.photoshop', buffer: Buffer.from('8BPS') },
    { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
  ])
  await give(caption(page), 'paste', [await picture('image.png')])
  await dialog.getByText('No network takes PSD. Export it as JPEG or PNG.').waitFor()
  await dialog.getByText('The file is empty. Choose another one.').waitFor()
  await dialog.getByRole('button', { name: 'Remove window.psd' }).click()
  await dialog.getByRole('button', { name: 'Remove empty.jpg' }).click()
  const tile = (number: number, name: RegExp | string) =>
    dialog.getByRole('button', { name: new RegExp(`^Picture ${number} of 3, ${name}.*without alt text`) })
  await tile(1, 'chosen.jpg').waitFor()
  await tile(2, 'dropped.jpg').waitFor()
  await tile(3, 'pasted ').waitFor()
  // Its order is changed by keys.
  await tile(2, 'dropped.jpg').focus()
  await page.keyboard.press('Alt+ArrowLeft')
  await tile(1, 'dropped.jpg').waitFor()
  await expectNoAxeViolations(page, 'the composer with files')
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const { posts } = await newest()
  expect(posts[0].media).toHaveLength(3)
  const { url, name } = await dashboard.seed.call('GET', `/v1/media-library/${posts[0].media[0].mediaLibraryId}`)
  expect(name).toBe('dropped.jpg')
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(await readFixture('photo.jpg'))).toBe(true)
})

test('a file that is dropped on a day begins a post of that day, and the tray stays while screens change', async () => {
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: true })
  await give(page.locator('[data-date="2030-06-20"]').first(), 'drop', [await picture('for the 20th.jpg')])
  const dialog = composer(page)
  await dialog.getByRole('button', { name: /^Picture 1 of 1, for the 20th\.jpg/ }).waitFor()
  expect(await dialog.getByLabel('Date').getAttribute('data-day')).toBe('2030-06-20')
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('1 file is in the library').waitFor()
  await expectNoAxeViolations(page, 'the tray')
  await page.goto(`${dashboard.url}/dashboard/settings/labels`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await tray.count()).toBe(0)
})

test('an upload waits for a server that is away, and goes on by itself after a reload where its file was kept', async () => {
  browser.allowProblem(/media-upload\/files\/\S+: net::ERR_/)
  const page = await openNew()
  const bytes = /\/internal\/media-upload\/files\/[^/]+$/
  await page.route(bytes, (route) => route.abort('connectionreset'))
  await composer(page)
    .locator('input[type="file"]')
    .setInputFiles(await Promise.all(['patient.jpg', 'paused.jpg', 'lost.jpg'].map(picture)))
  const tray = page.getByRole('region', { name: 'Uploads' })
  const row = (name: string) => tray.getByRole('listitem').filter({ hasText: name })
  await showUploads(page)
  for (const name of ['patient.jpg', 'paused.jpg', 'lost.jpg'])
    await row(name).getByText('The server does not answer. It goes on by itself.').waitFor()
  await tray.getByRole('button', { name: 'Pause paused.jpg' }).click()
  await forgetKeptFile(page, 'lost.jpg')
  await page.goto(`${dashboard.url}${calendarPath('month', { date: '2030-06-12' })}`)
  await row('patient.jpg').getByText('The server does not answer. It goes on by itself.').waitFor()
  // Another page leaves it to this one.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('region', { name: 'Uploads' }).getByText('lost.jpg').waitFor()
  expect(await other.getByRole('region', { name: 'Uploads' }).getByText('patient.jpg').count()).toBe(0)
  await other.close()
  await page.unroute(bytes)
  await row('patient.jpg').getByText('In the library').waitFor()
  await tray.getByText('2 uploads are not finished').waitFor()
  await expectNoAxeViolations(page, 'the tray after a reload')
  await tray.getByRole('button', { name: 'Go on with paused.jpg' }).click()
  await row('paused.jpg').getByText('In the library').waitFor()
  // Its file was not kept: it is asked for.
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    tray.getByRole('button', { name: 'Go on with lost.jpg' }).click(),
  ])
  await chooser.setFiles(await picture('lost.jpg'))
  await tray.getByText('3 files are in the library').waitFor()
  const { data } = await dashboard.seed.call('GET', `/v1/media-library?socialSetId=${dashboard.socialSetId}`)
  expect(data.filter(({ name }: { name: string }) => name === 'patient.jpg')).toHaveLength(1)
})

test('problems are fixed by their buttons, and a form is made of what the network declares', async () => {
  await dashboard.seed.media('photo.jpg')
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'X', 'TikTok', 'YouTube')
  const long = `${'Fresh bread '.repeat(24).trim()} now`
  await caption(page).fill(long)
  await dialog.getByRole('listitem').filter({ hasText: 'X 11 over' }).waitFor()
  await dialog
    .getByRole('article', { name: 'X' })
    .getByText(/Fresh bread/)
    .waitFor()
  await dialog.getByRole('button', { name: 'Library' }).click()
  const picker = page.getByRole('dialog', { name: 'Add pictures and videos' })
  await picker
    .getByRole('checkbox', { name: /photo\.jpg/ })
    .first()
    .check()
  await picker.getByRole('button', { name: 'Add 1 file' }).click()
  await page.keyboard.press('Control+Enter')
  // What is fixed goes at once, also where the next check is slow.
  const check = Promise.withResolvers<void>()
  await page.route('**/post-sets/validate', async (route) => {
    await check.promise
    await route.continue()
  })
  const [leaveOut, shorten] = ['Leave out YouTube', 'Shorten by 11'].map((name) => dialog.getByRole('button', { name }))
  for (const button of [leaveOut, shorten]) await button?.first().click()
  for (const button of [leaveOut, shorten]) await button?.first().waitFor({ state: 'hidden' })
  check.resolve()
  await dialog.getByRole('tab', { name: /^X, with its own content/ }).waitFor()
  await dialog.getByRole('tab', { name: /^TikTok/ }).click()
  await dialog.getByRole('combobox', { name: 'Who can see the posts' }).click()
  await page.getByRole('option', { name: 'Only the account itself' }).click()
  await expectNoAxeViolations(page, 'the form of a network')
  await dialog.getByRole('button', { name: /^Picture 1 of 1/ }).click()
  const details = page.getByRole('dialog', { name: 'Picture 1 of 1' })
  await details.getByText('1:1', { exact: true }).click()
  await expectNoAxeViolations(page, 'the crop')
  await details.getByRole('button', { name: 'Done' }).click()
  await dialog.getByText(/^Goes out/).waitFor()
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { posts, status } = await newest()
  expect(status).toBe('SCHEDULED')
  // In the order of the accounts, however they were chosen.
  expect(posts.map(({ accountType }: { accountType: string }) => accountType)).toEqual(['TIKTOK', 'TWITTER'])
  const [tiktok, x] = posts
  expect(x.caption.length).toBeLessThanOrEqual(280)
  expect(tiktok).toMatchObject({ caption: long, options: { privacy: 'SELF_ONLY' } })
  expect(tiktok.media[0].crop).toEqual({ x: 0, y: 0.125, width: 1, height: 0.75 })
  expect(x.media[0].crop).toBeNull()
})

test('what is typed is kept on the server, for the other browsers of the member', async () => {
  const page = await openNew()
  await chooseAccounts(composer(page), 'Bluesky')
  await caption(page).fill('Begun on the train')
  await composer(page)
    .getByText(/Draft kept \d/)
    .waitFor()
  const other = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), {
    signedIn: true,
    viewport: NARROW,
  })
  await other.getByRole('button', { name: /notices$/i }).click()
  await other.getByRole('region', { name: 'Unsaved text' }).getByRole('button', { name: 'Continue writing' }).click()
  await composer(other).getByText('What you wrote before was kept').waitFor()
  expect(await caption(other).inputValue()).toBe('Begun on the train')
  await expectNoAxeViolations(other, 'the composer on a phone')
  await expectNoSidewaysScroll(other)
  await composer(other).getByRole('button', { name: 'Schedule', exact: true }).click()
  await composer(other).waitFor({ state: 'hidden' })
  // It is saved now: nothing is offered any more.
  await expect.poll(keptTexts).not.toContain('Begun on the train')
})

test('a text that a reload brought back and that is saved at once is offered nowhere any more', async () => {
  // The pause after which a text goes to the server never ends.
  const endless = `{
    const wait = window.setTimeout
    window.setTimeout = (act, ms, ...rest) => (ms === 800 ? 0 : wait(act, ms, ...rest))
  }`
  await forgetKeptTexts()
  const page = await openNew()
  await chooseAccounts(composer(page), 'Bluesky')
  await caption(page).fill('Kept')
  await expect.poll(keptTexts).toContain('"excerpt":"Kept"')
  await page.evaluate(endless)
  await page.addInitScript(endless)
  await caption(page).fill('Reloaded and saved')
  await page.goto(`${dashboard.url}${calendarPath('month', { date: '2030-06-12' })}`)
  const line = page.getByRole('region', { name: 'Unsaved text' })
  await line.getByText('“Reloaded and saved”').waitFor()
  await line.getByRole('button', { name: 'Continue writing' }).click()
  expect(await caption(page).inputValue()).toBe('Reloaded and saved')
  await saveDraft(page)
  await composer(page).waitFor({ state: 'hidden' })
  await line.waitFor({ state: 'detached' })
  await expect.poll(keptTexts).toBe('[]')
})

test('the panel leaves the calendar in sight, and leads from post to post', async () => {
  await dashboard.seed.postSet({ caption: 'First of two', scheduledAt: '2030-09-10T08:00:00Z' })
  const { id } = await dashboard.seed.postSet({ caption: 'Second of two', scheduledAt: '2030-09-11T08:00:00Z' })
  const page = await dashboard.open(calendarPath('month', { date: '2030-09-10', post: id }), {
    signedIn: true,
    colorScheme: 'dark',
  })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByText('Second of two').first().waitFor()
  await panel.getByText('2 of 2').waitFor()
  await expectNoAxeViolations(page, 'the panel beside the calendar')
  const box = await page.locator('#calendar').boundingBox()
  const { x = 0 } = (await panel.boundingBox()) ?? {}
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(x)
  await panel.getByRole('button', { name: 'Previous post' }).click()
  await panel.getByText('First of two').first().waitFor()
  expect(await panel.getByRole('button', { name: 'Previous post' }).isDisabled()).toBe(true)
})
