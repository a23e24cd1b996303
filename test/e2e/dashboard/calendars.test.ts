import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calendarOf, eventOf } from '../../_util/api/imported-calendars.ts'
import { testBrowser } from '../../_util/browser/browser.ts'
import { chooseAction, type Dashboard, settled, startDashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { type FileServer, startFileServer } from '../../_util/networks/file-server.ts'

/** Calendars of others are added, paused, changed and removed; the address of a brand is created, replaced and closed. */

const browser = testBrowser()
let dashboard: Dashboard
let server: FileServer
beforeAll(async () => {
  server = await startFileServer()
  dashboard = await startDashboard(browser, { ALMANAC_TRUSTED_FETCH_HOSTS: server.host })
}, 120_000)
afterAll(async () => {
  await dashboard?.stop()
  await server?.close()
})

const PATH = '/dashboard/settings/calendars'
/** A reader looks every few seconds. */
const SOON = { timeout: 30_000 }
const dayIn = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString().replaceAll('-', '')
const fair = () => eventOf('fair@test', 'Fair', `DTSTART;VALUE=DATE:${dayIn(3)}`)
const notes = async (): Promise<string[]> => {
  const today = Temporal.Now.plainDateISO('UTC')
  const query = new URLSearchParams({
    socialSetId: dashboard.socialSetId,
    'filters[startDate]': today.toString(),
    'filters[endDate]': today.add({ days: 14 }).toString(),
  })
  const found = await dashboard.seed.call('GET', `/v1/notes?${query}`)
  return found.map(({ content }: { content: string }) => content)
}

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Imported calendars' }).getByRole('listitem').filter({ hasText: name })

test('a calendar is added by its address, paused, resumed, changed and removed with its notes', async () => {
  const address = server.on('/team.ics', (_, response) =>
    response.writeHead(200, { 'content-type': 'text/calendar' }).end(calendarOf(fair())),
  )
  const page = await dashboard.open(PATH, { signedIn: true })
  await page.getByText('No calendar is imported yet.').waitFor()
  await page.getByRole('button', { name: 'Add a calendar' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Add calendar' }).click()
  await form.getByText('Enter the address of the calendar.').waitFor()
  await form.getByRole('textbox', { name: 'Name' }).fill('Team')
  await form.getByRole('textbox', { name: 'Address' }).fill(address)
  await form.getByRole('radio', { name: 'Mint' }).check()
  await form.getByRole('button', { name: 'Add calendar' }).click()
  await form.waitFor({ state: 'detached' })
  await row(page, 'Team')
    .getByText(/^1 note\./)
    .waitFor(SOON)
  await row(page, 'Team')
    .getByText(/Last read/)
    .waitFor()
  await page.getByText('1 of 20 calendars, 1 of 5,000 notes.').waitFor()
  expect(await notes()).toEqual(['Fair'])
  await expectNoAxeViolations(page, 'a calendar that is read')

  await chooseAction(page, 'Team', 'Pause')
  await row(page, 'Team').getByText('Paused: it is not read until you resume it.').waitFor()
  await chooseAction(page, 'Team', 'Resume')
  await row(page, 'Team')
    .getByText('Paused')
    .waitFor({ state: 'detached', ...SOON })
  await chooseAction(page, 'Team', 'Edit')
  await form.getByRole('textbox', { name: 'Name' }).fill('Our team')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await form.waitFor({ state: 'detached' })
  await row(page, 'Our team').waitFor()

  await chooseAction(page, 'Our team', 'Remove')
  const ask = page.getByRole('dialog', { name: 'Remove “Our team”?' })
  await ask.getByText('1 note goes with it.').waitFor()
  await ask.getByRole('button', { name: 'Remove the calendar' }).click()
  await page.getByText('No calendar is imported yet.').waitFor()
  expect(await notes()).toEqual([])
}, 90_000)

test('a calendar that cannot be read says why and what to do', async () => {
  const address = server.on('/gone.ics', (_, response) => response.writeHead(404).end())
  await dashboard.member('POST', '/internal/imported-calendars', {
    ...{ socialSetId: dashboard.socialSetId, name: 'Gone', hexColor: '#faf785', url: address },
  })
  const page = await dashboard.open(PATH, { signedIn: true })
  const failing = row(page, 'Gone')
  await failing
    .getByText(/This began .* answered 404 \(Not Found\) instead of the file\. Check the address\.$/)
    .waitFor(SOON)
  await failing.getByText(/Not read yet\. Next time/).waitFor()
  // The rest of an address is a secret.
  expect(await page.content()).not.toContain('gone.ics')
  await expectNoAxeViolations(page, 'a calendar that fails')
  await chooseAction(page, 'Gone', 'Remove')
  await page.getByRole('dialog').getByText('No note goes with it.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the calendar' }).click()
  await failing.waitFor({ state: 'detached' })
}, 60_000)

test('a calendar is added from a file, and a file that is none is refused at its field', async () => {
  browser.allowProblem(/^POST \S+\/internal\/imported-calendars: 400$/)
  const page = await dashboard.open(PATH, { signedIn: true })
  await page.getByRole('button', { name: 'Add a calendar' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Name' }).fill('Holidays')
  await form.getByRole('radio', { name: 'A file' }).check()
  const file = form.locator('input[type="file"]')
  await file.setInputFiles({ name: 'list.ics', mimeType: 'text/calendar', buffer: Buffer.from('Monday: closed') })
  await form.getByRole('button', { name: 'Add calendar' }).click()
  await expect.poll(() => file.getAttribute('aria-invalid')).toBe('true')
  const text = calendarOf(fair(), eventOf('party@test', 'Party', `DTSTART;VALUE=DATE:${dayIn(4)}`))
  await file.setInputFiles({ name: 'holidays.ics', mimeType: 'text/calendar', buffer: Buffer.from(text) })
  await form.getByRole('button', { name: 'Add calendar' }).click()
  await form.waitFor({ state: 'detached' })
  await row(page, 'Holidays')
    .getByText(/^2 notes\./)
    .waitFor(SOON)
  await row(page, 'Holidays').getByText('holidays.ics').waitFor()
}, 60_000)

test('the calendar address of a brand is created, copied once, replaced and closed', async () => {
  const page = await dashboard.open(PATH, { signedIn: true })
  const part = page.getByRole('region', { name: 'Calendar address' })
  await part.getByText('There is no calendar address.').waitFor()
  const take = async () => {
    const dialog = page.getByRole('dialog', { name: /^Copy the calendar address of/ })
    const address = await dialog.getByRole('textbox', { name: 'Calendar address' }).inputValue()
    await dialog.getByText(/^Outlook:/).waitFor()
    await expectNoAxeViolations(page, 'an address that is shown once')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    return address
  }
  await part.getByRole('button', { name: 'Create an address' }).click()
  const first = await take()
  await part.getByText('No calendar program has read it yet.').waitFor()
  const replace = part.getByRole('button', { name: 'Replace the address' })
  await expect.poll(() => replace.evaluate((button) => button.matches(':focus'))).toBe(true)
  expect(await (await fetch(first)).text()).toMatch(/^BEGIN:VCALENDAR/)
  await page.reload()
  await part.getByText(/A calendar program last read it/).waitFor()
  expect(await page.content()).not.toContain(first)

  await replace.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the address' }).click()
  const second = await take()
  expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([404, 200])

  await part.getByRole('button', { name: 'Close the address' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close the address' }).click()
  await part.getByText('There is no calendar address.').waitFor()
  expect((await fetch(second)).status).toBe(404)
  await settled(page)
})
