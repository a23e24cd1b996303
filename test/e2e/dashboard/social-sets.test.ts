import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** A social set is made, and another timezone keeps the clock times of what is planned. */

const browser = testBrowser()
let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)

afterAll(() => dashboard?.stop())

test('a social set is made with the timezone of the browser', async () => {
  const page = await dashboard.open('/dashboard/settings/social-sets', {
    signedIn: true,
    timezoneId: 'America/New_York',
  })
  await page.getByRole('button', { name: 'New brand' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create brand' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('Second brand')
  await dialog.getByRole('button', { name: 'Create brand' }).click()
  await page.getByText('The accounts that Second brand publishes to').waitFor()
  await page.goBack()
  const line = page.getByRole('list', { name: 'Brands' }).getByRole('listitem').filter({ hasText: 'Second brand' })
  await line.getByText(/America\/New York \(UTC-0[45]:00\)/).waitFor()
  await line.getByText('No account connected.').waitFor()
})

test('the brand that the rail names is the one that its links lead to', async () => {
  const page = await dashboard.open('/dashboard/scheduling/calendar/month', { signedIn: true })
  const rail = page.getByRole('navigation', { name: 'Main' })
  const named = (name: string) => rail.getByRole('button', { name: new RegExp(`^${name}\\s*, switch brand$`) })
  const seesCalendarOf = async (name: string) => {
    await named(name).waitFor()
    await rail.getByRole('link', { name: /^Calendar/ }).click()
    await page.waitForURL(/\/scheduling\/calendar\//)
    await settled(page)
    expect(await named(name).count(), name).toBe(1)
  }
  // An address that names no brand is of all of them.
  await named('All brands').click()
  const list = page.getByRole('dialog', { name: /switch brand$/ })
  await list.getByRole('button', { name: 'New brand' }).waitFor()
  await expectNoAxeViolations(page, 'the list of brands')
  await list.getByRole('button', { name: 'Second brand' }).click()
  // An address that names the other one, as links in mails do.
  await page.goto(`${dashboard.url}/dashboard/connections?set=${dashboard.socialSetId}`)
  await seesCalendarOf('Demo')
  await rail.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Brands' }).click()
  await page.getByRole('link', { name: 'Connections of Second brand' }).click()
  await page.getByText('The accounts that Second brand publishes to').waitFor()
  await seesCalendarOf('Second brand')
})

test('another timezone asks what stays, says what moves, and moves it', async () => {
  const { seed, socialSetId } = dashboard
  const set = await seed.postSet({ socialSetId, scheduledAt: '2030-06-14T08:00:00Z' })
  await seed.note({ socialSetId, scheduledAt: '2030-06-15T08:00:00Z' })
  const page = await dashboard.open('/dashboard/settings/social-sets', { signedIn: true })
  await page.getByRole('button', { name: 'Change Demo' }).click()
  const dialog = page.getByRole('dialog')
  const zone = dialog.getByRole('combobox', { name: 'Time zone' }).or(dialog.getByLabel('Time zone'))
  await zone.first().fill('tokyo')
  await page.getByRole('option', { name: /Asia\/Tokyo/ }).click()
  await dialog.getByText(/^It is now/).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Choose what to keep.').waitFor()
  await dialog.getByRole('radio', { name: 'Keep clock times' }).check()
  await dialog.getByText('This moves 1 post and 1 note.').waitFor()
  await expectNoAxeViolations(page, 'a change of the timezone')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Moved: 1 post and 1 note.').waitFor()
  await settled(page)
  await page.getByText('Asia/Tokyo (UTC+09:00)').first().waitFor()
  // Ten o'clock in Berlin is ten o'clock in Tokyo now.
  const moved = await dashboard.member('GET', `/internal/post-sets/${set.id}`)
  expect(moved.scheduledAt).toBe('2030-06-14T01:00:00.000Z')
})

test('an author is shown the social sets and no way to change them', async () => {
  const author = await dashboard.newMember({ role: 'author' })
  const page = await dashboard.open('/dashboard/settings/social-sets', { signedIn: author })
  await page.getByRole('heading', { name: 'Demo' }).waitFor()
  expect(await page.getByRole('button', { name: /^(Change|New brand)/ }).count()).toBe(0)
})

test('each brand has a colour of its own, which can be another one, and its name is on every screen of it', async () => {
  const { data } = await dashboard.member('GET', '/internal/social-sets')
  const colors = data.map(({ color }: { color: string }) => color)
  expect(new Set(colors).size).toBe(data.length)
  const page = await dashboard.open('/dashboard/settings/social-sets', { signedIn: true })
  await page.getByRole('button', { name: 'Change Second brand' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Pink' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const second = data.find(({ name }: { name: string }) => name === 'Second brand')
  const changed = (await dashboard.member('GET', '/internal/social-sets')).data
  expect(changed.find(({ id }: { id: string }) => id === second.id).color).toBe('#d72c8f')
  for (const path of ['scheduling/calendar/month', 'drafts', 'media', 'connections']) {
    await page.goto(`${dashboard.url}/dashboard/${path}?set=${second.id}`)
    await page.getByRole('main').getByTitle('Second brand').waitFor()
    expect(await page.title()).toMatch(/^Second brand · /)
  }
  await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}`)
  await page.getByRole('button', { name: 'New post' }).first().click()
  await page.getByRole('dialog', { name: 'New post' }).getByTitle('Demo').waitFor()
})

test('of many brands one is found by a part of its name, and a new one is begun from the list', async () => {
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await dashboard.member('POST', '/internal/social-sets', { name: `Client ${number}`, timezone: 'Europe/Berlin' })
  }
  const page = await dashboard.open('/dashboard/scheduling/calendar/month', { signedIn: true })
  const rail = page.getByRole('navigation', { name: 'Main' })
  await rail.getByRole('button', { name: /switch brand$/ }).click()
  const list = page.getByRole('dialog', { name: /switch brand$/ })
  await list.getByRole('searchbox', { name: 'Find a brand' }).fill('ent 4')
  await expectNoAxeViolations(page, 'a search for a brand')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByTitle('Client 4').waitFor()
  await rail.getByRole('button', { name: /switch brand$/ }).click()
  await list.getByRole('searchbox').fill('nothing like that')
  await list.getByText('No brand is called that.').waitFor()
  await list.getByRole('button', { name: 'New brand' }).click()
  await page.getByRole('dialog', { name: 'New brand' }).waitFor()
})

test('an owner renames the account beside its people; others read its name', async () => {
  const editor = await dashboard.newMember({ role: 'editor' })
  const page = await dashboard.open('/dashboard/settings/team', { signedIn: true })
  const field = page.getByLabel('Name of the account')
  const name = await field.inputValue()
  await field.fill('Agency Nord')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByText('The account is renamed.').waitFor()
  await page.getByRole('button', { name: /Account .*Agency Nord/ }).waitFor()
  const theirs = await dashboard.open('/dashboard/settings/team', { signedIn: editor })
  expect(await theirs.getByLabel('Name of the account').isEditable()).toBe(false)
  expect(await theirs.getByLabel('Name of the account').inputValue()).toBe('Agency Nord')
  await dashboard.member('PATCH', '/internal/account', { name })
})
