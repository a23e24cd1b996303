import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { chooseAction, type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors, expectNoSidewaysScroll, LOOKS } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import type { Body } from '../../_util/browser/dashboard-seed.ts'

/** The screen of labels in every form that it has, with labels that are on post sets. */

const PATH = '/dashboard/settings/labels'
const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const make = (name: string, color: string | null = null): Promise<Body> =>
  dashboard.member('POST', '/internal/labels', { name, color })
async function labelled(...labelsId: string[]): Promise<Body> {
  const set = await dashboard.seed.postSet({})
  await dashboard.member('PUT', `/internal/post-sets/${set.id}/labels`, { labelsId })
  return set
}
const labelsOf = async ({ id }: Body): Promise<string[]> =>
  (await dashboard.member('GET', `/internal/post-sets/${id}`)).labelsId

describe.each(LOOKS)('$name', ({ name, colorScheme, viewport }) => {
  test('the list, a row that is edited and the dialogs have nothing that axe finds, and fit into 320 pixels', async () => {
    const [first, second] = [await make(`Autumn ${name}`, '#cb4f0b'), await make(`Donaudampfschifffahrt ${name}`)]
    const page = await dashboard.open(PATH, { signedIn: true, colorScheme, viewport })
    const check = async (what: string) => {
      await settled(page)
      await expectNoAxeInBothColors(page, what)
      await page.setViewportSize({ width: 320, height: 844 })
      await expectNoSidewaysScroll(page, what)
      await page.setViewportSize(viewport)
    }
    await chooseAction(page, first.name, 'Rename or change color')
    await page.getByLabel(`Name of “${first.name}”`).fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a name.').waitFor()
    await check('a row that is edited')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe(`Actions for ${first.name}`)

    await chooseAction(page, first.name, 'Merge into another label')
    await check('the question what to merge into')
    await page.keyboard.press('Escape')
    await chooseAction(page, second.name, 'Delete')
    await check('the question before deleting')
    await page.getByRole('button', { name: 'Cancel' }).click()
  })
})

test('a label that is missed is created in the dialog about the labels of a post, which then has it', async () => {
  await make('There already')
  const set = await dashboard.seed.postSet({ caption: 'Without a label', scheduledAt: '2030-06-11T10:00:00Z' })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-11', post: set.id }), { signedIn: true })
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Labels…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Labels', exact: true })
  await dialog.getByLabel('There already').check()
  await dialog.getByRole('button', { name: 'New label…' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Missed until now')
  await expectNoAxeInBothColors(page, 'a new label in the dialog about labels')
  await dialog.getByRole('button', { name: 'Create label' }).click()
  await dialog.getByLabel('Missed until now').waitFor()
  expect(await dialog.getByLabel('There already').isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Save labels' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await labelsOf(set)).length).toBe(2)
})

test('merging and deleting say first how many post sets they change, and then do', async () => {
  const [fall, autumn] = [await make('Fall'), await make('Herbst', '#0b866d')]
  const [one, both] = [await labelled(fall.id), await labelled(fall.id, autumn.id)]
  const page = await dashboard.open(PATH, { signedIn: true })
  await chooseAction(page, 'Fall', 'Merge into another label')
  const merge = page.getByRole('dialog', { name: 'Merge “Fall”' })
  await merge.getByLabel('Into').selectOption('Herbst')
  await merge.getByText('2 posts with “Fall” will have “Herbst” instead, and “Fall” will be deleted.').waitFor()
  await merge.getByRole('button', { name: 'Merge' }).click()
  await merge.waitFor({ state: 'detached' })
  expect(await Promise.all([one, both].map(labelsOf))).toEqual([[autumn.id], [autumn.id]])

  await page.getByText('Teal, on 2 posts').waitFor()
  await chooseAction(page, 'Herbst', 'Delete')
  const ask = page.getByRole('dialog', { name: 'Delete “Herbst”?' })
  await ask.getByText('It is removed from 2 posts. Nothing else changes.').waitFor()
  await ask.getByRole('button', { name: 'Delete the label' }).click()
  await ask.waitFor({ state: 'detached' })
  expect(await Promise.all([one, both].map(labelsOf))).toEqual([[], []])
})

test('who may not manage labels sees them and nothing to change them with', async () => {
  await make('Seen')
  const page = await dashboard.open(PATH, { signedIn: await dashboard.newMember({ role: 'author' }) })
  await page.getByText('Seen', { exact: true }).waitFor()
  await page.getByText('Only owners, admins and editors can create and change them.').waitFor()
  expect(await page.getByRole('button', { name: 'Add label' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
})
