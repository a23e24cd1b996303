import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { chooseAction, type Dashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Labels are made, renamed, recolored, merged and deleted on their screen. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

async function names(): Promise<(string | null)[][]> {
  const answer = await fetch(`${dashboard.url}/v1/labels`, { headers: { authorization: `Bearer ${dashboard.key}` } })
  const { data } = (await answer.json()) as { data: { name: string; color: string | null }[] }
  return data.map(({ name, color }) => [name, color])
}

test('labels are made, renamed, recolored, merged and deleted', async () => {
  browser.allowProblem(/^POST \S+\/internal\/labels: 409$/)
  const page = await dashboard.open('/dashboard/settings/labels', { signedIn: true })
  await page.getByText('There are no labels yet.').waitFor()

  const create = page.getByRole('region', { name: 'New label' })
  await create.getByLabel('Name').fill('Autumn')
  await create.getByRole('radio', { name: 'Orange' }).check()
  await create.getByRole('button', { name: 'Add label' }).click()
  await page.getByRole('heading', { name: '1 label', exact: true }).waitFor()
  expect(await create.getByLabel('Name').inputValue()).toBe('')

  const name = create.getByLabel('Name')
  await name.fill('AUTUMN')
  await create.getByRole('button', { name: 'Add label' }).click()
  await create.getByText('A label named “Autumn” already exists.').waitFor()
  // What a form does with a refusal: it is shown at its field, which gets the focus and keeps what was typed.
  await expect.poll(() => name.evaluate((field) => field.matches(':focus'))).toBe(true)
  expect([await name.inputValue(), await name.getAttribute('aria-invalid')]).toEqual(['AUTUMN', 'true'])
  await create.getByLabel('Name').fill('Fall')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '2 labels' }).waitFor()
  expect(await names()).toEqual([
    ['Autumn', '#cb4f0b'],
    ['Fall', null],
  ])

  await chooseAction(page, 'Autumn', 'Rename or change color')
  await page.getByLabel('Name of “Autumn”').fill('Herbst')
  const list = page.getByRole('region', { name: '2 labels' })
  await list.getByRole('radio', { name: 'Teal' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await list.getByText('Teal, not on any post').waitFor()
  expect(await names()).toContainEqual(['Herbst', '#0b866d'])
  await expectNoAxeViolations(page)

  await chooseAction(page, 'Fall', 'Merge into another label')
  const merge = page.getByRole('dialog', { name: 'Merge “Fall”' })
  await merge.getByText('No post has “Fall”.').waitFor()
  await merge.getByLabel('Into').selectOption('Herbst')
  await merge.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('heading', { name: '1 label', exact: true }).waitFor()

  await chooseAction(page, 'Herbst', 'Delete')
  const ask = page.getByRole('dialog', { name: 'Delete “Herbst”?' })
  await ask.getByText('No post has it. This cannot be undone.').waitFor()
  await ask.getByRole('button', { name: 'Delete the label' }).click()
  await page.getByText('There are no labels yet.').waitFor()
  expect(await names()).toEqual([])
}, 60_000)
